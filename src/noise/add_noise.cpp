#include "noise/add_noise.hpp"

#include "base/overloaded.hpp"
#include "noise/metric/metric_rows.hpp"
#include "noise/rows/rows_release.hpp"
#include "noise/sampling/random_words.hpp"
#include "noise/users/users_release.hpp"

namespace tacit {

NoisyRows add_noise(ExactRows exact, const MechanismPlan& plan, const GroupList& groups, Entropy& entropy) {
  RandomWords words(entropy);
  return std::visit(Overloaded{[&](const RowsPlan&) { return release_rows(exact, plan, groups, words); },
                               [&](const MetricPlan&) { return release_metric(exact, plan, words); },
                               [&](const UsersPlan&) { return release_users(exact, plan, groups, words); }},
                    plan.model);
}

NoisyRows reveal_to_owner(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups) {
  return std::visit(Overloaded{[&](const RowsPlan&) { return reveal_rows(exact, plan, groups); },
                               [&](const MetricPlan&) { return reveal_metric(exact, plan); },
                               [&](const UsersPlan&) { return reveal_users(exact, plan, groups); }},
                    plan.model);
}

}  // namespace tacit
