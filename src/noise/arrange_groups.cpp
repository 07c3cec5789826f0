#include "noise/arrange_groups.hpp"

#include <algorithm>
#include <numeric>

#include "noise/value_order.hpp"

namespace tacit {
namespace {

// Where NULLs go does not depend on the direction.
std::weak_ordering compare_in(const SortColumn& column, std::size_t a, std::size_t b) {
  const Value& left = column.values[a];
  const Value& right = column.values[b];
  const bool left_null = std::holds_alternative<Null>(left);
  const bool right_null = std::holds_alternative<Null>(right);
  if (left_null && right_null) return std::weak_ordering::equivalent;
  if (left_null || right_null) {
    return left_null == column.nulls_first ? std::weak_ordering::less : std::weak_ordering::greater;
  }
  return column.descending ? compare_values(right, left) : compare_values(left, right);
}

}  // namespace

std::vector<std::size_t> arrange_groups(std::size_t group_count, const std::vector<SortColumn>& columns,
                                        std::size_t offset, std::optional<std::size_t> limit) {
  std::vector<std::size_t> order(group_count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!columns.empty()) {
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      for (const SortColumn& column : columns) {
        if (const auto compared = compare_in(column, a, b); std::is_neq(compared)) return std::is_lt(compared);
      }
      return false;
    });
  }
  const std::size_t skipped = std::min(offset, order.size());
  order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(skipped));
  if (limit && *limit < order.size()) order.resize(*limit);
  return order;
}

std::string cut_by_noisy_value(const TypedQuery& query) {
  const bool by_noise = std::ranges::any_of(query.order_by, [&](const SortItem& item) {
    return query.outputs.at(item.output).kind == OutputColumn::Kind::aggregate;
  });
  if (!by_noise || query.keys.empty() || (!query.limit && query.offset == 0)) return "";
  return "and the rows were chosen by their noisy values";
}

}  // namespace tacit
