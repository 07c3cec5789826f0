#include "sql/functions/cast_real.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/print_cast.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

// A double of magnitude below 10^38, at the scale, rounded to nearest.
Decimal decimal_of(double value, int scale) {
  const auto parsed = parse_decimal(fmt::format("{:.{}f}", value, scale));
  TACIT_CHECK(parsed.has_value(), "a double below 10^(38 - scale) is a decimal");
  return *parsed;
}

// What rounding in the engine may add: it multiplies by 10^scale in doubles (relative error 2^-52), then rounds.
Decimal rounding_error(const Decimal& value) {
  const Int128 magnitude = value.units < 0 ? -value.units : value.units;
  return {(magnitude >> 50) + 1, value.scale};
}

ExactRange decimal_range(const RealRange& range, const SqlType& target) {
  const Decimal lo = decimal_of(range.lo.value, target.scale);
  const Decimal hi = decimal_of(range.hi.value, target.scale);
  const auto lower = subtract(lo, rounding_error(lo));
  const auto upper = add(hi, rounding_error(hi));
  TACIT_CHECK(lower && upper, "the ends of a decimal's range fit 128 bits");
  const ExactRange widened{{*lower, range.lo.stated}, {*upper, range.hi.stated}};
  return intersect(widened, std::get<ExactRange>(type_range(target)));
}

void print_decimal(const Expr& call, ExpressionPrinter& printer) {
  printer.dialect().print_real_to_decimal(call, printer);
}

}  // namespace

Result<ExprPtr> real_to_integer(ExprPtr value, const SqlType& target, int position) {
  // Half to even: hi + 0.5 rounds up, out of the type. DuckDB refuses everything below lo, also what rounds to it.
  const auto limits = std::get<ExactRange>(type_range(target));
  const bool halves_exist = target.bits < 53;
  const double lo = to_double(limits.lo.value);
  const double past = to_double(limits.hi.value) + (halves_exist ? 0.5 : 0.0);
  const double hi = std::nextafter(past, -std::numeric_limits<double>::infinity());
  ExprPtr inside = null_outside(std::move(value), RealRange{{lo, false}, {hi, false}});
  const RealRange& range = real_range(*inside);
  // Above 2^53 doubles are whole numbers and print exactly.
  const ExactRange rounded{{decimal_of(std::nearbyint(range.lo.value), 0), range.lo.stated},
                           {decimal_of(std::nearbyint(range.hi.value), 0), range.hi.stated}};
  const ExactRange exact = intersect(rounded, limits);
  return make_call(real_to_integer_rule, {std::move(inside)}, target, exact, position);
}

Result<ExprPtr> real_to_decimal(ExprPtr value, const SqlType& target, int position) {
  // Stays clear of the last representable number by more than the engine's rounding error.
  const double limit = std::pow(10.0, target.precision - target.scale);
  const double inside_limit = (limit - std::pow(10.0, -target.scale)) * (1.0 - 0x1p-48);
  ExprPtr inside = null_outside(std::move(value), RealRange{{-inside_limit, false}, {inside_limit, false}});
  const ExactRange range = decimal_range(real_range(*inside), target);
  return make_call(real_to_decimal_rule, {std::move(inside)}, target, range, position);
}

const FunctionRule real_to_integer_rule{"double to integer", {Nulls::propagated, Meaning::other}, nullptr, print_cast};
const FunctionRule real_to_decimal_rule{
    "double to decimal", {Nulls::propagated, Meaning::other}, nullptr, print_decimal, Callable::internally, 7};

}  // namespace tacit
