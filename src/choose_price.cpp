#include "choose_price.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "mechanism/noise_law.hpp"

namespace tacit {
namespace {

Result<Epsilon> choose_epsilon(const Policy& policy, const Question& question, const QueryOptions& options) {
  const Epsilon epsilon = question.epsilon.value_or(options.epsilon.value_or(policy.defaults.epsilon));
  const FailureCode code = question.epsilon || !options.epsilon ? FailureCode::usage : FailureCode::refused;
  const auto wrong = [&](std::string what) {
    return fail({code, std::move(what), policy.path,
                 fmt::format("ask for an epsilon from {} to {}", policy.defaults.epsilon_min.value(),
                             policy.defaults.epsilon_max.value())});
  };
  if (!std::isfinite(epsilon.value()) || epsilon.value() <= 0.0) return wrong("epsilon must be a number above 0");
  if (epsilon < policy.defaults.epsilon_min) return wrong("epsilon is below the least price of a query, epsilon_min");
  if (epsilon > policy.defaults.epsilon_max)
    return wrong("epsilon is above epsilon_max, the most one query may ask for");
  return epsilon;
}

Status check_delta(const Question& question, const QueryOptions& options) {
  const std::optional<Delta> delta = question.delta ? question.delta : options.delta;
  if (!delta) return {};
  if (std::isfinite(delta->value()) && delta->value() >= 0.0 && delta->value() < 1.0) return {};
  return fail({question.delta ? FailureCode::usage : FailureCode::refused, "delta must be a number from 0 to below 1",
               "", "leave delta out: the rows model needs none"});
}

std::optional<NoiseLaw> wanted_in_metric(const Policy& policy) {
  if (!policy.metric_noise) return std::nullopt;
  const auto law = law_named(*policy.metric_noise);
  TACIT_CHECK(law.has_value(), "a policy asks for laws that exist");
  return law;
}

}  // namespace

Result<NoiseWish> choose_price(const Policy& policy, const Question& question, const QueryOptions& options) {
  TACIT_TRY(const Epsilon epsilon, choose_epsilon(policy, question, options));
  TACIT_TRY_STATUS(check_delta(question, options));
  return NoiseWish{epsilon, question.delta.value_or(options.delta.value_or(policy.defaults.delta)),
                   wanted_in_metric(policy)};
}

Result<std::string> choose_analyst(const Policy& policy, const Question& question) {
  const auto& analysts = policy.budget.analysts;
  if (!question.analyst) {
    if (analysts.size() == 1) return analysts.begin()->first;
    return fail(
        {FailureCode::usage, "the policy lists several analysts", policy.path, "say which one asks with --analyst"});
  }
  if (analysts.contains(*question.analyst)) return *question.analyst;
  std::vector<std::string> names;
  for (const auto& [name, allowance] : analysts) names.push_back(name);
  return fail(
      {FailureCode::usage,
       fmt::format("the policy lists no analyst `{}`{}", *question.analyst, did_you_mean(*question.analyst, names)),
       policy.path, "use a name from [budget.analysts], or add one there"});
}

}  // namespace tacit
