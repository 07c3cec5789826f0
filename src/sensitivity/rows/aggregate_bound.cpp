#include "sensitivity/rows/aggregate_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

constexpr int real_grid_bits = 40;

// "visit.cost, visit.age": the columns without bounds that keep the argument from having any.
std::string unbounded_columns(const Expr& argument) {
  std::string names;
  for (const auto& column : columns_read(argument)) {
    const bool bounded = std::visit(
        [](const auto& range) {
          if constexpr (requires { range.stated(); })
            return range.stated();
          else
            return false;
        },
        column->declared);
    if (bounded || !column->type.is_number()) continue;
    if (!names.empty()) names += ", ";
    names += column->table_column.empty() ? column->name : column->table_column;
  }
  return names;
}

tl::unexpected<Failure> unbounded(const Aggregate& aggregate) {
  const std::string columns = unbounded_columns(*aggregate.argument);
  return refuse(fmt::format("{} needs bounds on what one row can contribute{}", name_of(aggregate.kind),
                            columns.empty() ? "" : "; none are declared for " + columns),
                fmt::format("declare min and max for the column in the policy, or write ANON_{}(x, low, high)",
                            name_of(aggregate.kind)),
                aggregate.position);
}

// The argument's range in units of its grid, rounded outward.
Result<RowsAggregate> contribution(const Aggregate& aggregate) {
  RowsAggregate result;
  const Expr& argument = *aggregate.argument;
  if (const auto* exact = std::get_if<ExactRange>(&argument.range)) {
    if (!exact->stated()) return unbounded(aggregate);
    const int scale = argument.type.kind == TypeKind::decimal ? argument.type.scale : 0;
    const auto lo = rescale_down(exact->lo.value, scale);
    const auto hi = rescale_up(exact->hi.value, scale);
    const Int128 limit = power_of_ten(18);
    if (scale > 18 || !lo || !hi || lo->units <= -limit || hi->units >= limit) {
      return refuse(fmt::format("the bounds of this {} are too wide to be summed exactly", name_of(aggregate.kind)),
                    "18 digits in all must hold the bounds: declare narrower ones, or CAST to fewer decimal places",
                    aggregate.position);
    }
    result.grid = {Grid::Base::decimal, scale};
    result.lo = lo->units;
    result.hi = hi->units;
    return result;
  }
  const auto* real = std::get_if<RealRange>(&argument.range);
  TACIT_CHECK(real, "the argument of SUM and AVG is a number");
  if (!real->stated()) return unbounded(aggregate);
  result.grid = real_grid(real->lo.value, real->hi.value);
  result.lo = static_cast<Int128>(std::floor(std::ldexp(real->lo.value, result.grid.exponent)));
  result.hi = static_cast<Int128>(std::ceil(std::ldexp(real->hi.value, result.grid.exponent)));
  return result;
}

std::string in_answer_units(Int128 units, const Grid& grid) {
  if (grid.base == Grid::Base::decimal) return to_string(Decimal{units, grid.exponent});
  return to_string(std::ldexp(static_cast<double>(units), -grid.exponent));
}

}  // namespace

Grid real_grid(double lo, double hi) {
  const double farther = std::max(std::fabs(lo), std::fabs(hi));
  if (farther == 0.0) return {Grid::Base::binary, 0};
  // Within what a double can scale by; bounds as extreme as that lose precision, not soundness.
  return {Grid::Base::binary, std::clamp(real_grid_bits - (std::ilogb(farther) + 1), -1000, 1000)};
}

Result<BoundedAggregate> bound_aggregate(const Aggregate& aggregate, RowNeighbour neighbour, bool grouped,
                                         long long times) {
  const RowsStatistic& statistic = rows_statistic_of(aggregate.kind);
  BoundedAggregate bounded;
  if (statistic.adds_values()) {
    TACIT_TRY(bounded.aggregate, contribution(aggregate));
  } else {
    bounded.aggregate.hi = 1;
  }
  auto& result = bounded.aggregate;
  // A sum that cannot change still gets one grid step of sensitivity: "constant" is never decided by arithmetic.
  result.l1_sensitivity = times * std::max<Int128>(1, statistic.l1_sensitivity(result, neighbour, grouped));
  bounded.derivation = {
      fmt::format("bound of {}", name_of(aggregate.kind)),
      fmt::format("l1 sensitivity over all groups {} ({})", in_answer_units(result.l1_sensitivity, result.grid),
                  neighbour == RowNeighbour::replace ? "replace" : "add-remove"),
      {}};
  if (statistic.adds_values()) {
    bounded.derivation.children.push_back(
        {"range of the argument",
         fmt::format("one {} contributes between {} and {}", times == 1 ? "row" : "joined row",
                     in_answer_units(result.lo, result.grid), in_answer_units(result.hi, result.grid)),
         {}});
  }
  return bounded;
}

}  // namespace tacit
