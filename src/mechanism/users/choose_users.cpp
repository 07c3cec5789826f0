#include "mechanism/users/choose_users.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.hpp"
#include "mechanism/interval_coverage.hpp"
#include "mechanism/laplace.hpp"
#include "mechanism/noise_rule.hpp"
#include "mechanism/share_down.hpp"
#include "mechanism/users/gaussian.hpp"
#include "mechanism/users/group_selection.hpp"
#include "mechanism/users/magnitude_histogram.hpp"
#include "mechanism/users/over_all.hpp"
#include "mechanism/users/price_per_user.hpp"
#include "mechanism/users/quantile_places.hpp"
#include "mechanism/users/rank_weights.hpp"
#include "mechanism/users/users_plan.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

// Covers the roundings of a root and two products.
constexpr double deviation_allowance = 1.0 + 0x1p-50;

// Of an aggregate's epsilon: what finds its bounds, and what counts the users beyond them.
constexpr double histogram_share = 1.0 / 4.0;
constexpr double beyond_share = 1.0 / 16.0;
constexpr double groups_share = 1.0 / 20.0;  // of the whole epsilon: what finds how many groups of a user count

bool infers_bounds(const UserAggregate& aggregate) { return !aggregate.bounds && !aggregate.most_over_all; }
bool races(const UserAggregate& aggregate) {
  return infers_bounds(aggregate) && aggregate.inference == BoundsInference::race;
}
// What one user says is bounded over all groups together, so the number of groups does not matter.
int groups_of(const UserAggregate& aggregate, int k) { return aggregate.over_all ? 1 : k; }

// The number of users in a group: 1 for each.
bool counts_users(const UserAggregate& aggregate, const UsersAnalysis& users) {
  if (aggregate.over_all || !aggregate.bounds || aggregate.bounds->lo != 0 || aggregate.bounds->hi != 1) return false;
  if (aggregate.value.kind == UserValue::Kind::presence) return true;
  return aggregate.value.kind == UserValue::Kind::rows && !aggregate.value.argument && users.one_row_per_group;
}

// The aggregate whose noisy value decides which private groups are shown: choose_users.md.
std::optional<std::size_t> released_count(const UsersAnalysis& users) {
  if (!users.private_keys || users.leftovers || users.selection == GroupSelection::optimal) return std::nullopt;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    if (counts_users(users.aggregates[i], users)) return i;
  }
  return std::nullopt;
}

bool can_be_gaussian(const UserAggregate& aggregate) {
  return !aggregate.statistic->chosen_by_rank() && !aggregate.over_all && !races(aggregate);
}
bool can_be_gaussian(const UsersAnalysis& users, std::size_t index) {
  return can_be_gaussian(users.aggregates[index]) && released_count(users) != index;
}

// What errors are told in: ranks, or units of the answer.
double unit_of_error(const UserAggregate& aggregate) {
  return aggregate.statistic->chosen_by_rank() ? 1.0 : step_of(aggregate.value.grid);
}

// total - part without rounding up; 0 <= part <= total.
Epsilon rest_down(Epsilon total, Epsilon part) {
  double rest = total.value() - part.value();
  if ((rest - total.value()) + part.value() > 0.0) rest = std::nextafter(rest, 0.0);
  return Epsilon(rest);
}

// Of the part whose noise stands for the aggregate in explanations.
Int128 leading_sensitivity(const UserAggregate& aggregate) {
  if (aggregate.most_over_all) return std::max(*aggregate.most_over_all, Int128{1});
  return aggregate.statistic->part_sensitivities(*aggregate.bounds).at(aggregate.statistic->leading_part());
}

// Of the laws with a pure epsilon.
NoiseLaw pure_law(const UserAggregate& aggregate, Epsilon epsilon, int groups) {
  if (aggregate.statistic->chosen_by_rank()) return NoiseLaw::exponential;
  if (infers_bounds(aggregate) || aggregate.over_all) return NoiseLaw::laplace;
  const auto largest = static_cast<double>(aggregate.statistic->part_sensitivities(*aggregate.bounds).back());
  const double scale = largest * groups * aggregate.statistic->epsilon_parts() / epsilon.value();
  const bool middle = laplace_is_as_good(scale);
  return middle ? NoiseLaw::laplace : NoiseLaw::geometric;
}

