#include "noise/cell_table.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "base/check.hpp"
#include "noise/exact_rows_reader.hpp"
#include "noise/value_order.hpp"

namespace tacit {
namespace {

struct GroupHash {
  std::size_t operator()(std::span<const Value> row) const { return hash_group(row); }
};
struct GroupEqual {
  bool operator()(std::span<const Value> a, std::span<const Value> b) const { return same_group(a, b); }
};
using GroupIndex = std::unordered_map<std::span<const Value>, std::size_t, GroupHash, GroupEqual>;

GroupIndex index_of(const GroupList& groups, std::size_t key_columns) {
  GroupIndex index;
  index.reserve(groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    TACIT_CHECK(groups[group].size() == key_columns, "a group has one value for each key");
    const bool is_new = index.emplace(groups[group], group).second;
    TACIT_CHECK(is_new, "no group is listed twice");
  }
  return index;
}

}  // namespace

CellTable cells_of_groups(const ExactRows& exact, const GroupList& groups) {
  const ExactRowsReader reader(exact);
  const GroupIndex index = index_of(groups, reader.key_columns());
  CellTable table(groups.size(), reader.cell_columns());
  for (std::size_t row = 0; row < reader.row_count(); ++row) {
    const auto found = index.find(reader.keys(row));
    if (found == index.end()) continue;
    std::ranges::transform(reader.cells(row), table.row(found->second), table.row(found->second).begin(),
                           std::plus<>());
  }
  return table;
}

}  // namespace tacit
