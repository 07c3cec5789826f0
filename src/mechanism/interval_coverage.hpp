#pragma once

namespace tacit {

// What an interval of an answer holds the truth with, at least.
inline constexpr double interval_coverage = 0.95;

}  // namespace tacit