// |noise| of the leading part in steps stays below this with that probability.
double noise_magnitude(const UserAggregate& aggregate, const UserNoise& noise, int groups, double probability) {
  if (rule_of(noise.law).is_choice()) {
    return rank_error(noise.epsilon, groups, aggregate.value.fraction, QuantilePlaces(aggregate).count(), probability);
  }
  const Int128 sensitivity = leading_sensitivity(aggregate);
  const int parts = aggregate.statistic->epsilon_parts();
  if (const VectorNoise* vector = rule_of(noise.law).for_vectors()) {
    return vector->magnitude_up(probability) * noise.deviation * std::sqrt(parts) * static_cast<double>(sensitivity);
  }
  const Int128 units = sensitivity * groups;
  const Epsilon epsilon = share_down(noise.epsilon, static_cast<std::size_t>(parts));
  return step_noise(noise.law).magnitude(epsilon, units, probability);
}

// Where bounds are found with the answer: what they would be at least, one unit for numbers of rows and one step for
// sums.
void describe_least_error(UserAggregatePlan& plan, const UserAggregate& aggregate, int groups) {
  if (!aggregate.statistic->adds_up() || races(aggregate)) return;
  const double step = unit_of_error(aggregate);
  plan.least_error_median = laplace_magnitude(plan.noise.epsilon, groups_of(aggregate, groups), 0.5) * step;
  plan.least_error_p95 = laplace_magnitude(plan.noise.epsilon, groups_of(aggregate, groups), 0.95) * step;
}

void describe_error(UserAggregatePlan& plan, const UserAggregate& aggregate, int groups) {
  if (infers_bounds(aggregate)) {
    describe_least_error(plan, aggregate, groups);
    return;
  }
  const double step = unit_of_error(aggregate);
  plan.sensitivity = static_cast<double>(leading_sensitivity(aggregate)) * step;
  plan.error_median = noise_magnitude(aggregate, plan.noise, groups, 0.5) * step;
  plan.error_p95 = noise_magnitude(aggregate, plan.noise, groups, 0.95) * step;
}

// What the choice of groups has. The threshold has a share equal to the others'. The optimal rule at that price shows
// smaller groups: half of that gain is given away for less noise (choose_users.md). `own`: what the choice has of
// delta.
Epsilon selection_share(const UsersAnalysis& users, int k, Epsilon epsilon, Delta delta, Delta own) {
  constexpr int finest = 64;                       // shares are tried in steps of 1 / finest
  constexpr double most_used = 16.0;               // group_selection.md: a group's choice has no use for more
  if (released_count(users)) return Epsilon(0.0);  // it is that aggregate's
  const Epsilon equal = share_down(epsilon, users.aggregates.size() + 1);
  if (users.selection == GroupSelection::threshold || users.aggregates.empty()) return equal;
  const auto half_shown = [k](Epsilon share, Delta at) {
    return static_cast<double>(OptimalSelection(share, at, k).users_for(0.5));
  };
  const double enough = (half_shown(equal, delta) + selection_threshold_up(equal, delta, k)) / 2.0;
  const auto part = [&](int parts) { return Epsilon(std::min(equal.value() * parts / finest, most_used * k)); };
  int parts = finest;
  while (parts > finest / 4 && half_shown(part(parts - 1), own) <= enough) --parts;
  return part(parts);
}

// Equal shares for the aggregates; where keys are private, what the choice of groups leaves. It has `own` of delta.
UsersPlan laplace_plan(const UsersAnalysis& users, int k, Epsilon epsilon, Delta delta, Delta own) {
  UsersPlan plan;
  plan.groups_per_user = k;
  if (users.private_keys) {
    plan.selection_epsilon = selection_share(users, k, epsilon, delta, own);
    plan.selection_delta = own;
    plan.selection = users.selection.value_or(GroupSelection::optimal);
  }
  const Epsilon share =
      share_down(rest_down(epsilon, plan.selection_epsilon), std::max<std::size_t>(users.aggregates.size(), 1));
  for (const UserAggregate& aggregate : users.aggregates) {
    UserAggregatePlan& own = plan.aggregates.emplace_back();
    own.noise.epsilon = share;
    if (aggregate.over_all) {
      if (infers_bounds(aggregate)) own.bounds_epsilon = Epsilon(share.value() * search_share(users.listed_groups));
      if (aggregate.facts && users.keeps_all_rows) own.beyond_epsilon = Epsilon(share.value() * beyond_share);
      own.noise.epsilon = rest_down(rest_down(share, own.bounds_epsilon), own.beyond_epsilon);
    } else if (infers_bounds(aggregate) && !races(aggregate)) {
      own.bounds_epsilon = Epsilon(share.value() * histogram_share);
      own.noise.epsilon = rest_down(share, own.bounds_epsilon);
      own.bounds_threshold =
          bounds_threshold(own.bounds_epsilon, magnitude_bins(aggregate.value).count(), k, bounds_confidence);
    }
    own.noise.law = pure_law(aggregate, own.noise.epsilon, k);
  }
  plan.released_count = released_count(users);
  if (plan.released_count) {
    UserAggregatePlan& count = plan.aggregates[*plan.released_count];
    count.noise.law = NoiseLaw::laplace;
    plan.selection = GroupSelection::threshold;
    plan.selection_epsilon = count.noise.epsilon;
  }
  return plan;
}

