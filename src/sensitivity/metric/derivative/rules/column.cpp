#include <fmt/format.h>

#include <algorithm>

#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {
namespace {

RowFunction bounded(double slope, double magnitude, const Column& column, std::string bound) {
  return {constant_bound(magnitude), {{{&column, constant_bound(slope)}}}, {"column", std::move(bound), {}}};
}

tl::unexpected<Failure> needs_bounds(const Expr& expr, const Column& column, std::string_view why) {
  return refuse(
      fmt::format("{} {}, so its declared bounds are needed here and there are none", column.table_column, why),
      "ask the owner to declare min and max of the column in the policy", expr.position);
}

// A bare column, or a column clamped to its declared bounds.
Result<RowFunction> derive_with_range(const ExprPtr& expr, const Column& column, const Differentiator& differentiator) {
  const PrivateColumn& cell = differentiator.columns().at(&column);
  const double magnitude = stated_magnitude(expr->range);
  const bool is_bounded = magnitude < std::numeric_limits<double>::infinity();
  switch (cell.use) {
    case MetricColumn::Use::plain: {
      // A stored double may be NaN or infinite: computations read it clamped to declared bounds, or not at all.
      if (expr->type.kind == TypeKind::real && std::holds_alternative<ColumnRef>(expr->node)) {
        return needs_bounds(*expr, column, "is a column of doubles");
      }
      RowFunction f{nullptr, {{{&column, constant_bound(1.0)}}}, {"column", "slope 1 in " + column.table_column, {}}};
      f.value = lipschitz_value(expr, f.pieces, differentiator.columns());
      if (!f.value) f.value = constant_bound(largest_magnitude(expr->range));  // dates and timestamps
      return f;
    }
    case MetricColumn::Use::logarithm: {
      const auto lo = stated_lower_end(expr->range);
      if (!is_bounded || !lo || *lo <= 0.0) return needs_bounds(*expr, column, "is measured by its logarithm");
      return bounded(magnitude, magnitude, column, fmt::format("x = e^y: slope at most {} in ln", magnitude));
    }
    case MetricColumn::Use::discrete: {
      if (!is_bounded) return needs_bounds(*expr, column, "is measured as equal or not");
      const double spread =
          std::max(*stated_upper_end(expr->range), 0.0) - std::min(*stated_lower_end(expr->range), 0.0);
      return bounded(spread, magnitude, column, fmt::format("any two values differ by at most {}", spread));
    }
  }
  return refuse_not_continuous(*expr, differentiator.columns());
}

}  // namespace

Result<RowFunction> derive_column(const ExprPtr& expr, const Differentiator& differentiator) {
  const ExprPtr& inner = std::holds_alternative<Call>(expr->node) ? std::get<Call>(expr->node).args[0] : expr;
  return derive_with_range(expr, *std::get<ColumnRef>(inner->node).column, differentiator);
}

}  // namespace tacit
