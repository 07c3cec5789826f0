#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/check.hpp"
#include "base/units.hpp"
#include "mechanism/metric/metric_plan.hpp"
#include "mechanism/rows/rows_plan.hpp"
#include "mechanism/users/users_plan.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

struct Alternative {
  std::string name;
  double expected_error = 0.0;  // half-width of the 95% interval, in units of the answer
  std::string why_not;
};

// What the privacy model adds; the alternative of the analysis' own model.
using ModelPlan = std::variant<RowsPlan, MetricPlan, UsersPlan>;

// The noise that turns the analysed bounds into the guarantee. Chosen from public facts only.
struct MechanismPlan {
  AnalyzedQuery analyzed;
  Epsilon epsilon;  // of the whole query: the shares never add up to more
  Delta delta;
  std::vector<Alternative> alternatives;
  double eta = 0.0;  // a loss on top of epsilon (times the distance), from rounding (metric/choose_metric.md); 0: none
  std::string why;   // why these laws, for people
  ModelPlan model;
};

// The plan of a query that is known to be of that model.
template <class Plan>
const Plan& plan_of(const MechanismPlan& plan) {
  const auto* own = std::get_if<Plan>(&plan.model);
  TACIT_CHECK(own != nullptr, "the query was planned in this model");
  return *own;
}

// What the ledger charges: epsilon, and what rounding adds to the loss (metric/choose_metric.md). Rounded up.
Epsilon price_of(const MechanismPlan& plan);

}  // namespace tacit
