#pragma once

#include <string>

#include "policy/policy.hpp"

namespace tacit {

// What two versions of the table are at distance 1, in words: "one row differs, in one column or in all of them"; or,
// of a metric that is written out, how far each column moves when it moves alone, and how rows combine.
std::string describe_distance(const MetricTable& model);

}  // namespace tacit
