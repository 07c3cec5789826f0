#include "sensitivity/metric/derivative/affine.hpp"

#include <algorithm>
#include <cmath>

#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

constexpr double one_rounding = 0x1p-52;  // of an operation, or of reading a number as a double: with room

// A number and how far it may be off.
struct Near {
  double value = 0.0;
  double error = 0.0;
};

Near rounded(double value, double error) { return {value, error + std::fabs(value) * one_rounding}; }

std::optional<Near> literal_value_of(const Literal& literal) {
  if (const auto* decimal = std::get_if<Decimal>(&literal.value)) return rounded(to_double(*decimal), 0.0);
  if (const auto* real = std::get_if<double>(&literal.value)) return Near{*real, 0.0};
  return std::nullopt;
}

// Clamping moves no two numbers apart; its ends may be off by one rounding.
Near clamped_to(const Range& range, const Near& x) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return rounded(std::clamp(x.value, to_double(exact->lo.value), to_double(exact->hi.value)), x.error);
  }
  if (const auto* real = std::get_if<RealRange>(&range)) {
    return {std::clamp(x.value, real->lo.value, real->hi.value), x.error};
  }
  return x;
}

bool is_constant(const Expr& expr) { return columns_read(expr).empty(); }

std::optional<Near> near_value(const Expr& expr, const Column& column, double x);

// With one constant side a sum, difference or product stays monotone.
std::optional<Near> of_pair(const Call& call, const Near& a, const Column& column, double x) {
  if (!is_constant(*call.args[0]) && !is_constant(*call.args[1])) return std::nullopt;
  const std::optional<Near> b = near_value(*call.args[1], column, x);
  if (!b) return std::nullopt;
  switch (call.rule->traits.meaning) {
    case Meaning::sum: return rounded(a.value + b->value, a.error + b->error);
    case Meaning::difference: return rounded(a.value - b->value, a.error + b->error);
    case Meaning::product:
      return rounded(a.value * b->value,
                     std::fabs(a.value) * b->error + std::fabs(b->value) * a.error + a.error * b->error);
    default: return std::nullopt;
  }
}

std::optional<Near> near_value(const Expr& expr, const Column& column, double x) {
  count_work();
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) {
    if (ref->column.get() != &column || !expr.type.is_number()) return std::nullopt;
    return rounded(x, std::fabs(x) * one_rounding);  // a grid point is a rounded product
  }
  if (const auto* literal = std::get_if<Literal>(&expr.node)) return literal_value_of(*literal);
  const auto& call = std::get<Call>(expr.node);
  if (call.args.empty()) return std::nullopt;
  const std::optional<Near> a = near_value(*call.args[0], column, x);
  if (!a) return std::nullopt;
  switch (call.rule->traits.meaning) {
    case Meaning::same_value: return a;
    case Meaning::nearest_double: return rounded(a->value, a->error);
    case Meaning::negative: return Near{-a->value, a->error};
    case Meaning::nearest_inside: return clamped_to(expr.range, *a);
    default: return call.args.size() == 2 ? of_pair(call, *a, column, x) : std::nullopt;
  }
}

}  // namespace

std::optional<double> monotone_value(const Expr& expr, const Column& column, double x) {
  const std::optional<Near> near = near_value(expr, column, x);
  if (!near) return std::nullopt;
  return near->value < 0.0 ? near->value - near->error : near->value + near->error;
}

}  // namespace tacit
