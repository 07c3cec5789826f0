#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {
namespace {

// Beyond 1e100 SQL gives NULL instead of overflowing, which would be a jump.
constexpr double most_digits = 90.0;

// Binding makes the exponent a double.
std::optional<double> constant_exponent(const Expr& expr) {
  const auto* literal = std::get_if<Literal>(&expr.node);
  const auto* real = literal ? std::get_if<double>(&literal->value) : nullptr;
  return real ? std::optional(*real) : std::nullopt;
}

// |t|^r as a bound: smooth where t is a Lipschitz statistic, else the constant that stated bounds give.
BoundPtr power_bound(const RowFunction& base, const ExprPtr& t, double r, const PrivateColumns& columns) {
  if (r == 0.0) return constant_bound(1.0);
  if (r == 1.0) return base.value;
  const double magnitude = stated_magnitude(t->range);
  const double cap = std::isfinite(magnitude) ? std::pow(magnitude, r) * (1.0 + 1e-12) : magnitude;
  const BoundPtr lipschitz = lipschitz_value(t, base.pieces, columns);
  if (lipschitz) {
    if (const auto* leaf = std::get_if<LeafBound>(&lipschitz->node)) {
      return leaf_bound({PowerShape{r}, leaf->statistic, leaf->slopes, cap, nullptr});
    }
  }
  return std::isfinite(cap) ? constant_bound(cap) : nullptr;
}

tl::unexpected<Failure> unbounded(const Expr& expr) {
  return refuse("this power of a private number has no bounded slope",
                "ask the owner to declare min and max (above 0 for roots and negative powers)", expr.position);
}

RowFunction chained(const RowFunction& base, BoundPtr value, const BoundPtr& slope, std::string rule) {
  RowFunction f{std::move(value), {}, {std::move(rule), "slope at most " + to_string(*slope), {base.derivation}}};
  chain_slopes(base, slope, f);
  return f;
}

// r < 1: the slope r t^(r-1) falls with t, so it is largest at the least t.
Result<RowFunction> derive_falling(const ExprPtr& call, const ExprPtr& t, const RowFunction& base, double r) {
  const auto least = stated_lower_end(t->range);
  if (!least || *least <= 0.0) return unbounded(*call);
  if (r < 0.0 && r * std::log10(*least) > most_digits) return unbounded(*call);
  const double cap = r > 0.0 ? stated_magnitude(t->range) : *least;
  const double slope =
      std::max(std::fabs(r) * std::pow(*least, r - 1.0) * (1.0 + 1e-12), std::numeric_limits<double>::min());
  if (!std::isfinite(slope)) return unbounded(*call);
  BoundPtr value = std::isfinite(cap) ? constant_bound(std::pow(cap, r) * (1.0 + 1e-12))
                                      // t^r <= 1 + t for 0 < r < 1.
                                      : sum_of({constant_bound(1.0), base.value});
  return chained(base, std::move(value), constant_bound(slope), "power");
}

Result<RowFunction> derive_at(const ExprPtr& call, const ExprPtr& t, double r, const Differentiator& differentiator) {
  TACIT_TRY(const RowFunction base, differentiator.derive(t));
  if (!std::isfinite(r) || std::fabs(r) > 64.0) return unbounded(*call);
  if (r * std::log10(std::max(largest_magnitude(t->range), 1.0)) > most_digits) return unbounded(*call);
  if (r < 1.0 && r != 0.0) return derive_falling(call, t, base, r);
  const auto lo = stated_lower_end(t->range);
  if (r != std::floor(r) && (!lo || *lo < 0.0)) return unbounded(*call);
  BoundPtr value = power_bound(base, t, r, differentiator.columns());
  BoundPtr slope = r == 0.0 ? constant_bound(0.0) : power_bound(base, t, r - 1.0, differentiator.columns());
  if (!value || !slope) return unbounded(*call);
  return chained(base, std::move(value), scaled(r, slope), "power");
}

// t^exponent is steepest at the largest t for an exponent from 1 on, at the least one below.
RoundingError rounding_at(const Range& t, double exponent, const RoundingError& error) {
  const Magnitudes size = magnitudes(t);
  const double steepness = std::fabs(exponent);
  if (!std::isfinite(exponent) || steepness * error.relative > 0x1p-20) return RoundingError::unknown();
  const double relative = (steepness * error.relative + library_rounding) * rounding_slack;
  if (error.absolute == 0.0) return {0.0, relative};
  const double end = exponent >= 1.0 ? size.most + error.over(t) : size.least - error.over(t);
  if (!(end > 0.0) || !std::isfinite(end)) return RoundingError::unknown();
  return {finite_product(steepness * std::pow(end, exponent - 1.0), error.absolute) * rounding_slack, relative};
}

}  // namespace

Result<RowFunction> derive_power(const ExprPtr& call, const Differentiator& differentiator) {
  const auto& args = std::get<Call>(call->node).args;
  const auto exponent = constant_exponent(*args[1]);
  if (!exponent) {
    return refuse("the exponent of a private number must be written as a number", "write power(x, 2)",
                  args[1]->position);
  }
  return derive_at(call, args[0], *exponent, differentiator);
}

Result<RowFunction> derive_root(const ExprPtr& call, const Differentiator& differentiator) {
  return derive_at(call, std::get<Call>(call->node).args[0], 0.5, differentiator);
}

bool power_keeps_zero(const Expr& call, std::size_t argument) {
  const auto* exponent = std::get_if<RealRange>(&std::get<Call>(call.node).args[1]->range);
  return argument == 0 && exponent && exponent->lo.value >= 1.0;
}

RoundingError rounding_of_power(const Expr& call, std::span<const RoundingError> of_args) {
  const auto& args = std::get<Call>(call.node).args;
  const auto* exponent = std::get_if<RealRange>(&args[1]->range);
  const bool is_one_number = exponent && exponent->lo.value == exponent->hi.value;
  return is_one_number ? rounding_at(args[0]->range, exponent->lo.value, of_args[0]) : RoundingError::unknown();
}

RoundingError rounding_of_root(const Expr& call, std::span<const RoundingError> of_args) {
  return rounding_at(std::get<Call>(call.node).args[0]->range, 0.5, of_args[0]);
}

}  // namespace tacit
