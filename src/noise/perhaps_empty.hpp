#pragma once

#include <string>
#include <vector>

#include "noise/cell_noise.hpp"
#include "noise/noisy_rows.hpp"

namespace tacit {

// A group without values has no average and no quantile. That it may have none is read from the noisy number of its
// values, so it is post-processing: a number that noise on 0 exceeds with probability 0.05 at most is no sign of life.

// The number itself has this noise.
Int128 empty_count_width(const CellNoise& noise);
// The number is the sum of two that have it.
Int128 empty_sum_width(const CellNoise& noise);

// What a released NULL means, one sentence for each aggregate column that has some.
std::vector<std::string> describe_empty(const TypedQuery& query, const std::vector<std::vector<NoisyCell>>& rows);

}  // namespace tacit
