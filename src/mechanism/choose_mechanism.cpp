#include "mechanism/choose_mechanism.hpp"

#include "base/overloaded.hpp"
#include "mechanism/metric/choose_metric.hpp"
#include "mechanism/rows/choose_rows.hpp"
#include "mechanism/users/choose_users.hpp"

namespace tacit {

Result<MechanismPlan> choose_mechanism(AnalyzedQuery analyzed, const NoiseWish& wish) {
  using Chosen = Result<MechanismPlan>;
  return std::visit(
      Overloaded{
          [&](const RowsAnalysis&) -> Chosen { return choose_rows_mechanism(std::move(analyzed), wish.epsilon); },
          [&](const MetricAnalysis&) -> Chosen {
            return choose_metric_mechanism(std::move(analyzed), wish.epsilon, wish.delta, wish.metric);
          },
          [&](const UsersAnalysis&) -> Chosen {
            return choose_users_mechanism(std::move(analyzed), wish.epsilon, wish.delta);
          },
      },
      analyzed.model);
}

}  // namespace tacit
