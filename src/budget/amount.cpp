#include "budget/amount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "base/decimal.hpp"
#include "base/value.hpp"

namespace tacit {
namespace {

enum class Direction { down, up };

// The decimal a double means, in units of 10^-digits. REQUIRES value >= 0. Empty when it is beyond most_units.
std::optional<std::int64_t> units_of(double value, int digits, Direction direction) {
  if (value == 0.0) return 0;
  const double unit = std::pow(10.0, -digits);
  if (value < unit / 10) return direction == Direction::up ? 1 : 0;
  if (value > 2 * static_cast<double>(most_units) * unit) return std::nullopt;
  const auto decimal = parse_decimal(to_string(value));
  TACIT_CHECK(decimal.has_value(), "a double between 1e-19 and 1e11 has at most 38 decimal digits");
  const auto rounded = direction == Direction::up ? rescale_up(*decimal, digits) : rescale_down(*decimal, digits);
  TACIT_CHECK(rounded.has_value(), "a decimal below 1e11 fits 18 digits after the point");
  if (rounded->units > most_units) return std::nullopt;
  return static_cast<std::int64_t>(rounded->units);
}

double double_of(std::int64_t units, int digits, Direction direction) {
  const Decimal exact{units, digits};
  double value = to_double(exact);
  const auto on_the_wrong_side = [&] {
    if (value == 0.0) return direction == Direction::up && units > 0;
    const auto meant = parse_decimal(to_string(value));
    TACIT_CHECK(meant.has_value(), "an amount of the ledger has at most 38 decimal digits");
    return direction == Direction::up ? *meant < exact : *meant > exact;
  };
  while (on_the_wrong_side()) {
    value = std::nextafter(value, direction == Direction::up ? std::numeric_limits<double>::infinity() : 0.0);
  }
  return value;
}

std::int64_t units_rounded_down_or_most(double value, int digits) {
  if (!(value > 0.0)) return 0;
  return units_of(value, digits, Direction::down).value_or(most_units);
}

std::int64_t add_saturating(std::int64_t a, std::int64_t b) { return a > most_units - b ? most_units : a + b; }

}  // namespace

Result<Amount> charge_rounded_up(Epsilon epsilon, Delta delta) {
  if (!std::isfinite(epsilon.value()) || epsilon.value() <= 0.0) {
    return fail({FailureCode::usage, fmt::format("epsilon must be a positive number, not {}", epsilon.value()), "",
                 "ask with an epsilon above 0"});
  }
  if (!(delta.value() >= 0.0 && delta.value() < 1.0)) {
    return fail({FailureCode::usage, fmt::format("delta must be at least 0 and below 1, not {}", delta.value()), "",
                 "ask with a delta of 0 or a small probability"});
  }
  const auto epsilon_units = units_of(epsilon.value(), epsilon_digits, Direction::up);
  if (!epsilon_units) {
    return fail({FailureCode::usage, fmt::format("epsilon {} is more than a ledger can hold", epsilon.value()), "",
                 "ask with a smaller epsilon"});
  }
  const auto delta_units = units_of(delta.value(), delta_digits, Direction::up);
  TACIT_CHECK(delta_units.has_value(), "a delta below 1 is below most_units");
  return Amount{*epsilon_units, *delta_units};
}

Result<Amount> grant_rounded_down(Epsilon epsilon, Delta delta) {
  for (const auto& [name, value] : {std::pair{"epsilon", epsilon.value()}, std::pair{"delta", delta.value()}}) {
    if (!std::isfinite(value) || value < 0.0) {
      return fail({FailureCode::usage, fmt::format("a grant of {} must be 0 or more, not {}", name, value), "",
                   "a grant cannot take away; lower the analyst's allowance in the policy instead"});
    }
  }
  return allowance_rounded_down({epsilon, delta});
}

Amount allowance_rounded_down(const Allowance& allowance) {
  return {units_rounded_down_or_most(allowance.epsilon.value(), epsilon_digits),
          units_rounded_down_or_most(allowance.delta.value(), delta_digits)};
}

Amount sum_saturating(const Amount& a, const Amount& b) {
  return {add_saturating(a.epsilon_units, b.epsilon_units), add_saturating(a.delta_units, b.delta_units)};
}

Amount rest_of(const Amount& allowed, const Amount& spent) {
  return {std::max<std::int64_t>(0, allowed.epsilon_units - spent.epsilon_units),
          std::max<std::int64_t>(0, allowed.delta_units - spent.delta_units)};
}

Amount smaller_of(const Amount& a, const Amount& b) {
  return {std::min(a.epsilon_units, b.epsilon_units), std::min(a.delta_units, b.delta_units)};
}

double to_double_rounded_up(std::int64_t units, int digits) { return double_of(units, digits, Direction::up); }
double to_double_rounded_down(std::int64_t units, int digits) { return double_of(units, digits, Direction::down); }

Allowance to_allowance_rounded_up(const Amount& amount) {
  return {Epsilon{to_double_rounded_up(amount.epsilon_units, epsilon_digits)},
          Delta{to_double_rounded_up(amount.delta_units, delta_digits)}};
}

Allowance to_allowance_rounded_down(const Amount& amount) {
  return {Epsilon{to_double_rounded_down(amount.epsilon_units, epsilon_digits)},
          Delta{to_double_rounded_down(amount.delta_units, delta_digits)}};
}

Remaining to_remaining_rounded_down(const Amount& amount) {
  const Allowance down = to_allowance_rounded_down(amount);
  return {down.epsilon, down.delta};
}

}  // namespace tacit
