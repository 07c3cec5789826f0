#pragma once

#include <memory>

#include "mechanism/users/users_plan.hpp"
#include "noise/cell_noise.hpp"

namespace tacit {

// The noise of one released number: `sensitivity` is how far one user moves it in one group
// (UserStatistic::part_sensitivities), `parts` how many such numbers (or levels) divide the aggregate's epsilon.
std::unique_ptr<const CellNoise> user_noise(const UserNoise& noise, int groups_per_user, Int128 sensitivity, int parts);

// Its scale (gaussian: its standard deviation) in steps.
double user_noise_scale(const UserNoise& noise, int groups_per_user, Int128 sensitivity, int parts);

}  // namespace tacit