// What the others leave of epsilon for one Gaussian vector: choose_users.md.
Epsilon left_for_gaussian(const UsersPlan& laplace, const UsersAnalysis& users, Epsilon epsilon) {
  double others = laplace.released_count ? 0.0 : laplace.selection_epsilon.value();
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregatePlan& own = laplace.aggregates[i];
    others += own.bounds_epsilon.value() + own.beyond_epsilon.value();
    if (!can_be_gaussian(users, i)) others += own.noise.epsilon.value();
  }
  return Epsilon(epsilon.value() - others - epsilon.value() * 0x1p-40);
}

struct GaussianPlan {
  UsersPlan plan;
  double relative_error = std::numeric_limits<double>::infinity();  // of expected magnitudes, over the Laplace plan's
  double least_deviation = 0.0;                                     // s of mechanism/users/gaussian.md
};

GaussianPlan gaussian_plan(const UsersPlan& laplace, const UsersAnalysis& users, Epsilon epsilon, Delta delta) {
  const int k = laplace.groups_per_user;
  int count = 0;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) count += can_be_gaussian(users, i) ? 1 : 0;
  if (delta.value() <= 0.0 || users.leftovers || count == 0) return {};
  const Delta own_delta = users.private_keys ? Delta(delta.value() / 2.0) : delta;
  if (!(own_delta.value() > 0.0)) return {};
  const UsersPlan base = laplace_plan(users, k, epsilon, delta, own_delta);
  const Epsilon own_epsilon = left_for_gaussian(base, users, epsilon);
  if (!(own_epsilon.value() > 0.0)) return {};

  GaussianPlan result{base, 0.0, vector_noise(NoiseLaw::gaussian).deviation_up(own_epsilon, own_delta)};
  const double members = static_cast<double>(count) * k;
  const double deviation = result.least_deviation * std::sqrt(members) * deviation_allowance;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    if (!can_be_gaussian(users, i)) continue;
    UserNoise& noise = result.plan.aggregates[i].noise;
    const double parts = users.aggregates[i].statistic->epsilon_parts();
    const double gaussian_error = deviation * std::sqrt(parts) * std::sqrt(2.0 / std::numbers::pi);
    const double laplace_error = parts * k / laplace.aggregates[i].noise.epsilon.value();
    result.relative_error += gaussian_error / laplace_error / static_cast<double>(count);
    noise = {NoiseLaw::gaussian, Epsilon(own_epsilon.value() / static_cast<double>(count)), deviation};
  }
  return result;
}

// The other family's noise for each aggregate whose bounds are known.
std::vector<Alternative> alternatives_to(const UsersPlan& chosen, const UsersPlan& other, const UsersAnalysis& users,
                                         const std::string& why_not) {
  std::vector<Alternative> alternatives;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregate& aggregate = users.aggregates[i];
    const UserNoise& noise = other.aggregates[i].noise;
    if (infers_bounds(aggregate) || noise.law == chosen.aggregates[i].noise.law) continue;
    const double error =
        noise_magnitude(aggregate, noise, groups_of(aggregate, other.groups_per_user), interval_coverage);
    alternatives.push_back({name_of(noise.law), error * unit_of_error(aggregate), why_not});
  }
  return alternatives;
}

