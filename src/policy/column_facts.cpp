#include "policy/column_facts.hpp"

#include <fmt/format.h>

#include <set>

#include "policy/complaints.hpp"
#include "policy/fit_value.hpp"

namespace tacit {

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
  return std::nullopt;
}

}  // namespace tacit
