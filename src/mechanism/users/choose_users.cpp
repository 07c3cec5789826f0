#include "mechanism/users/choose_users.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.hpp"
#include "mechanism/choose_mechanism.hpp"
#include "mechanism/geometric.hpp"
#include "mechanism/laplace.hpp"
#include "mechanism/users/gaussian.hpp"
#include "mechanism/users/group_selection.hpp"
#include "mechanism/users/magnitude_histogram.hpp"
#include "mechanism/users/rank_weights.hpp"
#include "mechanism/users/user_parts.hpp"
#include "mechanism/users/users_plan.hpp"

namespace tacit {
namespace {

constexpr double interval_coverage = 0.95;
// Between these scales, in steps, Laplace and geometric errors agree to six digits and Laplace is faster.
constexpr double least_laplace_scale = 1e3;
constexpr double largest_laplace_scale = 1e10;
// Covers the roundings of a root and two products.
constexpr double deviation_allowance = 1.0 + 0x1p-50;

bool infers_bounds(const UserAggregate& aggregate) { return !aggregate.bounds; }
bool races(const UserAggregate& aggregate) {
  return infers_bounds(aggregate) && aggregate.inference == BoundsInference::race;
}
bool can_be_gaussian(const UserAggregate& aggregate) {
  return aggregate.statistic != UserStatistic::quantile && !races(aggregate);
}

double step_of(const Grid& grid) {
  return grid.base == Grid::Base::decimal ? std::pow(10.0, -grid.exponent) : std::ldexp(1.0, -grid.exponent);
}

double power_of_step(const UserAggregate& aggregate) {
  const double step = step_of(aggregate.value.grid);
  switch (aggregate.statistic) {
    case UserStatistic::quantile:
    case UserStatistic::distinct: return 1.0;  // counts
    default: return step;
  }
}

// total - part without rounding up; 0 <= part <= total.
Epsilon rest_down(Epsilon total, Epsilon part) {
  double rest = total.value() - part.value();
  if ((rest - total.value()) + part.value() > 0.0) rest = std::nextafter(rest, 0.0);
  return Epsilon(rest);
}

// The part whose noise stands for the aggregate in explanations: the sum.
Int128 leading_sensitivity(const UserAggregate& aggregate) {
  const auto parts = part_sensitivities(aggregate.statistic, *aggregate.bounds);
  return parts.size() == 3 ? parts[1] : parts[0];
}

// Of the laws with a pure epsilon.
NoiseLaw pure_law(const UserAggregate& aggregate, Epsilon epsilon, int groups) {
  if (aggregate.statistic == UserStatistic::quantile && is_chosen_by_rank(aggregate.value.fraction)) {
    return NoiseLaw::exponential;
  }
  if (infers_bounds(aggregate)) return NoiseLaw::laplace;
  const auto largest = static_cast<double>(part_sensitivities(aggregate.statistic, *aggregate.bounds).back());
  const double scale = largest * groups * epsilon_parts(aggregate.statistic) / epsilon.value();
  const bool middle = scale >= least_laplace_scale && scale <= largest_laplace_scale;
  return middle ? NoiseLaw::laplace : NoiseLaw::geometric;
}

// |noise| of the leading part in steps stays below this with that probability.
double noise_magnitude(const UserAggregate& aggregate, const UserNoise& noise, int groups, double probability) {
  if (noise.law == NoiseLaw::exponential) {
    return -std::log1p(-probability) * rank_scale(noise.epsilon, groups, aggregate.value.fraction);
  }
  const Int128 sensitivity = leading_sensitivity(aggregate);
  const int parts = epsilon_parts(aggregate.statistic);
  if (noise.law == NoiseLaw::gaussian) {
    return normal_magnitude_up(probability) * noise.deviation * std::sqrt(parts) * static_cast<double>(sensitivity);
  }
  const Int128 units = sensitivity * groups;
  const Epsilon epsilon = share_down(noise.epsilon, static_cast<std::size_t>(parts));
  return noise.law == NoiseLaw::geometric ? static_cast<double>(geometric_half_width(epsilon, units, probability))
                                          : laplace_magnitude(epsilon, units, probability);
}

void describe_error(UserAggregatePlan& plan, const UserAggregate& aggregate, int groups) {
  if (infers_bounds(aggregate)) return;
  const double step = power_of_step(aggregate);
  plan.sensitivity = static_cast<double>(leading_sensitivity(aggregate)) * step;
  plan.error_median = noise_magnitude(aggregate, plan.noise, groups, 0.5) * step;
  plan.error_p95 = noise_magnitude(aggregate, plan.noise, groups, 0.95) * step;
}

// What the choice of groups has. The threshold has a share equal to the others'. The optimal rule at that price shows
// smaller groups: half of that gain is given away for less noise (choose_users.md). `own`: what the choice has of
// delta.
Epsilon selection_share(const UsersAnalysis& users, Epsilon epsilon, Delta delta, Delta own) {
  constexpr int finest = 64;          // shares are tried in steps of 1 / finest
  constexpr double most_used = 16.0;  // group_selection.md: a group's choice has no use for more
  const Epsilon equal = share_down(epsilon, users.aggregates.size() + 1);
  if (users.selection == GroupSelection::threshold || users.aggregates.empty()) return equal;
  const int k = users.groups_per_user;
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
UsersPlan laplace_plan(const UsersAnalysis& users, Epsilon epsilon, Delta delta, Delta own) {
  const int k = users.groups_per_user;
  UsersPlan plan;
  if (users.private_keys) {
    plan.selection_epsilon = selection_share(users, epsilon, delta, own);
    plan.selection_delta = own;
  }
  const Epsilon share =
      share_down(rest_down(epsilon, plan.selection_epsilon), std::max<std::size_t>(users.aggregates.size(), 1));
  for (const UserAggregate& aggregate : users.aggregates) {
    UserAggregatePlan& own = plan.aggregates.emplace_back();
    own.noise.epsilon = share;
    if (infers_bounds(aggregate) && !races(aggregate)) {
      own.bounds_epsilon = Epsilon(share.value() / 4.0);
      own.noise.epsilon = rest_down(share, own.bounds_epsilon);
      own.bounds_threshold =
          bounds_threshold(own.bounds_epsilon, magnitude_bins(aggregate.value).count(), k, bounds_confidence);
    }
    own.noise.law = pure_law(aggregate, own.noise.epsilon, k);
  }
  return plan;
}

// What the others leave of epsilon for one Gaussian vector: choose_users.md.
Epsilon left_for_gaussian(const UsersPlan& laplace, const UsersAnalysis& users, Epsilon epsilon) {
  double others = laplace.selection_epsilon.value();
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregatePlan& own = laplace.aggregates[i];
    others += own.bounds_epsilon.value();
    if (!can_be_gaussian(users.aggregates[i])) others += own.noise.epsilon.value();
  }
  return Epsilon(epsilon.value() - others - epsilon.value() * 0x1p-40);
}

struct GaussianPlan {
  UsersPlan plan;
  double relative_error = std::numeric_limits<double>::infinity();  // of expected magnitudes, over the Laplace plan's
  double least_deviation = 0.0;                                     // s of mechanism/users/gaussian.md
};

GaussianPlan gaussian_plan(const UsersPlan& laplace, const UsersAnalysis& users, Epsilon epsilon, Delta delta) {
  const auto count = std::ranges::count_if(users.aggregates, can_be_gaussian);
  if (delta.value() <= 0.0 || users.leftovers || count == 0) return {};
  const Delta own_delta = users.private_keys ? Delta(delta.value() / 2.0) : delta;
  if (!(own_delta.value() > 0.0)) return {};
  const UsersPlan base = laplace_plan(users, epsilon, delta, own_delta);
  const Epsilon own_epsilon = left_for_gaussian(base, users, epsilon);
  if (!(own_epsilon.value() > 0.0)) return {};

  GaussianPlan result{base, 0.0, gaussian_deviation_up(own_epsilon, own_delta)};
  const double members = static_cast<double>(count) * users.groups_per_user;
  const double deviation = result.least_deviation * std::sqrt(members) * deviation_allowance;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    if (!can_be_gaussian(users.aggregates[i])) continue;
    UserNoise& noise = result.plan.aggregates[i].noise;
    const double parts = epsilon_parts(users.aggregates[i].statistic);
    const double gaussian_error = deviation * std::sqrt(parts) * std::sqrt(2.0 / std::numbers::pi);
    const double laplace_error = parts * users.groups_per_user / laplace.aggregates[i].noise.epsilon.value();
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
    const double error = noise_magnitude(aggregate, noise, users.groups_per_user, interval_coverage);
    alternatives.push_back({name_of(noise.law), error * power_of_step(aggregate), why_not});
  }
  return alternatives;
}

std::string shares_in_words(const UsersPlan& plan, const UsersAnalysis& users) {
  std::string text;
  if (users.private_keys) {
    text = fmt::format("epsilon {:.3g} chooses which groups are shown; ", plan.selection_epsilon.value());
  }
  const std::size_t count = users.aggregates.size();
  text += count == 1 ? fmt::format("{} is for the one aggregate", users.private_keys ? "the rest" : "epsilon")
                     : fmt::format("{} is divided into {} equal shares, one for each aggregate",
                                   users.private_keys ? "the rest" : "epsilon", count);
  if (std::ranges::any_of(users.aggregates, [](const auto& a) { return infers_bounds(a) && !races(a); })) {
    text += "; where nobody stated bounds a quarter of a share finds them";
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

Delta delta_used(const UsersPlan& plan, const UsersAnalysis& users, Delta delta) {
  const bool gaussian =
      std::ranges::any_of(plan.aggregates, [](const auto& a) { return a.noise.law == NoiseLaw::gaussian; });
  return users.private_keys || gaussian ? delta : Delta(0.0);
}

}  // namespace

Result<MechanismPlan> choose_users_mechanism(AnalyzedQuery analyzed, Epsilon epsilon, Delta delta,
                                             std::uint64_t sampling_key) {
  TACIT_CHECK(analyzed.users != nullptr, "the query was analysed in the users model");
  const UsersAnalysis& users = *analyzed.users;
  if (users.private_keys && delta.value() <= 0.0) {
    return refuse("the groups are chosen from private data, which needs a delta",
                  "declare defaults.delta, ask with --delta 1e-9, or list the keys: key IN (...) in WHERE, or `values` "
                  "of the column in the policy");
  }
  UsersPlan laplace = laplace_plan(users, epsilon, delta, delta);
  GaussianPlan gaussian = gaussian_plan(laplace, users, epsilon, delta);
  const bool use_gaussian = gaussian.relative_error < 1.0;

  MechanismPlan plan;
  plan.epsilon = epsilon;
  UsersPlan chosen = use_gaussian ? gaussian.plan : laplace;
  if (std::isfinite(gaussian.relative_error)) {
    plan.alternatives =
        use_gaussian ? alternatives_to(chosen, laplace, users, "its expected error is larger at this delta")
                     : alternatives_to(chosen, gaussian.plan, users, "its expected error is larger at this delta");
  }
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    describe_error(chosen.aggregates[i], users.aggregates[i], users.groups_per_user);
  }
  if (users.private_keys && users.selection == GroupSelection::threshold) {
    chosen.tau = selection_threshold_up(chosen.selection_epsilon, chosen.selection_delta, users.groups_per_user);
  }
  chosen.why = shares_in_words(chosen, users) + "; " +
               (use_gaussian ? gaussian_in_words(gaussian) : laplace_in_words(users, delta, gaussian));
  chosen.sampling_key = sampling_key;
  plan.delta = delta_used(chosen, users, delta);
  plan.why = chosen.why;
  plan.users = std::make_shared<const UsersPlan>(std::move(chosen));
  plan.analyzed = std::move(analyzed);
  return plan;
}

}  // namespace tacit