std::string shares_in_words(const UsersPlan& plan, const UsersAnalysis& users) {
  std::string text;
  if (users.infers_groups) {
    text += fmt::format("epsilon {:.3g} finds how many groups of a person count; ", plan.groups_epsilon.value());
  }
  const bool selects = users.private_keys && !plan.released_count;
  if (selects) text += fmt::format("epsilon {:.3g} chooses which groups are shown; ", plan.selection_epsilon.value());
  const char* rest = selects || users.infers_groups ? "the rest" : "epsilon";
  const std::size_t count = users.aggregates.size();
  text += count == 1 ? fmt::format("{} is for the one aggregate", rest)
                     : fmt::format("{} is divided into {} equal shares, one for each aggregate", rest, count);
  if (plan.released_count) {
    text += fmt::format("; the number of {} that is shown also decides which groups are", users.unit().people);
  }
  if (std::ranges::any_of(users.aggregates,
                          [](const auto& a) { return infers_bounds(a) && !races(a) && !a.over_all; })) {
    text += "; where nobody stated bounds a quarter of a share finds them";
  }
  if (std::ranges::any_of(users.aggregates, [](const auto& a) { return infers_bounds(a) && a.over_all; })) {
    text +=
        fmt::format("; {:.3g}% of a share finds how much of one {} counts{}", 100.0 * search_share(users.listed_groups),
                    users.unit().person, users.row_is_user ? "" : " in all groups together");
  }
  if (std::ranges::any_of(plan.aggregates, [](const auto& a) { return a.euclidean_deviation > 0.0; })) {
    text +=
        " (as a sum with Laplace noise, or as a length over the groups with Gaussian noise, whichever is less noise)";
  }
  if (std::ranges::any_of(plan.aggregates, [](const auto& a) { return a.beyond_epsilon.value() > 0.0; })) {
    text += fmt::format(", a sixteenth how many {} have more", users.unit().people);
  }
  if (std::ranges::any_of(users.aggregates, [](const auto& a) {
        return a.statistic->chosen_by_rank() && !is_extreme(a.value.fraction);
      })) {
    text += "; a tenth of a quantile's share finds its interval";
  }
  return text;
}

std::string laplace_in_words(const UsersAnalysis& users, Delta delta, const GaussianPlan& gaussian) {
  if (users.leftovers) return "Laplace noise, because a user's groups may meet in the leftovers";
  if (delta.value() <= 0.0) return "Laplace noise, which needs no delta";
  if (!std::isfinite(gaussian.relative_error)) return "Laplace noise, the law of these aggregates";
  return fmt::format("Laplace noise: Gaussian noise would be {:.3g} times as large on average",
                     gaussian.relative_error);
}

std::string gaussian_in_words(const GaussianPlan& gaussian) {
  return fmt::format(
      "what epsilon the others leave pays one Gaussian vector (zCDP rho {:.3g}): {:.3g} times the noise of Laplace on "
      "average",
      gaussian_rho(gaussian.least_deviation), gaussian.relative_error);
}

bool uses_gaussian(const UsersPlan& plan) {
  return std::ranges::any_of(plan.aggregates,
                             [](const auto& a) {
                               return rule_of(a.noise.law).for_vectors() != nullptr || a.euclidean_deviation > 0.0;
                             }) ||
         std::ranges::any_of(plan.by_level, uses_gaussian);
}

Delta delta_used(const UsersPlan& plan, const UsersAnalysis& users, Delta delta) {
  return users.private_keys || uses_gaussian(plan) ? delta : Delta(0.0);
}

struct ChosenPlan {
  UsersPlan plan;
  std::vector<Alternative> alternatives;
};

// For k groups of a user and this way to choose groups.
ChosenPlan choose_with(const UsersAnalysis& users, int k, Epsilon epsilon, Delta delta) {
  const UsersPlan laplace = laplace_plan(users, k, epsilon, delta, delta);
  bool others = false;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) others = others || can_be_gaussian(users, i);
  const TriedLengths lengths = try_lengths(users, laplace, delta, others);
  const GaussianPlan gaussian = gaussian_plan(laplace, users, epsilon, lengths.rest);
  const bool use_gaussian = gaussian.relative_error < 1.0;
  ChosenPlan chosen{use_gaussian ? gaussian.plan : laplace, {}};
  UsersPlan& plan = chosen.plan;
  for (const std::size_t i : lengths.aggregates) {
    UserAggregatePlan& own = plan.aggregates[i];
    own.euclidean_delta = lengths.each;
    own.euclidean_deviation = euclidean_deviation(own.noise.epsilon, lengths.each);
  }
  if (std::isfinite(gaussian.relative_error)) {
    chosen.alternatives = alternatives_to(plan, use_gaussian ? laplace : gaussian.plan, users,
                                          "its expected error is larger at this delta");
  }
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    describe_error(plan.aggregates[i], users.aggregates[i], groups_of(users.aggregates[i], k));
  }
  if (users.private_keys && plan.selection == GroupSelection::threshold) {
    plan.tau = selection_threshold_up(plan.selection_epsilon, plan.selection_delta, k);
  }
  plan.why = use_gaussian ? gaussian_in_words(gaussian) : laplace_in_words(users, delta, gaussian);
  return chosen;
}

