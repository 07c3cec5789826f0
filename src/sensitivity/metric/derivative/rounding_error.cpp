#include "sensitivity/metric/derivative/rounding_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/rules.hpp"
#include "sql/functions/soft_comparison.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double one_rounding = 0x1p-53;
constexpr double library_rounding = 0x1p-50;  // of ln, exp, power: 8 steps
constexpr double outward = 1.0 + 0x1p-20;     // for products of errors, and for our own rounding
constexpr double most_share = 0x1p-40;

struct Magnitudes {
  double least = 0.0;
  double most = infinity;
  bool never_negative = false;
};

Magnitudes between(double lo, double hi) {
  return {lo > 0.0 ? lo : hi < 0.0 ? -hi : 0.0, std::max(std::fabs(lo), std::fabs(hi)), lo >= 0.0};
}

Magnitudes magnitudes(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return between(to_double(exact->lo.value), to_double(exact->hi.value));
  }
  const auto* real = std::get_if<RealRange>(&range);
  return real ? between(real->lo.value, real->hi.value) : Magnitudes{};
}

double times(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

RoundingError larger(const RoundingError& a, const RoundingError& b) {
  return {std::max(a.absolute, b.absolute), std::max(a.relative, b.relative)};
}

class Errors {
 public:
  explicit Errors(const PrivateColumns& columns) : columns_(columns) {}

  RoundingError of(const Expr& expr) const {
    count_work();
    if (expr.type.kind != TypeKind::real || !reads_private_cell(expr, columns_)) return {};
    const auto* call = std::get_if<Call>(&expr.node);
    return call ? of_call(*call) : RoundingError{};
  }

 private:
  RoundingError of_call(const Call& call) const {
    const FunctionRule* rule = call.rule;
    if (rule == &to_double_rule) return of_conversion(*call.args[0]);
    if (rule == &add_rule || rule == &subtract_rule) return of_sum(call);
    if (rule == &multiply_rule || rule == &real_product_rule) return of_product(*call.args[0], *call.args[1]);
    if (rule == &divide_rule) return of_quotient(*call.args[0], *call.args[1]);
    if (rule == &power_rule || rule == &pow_rule) return of_power(*call.args[0], exponent_of(*call.args[1]));
    if (rule == &sqrt_rule) return of_power(*call.args[0], 0.5);
    if (rule == &ln_rule) return of_logarithm(*call.args[0]);
    if (rule == &exp_rule) return of_exponential(*call.args[0]);
    if (rule == &sigmoid_rule) return {sigmoid_rounding, 0.0};
    if (rule == &tauoid_rule) return {tauoid_rounding, 0.0};
    const bool picks = rule == &negate_rule || rule == &abs_rule || rule == &clamp_rule || rule == &least_rule ||
                       rule == &greatest_rule || rule == &case_rule || rule == &coalesce_rule;
    if (!picks) return {infinity, 0.0};
    RoundingError error;
    for (const auto& arg : call.args) error = larger(error, of(*arg));
    return error;
  }

  static RoundingError of_conversion(const Expr& exact) {
    const bool is_whole = exact.type.kind == TypeKind::integer && magnitudes(exact.range).most <= 0x1p53;
    return {0.0, is_whole ? 0.0 : library_rounding};
  }

  RoundingError of_sum(const Call& call) const {
    const RoundingError a = of(*call.args[0]);
    const RoundingError b = of(*call.args[1]);
    const Magnitudes of_a = magnitudes(call.args[0]->range);
    const Magnitudes of_b = magnitudes(call.args[1]->range);
    // Nothing cancels: relative errors stay relative.
    if (call.rule == &add_rule && of_a.never_negative && of_b.never_negative) {
      return {(a.absolute + b.absolute) * outward, (std::max(a.relative, b.relative) + one_rounding) * outward};
    }
    const double from_parts = a.over(call.args[0]->range) + b.over(call.args[1]->range);
    return {from_parts * outward, one_rounding * outward};
  }

  RoundingError of_product(const Expr& x, const Expr& y) const {
    const RoundingError a = of(x);
    const RoundingError b = of(y);
    const double absolute = times(a.absolute, magnitudes(y.range).most) + times(b.absolute, magnitudes(x.range).most) +
                            times(a.absolute, b.absolute);
    return {absolute * outward, (a.relative + b.relative + one_rounding) * outward};
  }

  RoundingError of_quotient(const Expr& x, const Expr& y) const {
    const RoundingError a = of(x);
    const RoundingError b = of(y);
    const double least = magnitudes(y.range).least;
    const double relative = (a.relative + b.relative + one_rounding) * outward;
    if (a.absolute == 0.0 && b.absolute == 0.0) return {0.0, relative};
    // An error of half the denominator tells nothing of the quotient.
    if (least == 0.0 || b.over(y.range) > least / 2.0) return {infinity, 0.0};
    const double absolute = 2.0 * (a.absolute + times(b.absolute, magnitudes(x.range).most / least)) / least;
    return {absolute * outward, relative};
  }

  // A power is a constant exponent's: the calculus takes no other.
  static double exponent_of(const Expr& exponent) {
    const auto* range = std::get_if<RealRange>(&exponent.range);
    return range && range->lo.value == range->hi.value ? range->lo.value : infinity;
  }

  // t^exponent is steepest at the largest t for an exponent from 1 on, at the least one below.
  RoundingError of_power(const Expr& t, double exponent) const {
    const RoundingError error = of(t);
    const Magnitudes size = magnitudes(t.range);
    const double steepness = std::fabs(exponent);
    if (!std::isfinite(exponent) || steepness * error.relative > 0x1p-20) return {infinity, 0.0};
    const double relative = (steepness * error.relative + library_rounding) * outward;
    if (error.absolute == 0.0) return {0.0, relative};
    const double end = exponent >= 1.0 ? size.most + error.over(t.range) : size.least - error.over(t.range);
    if (!(end > 0.0) || !std::isfinite(end)) return {infinity, 0.0};
    return {times(steepness * std::pow(end, exponent - 1.0), error.absolute) * outward, relative};
  }

  RoundingError of_logarithm(const Expr& t) const {
    const RoundingError error = of(t);
    const double least = magnitudes(t.range).least;
    if (error.relative > 0x1p-20 || (error.absolute > 0.0 && error.absolute > least * 0x1p-20)) return {infinity, 0.0};
    const double of_argument = error.relative + (error.absolute > 0.0 ? error.absolute / least : 0.0);
    return {of_argument * outward, library_rounding};
  }

  RoundingError of_exponential(const Expr& t) const {
    const double of_argument = of(t).over(t.range);
    if (of_argument > 0x1p-20) return {infinity, 0.0};
    // What lies below e^-700 is 0 (functions/exp.cpp).
    const auto* range = std::get_if<RealRange>(&t.range);
    const double cut_off = range && range->lo.value < -699.0 ? 1e-303 : 0.0;
    return {cut_off, (of_argument + library_rounding) * outward};
  }

  const PrivateColumns& columns_;
};

}  // namespace

double RoundingError::over(const Range& range) const { return absolute + times(relative, magnitudes(range).most); }

RoundingError rounding_error(const Expr& expr, const PrivateColumns& columns) { return Errors(columns).of(expr); }

bool rounds_little(const Expr& expr, const PrivateColumns& columns) {
  if (expr.type.kind != TypeKind::real) return true;
  return rounding_error(expr, columns).over(expr.range) <= most_share * magnitudes(expr.range).most;
}

}  // namespace tacit
