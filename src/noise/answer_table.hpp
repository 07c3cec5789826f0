#pragma once

#include <memory>
#include <vector>

#include "noise/cell_table.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/release.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// A column of the answer: a key's value, or what `release` makes of the cells.
struct AnswerColumn {
  std::size_t key = 0;
  std::unique_ptr<const Release> release;

  Value value(std::size_t group, const GroupList& groups, const CellTable& table) const;
  NoisyCell cell(std::size_t group, const GroupList& groups, const CellTable& table) const;
};

// Why intervals are about the noise alone where the query states bounds.
inline constexpr const char* values_are_moved = "values beyond the bounds written in the query are moved to them";

// Each engine cell belongs to exactly one aggregate, so that each gets noise once. `owned`: the cells of the plan.
void check_cells(const std::vector<std::size_t>& owned, std::size_t cell_columns);

// The groups in the order and the number that the query asks for, each with its columns. Reads released values alone,
// except for the owner's view.
NoisyRows present(const TypedQuery& query, const GroupList& groups, const CellTable& table,
                  const std::vector<AnswerColumn>& columns);

}  // namespace tacit
