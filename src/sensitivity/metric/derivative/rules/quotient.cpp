#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

// The stated distance of a range from zero.
std::optional<double> away_from_zero(const Range& range) {
  const auto lo = stated_lower_end(range);
  if (lo && *lo > 0.0) return *lo;
  const auto hi = stated_upper_end(range);
  if (hi && *hi < 0.0) return -*hi;
  return std::nullopt;
}

// The least magnitude of a denominator that is not 0: of its range, or of the digits of an exact number.
double least_not_zero(const Expr& expr) {
  if (const auto* real = std::get_if<RealRange>(&expr.range)) {
    if (real->lo.value > 0.0) return real->lo.value;
    if (real->hi.value < 0.0) return -real->hi.value;
  }
  const Call* call = call_meaning(expr, Meaning::nearest_double);
  if (!call) return 0.0;
  const SqlType& exact = call->args[0]->type;
  return 0.5 * std::pow(10.0, exact.kind == TypeKind::decimal ? -exact.scale : 0);
}

// Where a quotient could exceed 1e100 SQL gives NULL: whether it does must not depend on a private cell.
bool never_too_large(const Expr& a, const Expr& b) {
  const double least = least_not_zero(b);
  return least > 0.0 && std::max(largest_magnitude(a.range), 1.0) / least < 1e99;
}

}  // namespace

double largest_magnitude(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return std::max(std::fabs(to_double(exact->lo.value)), std::fabs(to_double(exact->hi.value)));
  }
  const auto* real = std::get_if<RealRange>(&range);
  return real ? std::max(std::fabs(real->lo.value), std::fabs(real->hi.value)) : 0.0;
}

std::optional<double> stated_lower_end(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range); exact && exact->lo.stated) return to_double(exact->lo.value);
  if (const auto* real = std::get_if<RealRange>(&range); real && real->lo.stated) return real->lo.value;
  return std::nullopt;
}

std::optional<double> stated_upper_end(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range); exact && exact->hi.stated) return to_double(exact->hi.value);
  if (const auto* real = std::get_if<RealRange>(&range); real && real->hi.stated) return real->hi.value;
  return std::nullopt;
}

Result<RowFunction> derive_quotient(const ExprPtr& call, const Differentiator& differentiator) {
  const auto& args = std::get<Call>(call->node).args;
  if (call->type.kind != TypeKind::real) return refuse_not_continuous(*call, differentiator.columns());
  TACIT_TRY(RowFunction a, differentiator.derive(args[0]));
  if (!never_too_large(*args[0], *args[1])) {
    return refuse("nothing keeps the denominator away from zero, or the quotient below 1e100",
                  "ask the owner to declare a min above 0, or write LEAST(GREATEST(x, 1), 100)", args[1]->position);
  }
  if (differentiator.is_public(*args[1])) {
    TACIT_TRY(ExprPtr inverse, bind_call("/", {make_literal(1.0, SqlType::real(), 0), args[1]}, call->position));
    RowFunction f = multiplied(std::move(a), {public_bound(std::move(inverse)), {}, {"public", "1 / denominator", {}}});
    f.derivation.rule = "quotient by a public number";
    return f;
  }
  const auto least = away_from_zero(args[1]->range);
  if (!least) {
    return refuse("the denominator is private and no stated bound keeps it away from zero",
                  "ask the owner to declare a min above 0, or write LEAST(GREATEST(x, 1), 100)", args[1]->position);
  }
  TACIT_TRY(const RowFunction b, differentiator.derive(args[1]));
  // |1/b| <= 1/least and |d(1/b)| <= |d b| / least^2.
  const double most = (1.0 + 1e-12) / *least;
  RowFunction inverse{constant_bound(most), {}, {"reciprocal", "", {b.derivation}}};
  inverse.derivation.bound = fmt::format("the denominator is at least {} from zero", *least);
  chain_slopes(b, scaled(most, constant_bound(most)), inverse);
  RowFunction f = multiplied(std::move(a), std::move(inverse));
  f.derivation.rule = "quotient";
  return f;
}

bool numerator_keeps_zero(const Expr& /*call*/, std::size_t argument) { return argument == 0; }

RoundingError rounding_of_quotient(const Expr& call, std::span<const RoundingError> of_args) {
  const auto& args = std::get<Call>(call.node).args;
  const auto& [a, b] = std::pair(of_args[0], of_args[1]);
  const double least = magnitudes(args[1]->range).least;
  const double relative = (a.relative + b.relative + unit_rounding) * rounding_slack;
  if (a.absolute == 0.0 && b.absolute == 0.0) return {0.0, relative};
  // An error of half the denominator tells nothing of the quotient.
  if (least == 0.0 || b.over(args[1]->range) > least / 2.0) return RoundingError::unknown();
  const double of_denominator = finite_product(b.absolute, magnitudes(args[0]->range).most / least);
  return {2.0 * (a.absolute + of_denominator) / least * rounding_slack, relative};
}

}  // namespace tacit
