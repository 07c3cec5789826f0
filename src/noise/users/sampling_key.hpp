#pragma once

#include <cstdint>

#include "noise/sampling/entropy.hpp"

namespace tacit {

// Chooses which groups of a user are kept (rewrite/users/users_statement.hpp): fresh for every answer.
std::uint64_t draw_sampling_key(Entropy& entropy);

}  // namespace tacit
