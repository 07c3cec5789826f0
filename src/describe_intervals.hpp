#pragma once

#include <string>
#include <vector>

#include "noise/noisy_rows.hpp"

namespace tacit {

// One sentence for each reason why intervals of the answer are about the noise alone (NoisyColumn::left_out).
std::vector<std::string> describe_intervals(const NoisyRows& rows);

}  // namespace tacit
