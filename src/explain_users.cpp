#include <fmt/format.h>

#include "explain_model.hpp"
#include "mechanism/noise_rule.hpp"
#include "mechanism/users/choose_users.hpp"
#include "mechanism/users/rank_weights.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

// Where bounds are inferred the noise is known only with the answer: nothing but the share of epsilon is told before.
ExpectedError expected_users_error(const OutputColumn& output, const MechanismPlan& plan) {
  const auto& users = analysis_of<UsersAnalysis>(plan.analyzed);
  const auto& own = plan_of<UsersPlan>(plan);
  const UserAggregatePlan& aggregate = own.aggregates[output.index];
  const UserStatistic& statistic = *users.aggregates[output.index].statistic;
  const double neighbours = users.users_per_neighbour;  // each moves the number, and each is paid for
  const Epsilon epsilon(neighbours * (aggregate.noise.epsilon.value() + aggregate.bounds_epsilon.value() +
                                      aggregate.beyond_epsilon.value()));
  ExpectedError error{.column = output.name, .mechanism = name_of(aggregate.noise.law), .epsilon = epsilon};
  error.bounds_inferred = !aggregate.sensitivity.has_value();
  error.of_the_rank = rule_of(aggregate.noise.law).is_choice();
  error.of_the_parts = !statistic.adds_up() && !error.of_the_rank;
  if (error.bounds_inferred) {
    error.median = aggregate.least_error_median.value_or(0.0);
    error.p95 = aggregate.least_error_p95.value_or(0.0);
    return error;
  }
  error.sensitivity = neighbours * *aggregate.sensitivity;
  error.at_least = users.infers_groups;
  const int groups = users.aggregates[output.index].over_all ? 1 : own.groups_per_user;
  error.scale = error.of_the_rank
                    ? rank_scale(aggregate.noise.epsilon, groups, users.aggregates[output.index].value.fraction)
                    : user_noise_scale(aggregate.noise, groups, 1, statistic.epsilon_parts()) * *aggregate.sensitivity;
  error.median = aggregate.error_median.value_or(0.0);
  error.p95 = aggregate.error_p95.value_or(0.0);
  return error;
}

// Which groups of private keys will be shown, before it is paid for.
std::string describe_hiding(const MechanismPlan& plan) {
  const auto& users = analysis_of<UsersAnalysis>(plan.analyzed);
  const auto half = shown_half_of_the_time(plan_of<UsersPlan>(plan));
  if (!half) return "Epsilon is too small to show a group of any size: nothing would be shown.";
  return fmt::format("The groups come from private data: a group of {}{:.0f} {} would be shown half of the time.",
                     users.infers_groups ? "at least " : "", *half, users.unit().people);
}

}  // namespace

void explain_users(const MechanismPlan& plan, Explanation& explanation) {
  for (const auto& output : plan.analyzed.query.outputs) {
    if (output.kind == OutputColumn::Kind::aggregate) explanation.errors.push_back(expected_users_error(output, plan));
  }
  if (analysis_of<UsersAnalysis>(plan.analyzed).private_keys) explanation.notes.push_back(describe_hiding(plan));
}

}  // namespace tacit