double expected_magnitude(const UserNoise& noise, int k) {
  const VectorNoise* vector = rule_of(noise.law).for_vectors();
  return vector != nullptr ? noise.deviation * vector->mean_magnitude() : k / noise.epsilon.value();
}

// For k groups of a user. Where the number of people could choose the groups, nobody said how they are chosen, and a
// choice apart leaves less noise on that number, they are chosen apart.
ChosenPlan choose_for(const UsersAnalysis& users, int k, Epsilon epsilon, Delta delta) {
  ChosenPlan together = choose_with(users, k, epsilon, delta);
  const auto count = together.plan.released_count;
  if (!count || users.selection) return together;
  UsersAnalysis other = users;
  other.selection = GroupSelection::optimal;
  ChosenPlan apart = choose_with(other, k, epsilon, delta);
  const bool better = expected_magnitude(apart.plan.aggregates[*count].noise, k) <
                      expected_magnitude(together.plan.aggregates[*count].noise, k);
  return better ? std::move(apart) : std::move(together);
}

// Where nobody stated how many groups of a user count: a share finds it, and every number that may be found has its
// plan (group_count.md).
ChosenPlan choose_for_levels(const UsersAnalysis& users, Epsilon epsilon, Delta delta) {
  const Epsilon own(epsilon.value() * groups_share);
  const Epsilon rest = rest_down(epsilon, own);
  std::vector<UsersPlan> plans;
  ChosenPlan first;
  for (const int k : group_levels(users.groups_per_user)) {
    ChosenPlan chosen = choose_for(users, k, rest, delta);
    if (plans.empty()) first = chosen;
    plans.push_back(std::move(chosen.plan));
  }
  first.plan.groups_epsilon = own;
  if (users.private_keys) first.plan.counted_group = shown_half_of_the_time(first.plan).value_or(1e18);
  first.plan.by_level = std::move(plans);
  return first;
}

}  // namespace

std::optional<double> shown_half_of_the_time(const UsersPlan& plan) {
  if (plan.selection == GroupSelection::threshold) return rounded_threshold(plan.tau);
  const Int128 count =
      OptimalSelection(plan.selection_epsilon, plan.selection_delta, plan.groups_per_user).users_for(0.5);
  if (count >= OptimalSelection::most_users) return std::nullopt;
  return static_cast<double>(count);
}

Result<MechanismPlan> choose_users_mechanism(AnalyzedQuery analyzed, Epsilon epsilon, Delta delta) {
  const auto& users = analysis_of<UsersAnalysis>(analyzed);
  const UserPrice price = price_per_user({epsilon, delta}, users.users_per_neighbour);
  if (users.private_keys && price.delta.value() <= 0.0) {
    if (users.without_delta) return fail(*users.without_delta);
    return refuse("the groups are chosen from private data, which needs a delta",
                  "declare defaults.delta, ask with --delta 1e-9, or list the keys: key IN (...) in WHERE, or `values` "
                  "of the column in the policy");
  }
  ChosenPlan chosen = users.infers_groups ? choose_for_levels(users, price.epsilon, price.delta)
                                          : choose_for(users, users.groups_per_user, price.epsilon, price.delta);
  MechanismPlan plan;
  plan.epsilon = epsilon;
  plan.alternatives = std::move(chosen.alternatives);
  plan.delta = delta_used(chosen.plan, users, delta);
  if (users.users_per_neighbour > 1)
    plan.why = "one row replaced is one removed and one added, each at half of epsilon; ";
  plan.why += shares_in_words(chosen.plan, users) + "; " + chosen.plan.why;
  plan.model = std::move(chosen.plan);
  plan.analyzed = std::move(analyzed);
  return plan;
}

}  // namespace tacit
