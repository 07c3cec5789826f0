#include "policy/read/column_facts.hpp"

#include <fmt/format.h>

#include <set>

#include "policy/fit_value.hpp"
#include "policy/toml/complaints.hpp"

namespace tacit {
namespace {

std::optional<double> number_in(const std::optional<Value>& value) {
  if (!value) return std::nullopt;
  if (const auto* exact = std::get_if<Decimal>(&*value)) return to_double(*exact);
  if (const auto* real = std::get_if<double>(&*value)) return *real;
  return std::nullopt;
}

}  // namespace

std::optional<double> least_useful_precision(const ColumnPolicy& column) {
  const auto lo = number_in(column.min);
  const auto hi = number_in(column.max);
  if (!column.precision || !lo || !hi || !(*lo < *hi)) return std::nullopt;
  return 4.0 / (*hi - *lo);
}

std::optional<ColumnConflict> find_conflict(const ColumnPolicy& column) {
  if (column.min && column.max) {
    const auto order = compare_bounds(*column.min, *column.max);
    if (!order) {
      return ColumnConflict{"min", "min and max are of different kinds", "write two numbers or two dates"};
    }
    if (*order > 0) {
      return ColumnConflict{"min",
                            fmt::format("min = {} is above max = {}", to_string(*column.min), to_string(*column.max)),
                            "exchange them"};
    }
  }
  std::set<Value, ValueLess> seen;
  for (const auto& value : column.values) {
    if (!seen.insert(value).second) {
      return ColumnConflict{"values", fmt::format("{} occurs twice", shown(to_string(value))), "list each value once"};
    }
  }
  for (const auto& value : column.values) {
    const auto below = column.min ? compare_bounds(value, *column.min) : std::nullopt;
    const auto above = column.max ? compare_bounds(value, *column.max) : std::nullopt;
    if ((below && *below < 0) || (above && *above > 0)) {
      return ColumnConflict{"values", fmt::format("{} is outside min and max", shown(to_string(value))),
                            "correct the bounds or the list: they contradict each other"};
    }
  }
  if (column.step && column.precision) {
    return ColumnConflict{"precision", "the column has a step too, and conditions on it are either ramps or soft",
                          "keep step where values are whole steps apart, precision where they are not"};
  }
  return std::nullopt;
}

}  // namespace tacit
