#pragma once

#include <optional>

#include "answer/answer.hpp"

namespace tacit {

// What the owner sees of a metric query's first value: never the plan's own figures, which are multiples of a bound
// that only the data knows.
struct OwnerBound {
  double value = 0.0;
  double sensitivity = 0.0;
  double error_p95 = 0.0;
  double eta = 0.0;          // loss beside epsilon times the distance
  bool is_modified = false;  // `value` may differ from the plain answer
};

// Empty without `--analyze`, for other models and for an answer of no row.
inline std::optional<OwnerBound> owner_bound(const Explanation& explanation) {
  const auto& analysis = explanation.analyze;
  if (!analysis || analysis->bounds.empty() || analysis->bounds.front().empty()) return std::nullopt;
  const OwnerAnalysis::Bound& bound = analysis->bounds.front().front();
  return OwnerBound{bound.value, bound.sensitivity, bound.error_p95, explanation.eta, analysis->is_modified};
}

}  // namespace tacit
