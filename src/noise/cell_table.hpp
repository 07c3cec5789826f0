#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/int128.hpp"
#include "engine/exact_rows.hpp"
#include "noise/noisy_rows.hpp"

namespace tacit {

// One row of cells a reported group, in the order of the groups. Exact until noise was added to every cell: it never
// leaves noise/.
class CellTable {
 public:
  CellTable(std::size_t groups, std::size_t columns) : columns_(columns), cells_(groups * columns, 0) {}
  std::span<Int128> row(std::size_t group) { return std::span(cells_).subspan(group * columns_, columns_); }
  std::span<const Int128> row(std::size_t group) const { return std::span(cells_).subspan(group * columns_, columns_); }

 private:
  std::size_t columns_;
  std::vector<Int128> cells_;
};

// The engine's rows matched to the groups by key (value_order.hpp): a group without a row has zeros, a row without a
// group is dropped. Rows whose keys read the same here although the engine tells them apart (infinite dates read as
// NULL) are added up: each private row is still in one group. Two groups with the same key are a broken invariant.
CellTable cells_of_groups(const ExactRows& exact, const GroupList& groups);

}  // namespace tacit
