#include "noise/answer_table.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "noise/arrange_groups.hpp"

namespace tacit {

Value AnswerColumn::value(std::size_t group, const GroupList& groups, const CellTable& table) const {
  return release ? release->value(table.row(group)) : groups[group].at(key);
}

NoisyCell AnswerColumn::cell(std::size_t group, const GroupList& groups, const CellTable& table) const {
  NoisyCell result{value(group, groups, table), std::nullopt};
  if (release) result.interval95 = release->interval95(table.row(group));
  return result;
}

void check_cells(const std::vector<std::size_t>& owned, std::size_t cell_columns) {
  std::vector<int> owners(cell_columns, 0);
  for (const std::size_t cell : owned) {
    TACIT_CHECK(cell < cell_columns, "the engine returned every cell of the plan");
    ++owners[cell];
  }
  TACIT_CHECK(std::ranges::all_of(owners, [](int count) { return count == 1; }),
              "an engine cell belongs to one aggregate");
}

NoisyRows present(const TypedQuery& query, const GroupList& groups, const CellTable& table,
                  const std::vector<AnswerColumn>& columns) {
  NoisyRows answer;
  std::vector<SortColumn> sort_columns;
  for (const SortItem& item : query.order_by) {
    SortColumn sort{{}, item.descending, item.nulls_first};
    sort.values.reserve(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
      sort.values.push_back(columns.at(item.output).value(group, groups, table));
    }
    sort_columns.push_back(std::move(sort));
  }

  const auto shown = arrange_groups(groups.size(), sort_columns, query.offset, query.limit);
  answer.rows.reserve(shown.size());
  for (const std::size_t group : shown) {
    auto& row = answer.rows.emplace_back();
    row.reserve(columns.size());
    for (const AnswerColumn& column : columns) row.push_back(column.cell(group, groups, table));
  }
  return answer;
}

}  // namespace tacit
