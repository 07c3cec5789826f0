#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// One ORDER BY item with its column's value for every group.
struct SortColumn {
  std::vector<Value> values;
  bool descending = false;
  bool nulls_first = false;
};

// The groups an answer shows, in its order: sorted by the columns (first one first, ties in the given order), then
// OFFSET and LIMIT.
std::vector<std::size_t> arrange_groups(std::size_t group_count, const std::vector<SortColumn>& columns,
                                        std::size_t offset, std::optional<std::size_t> limit);

// Why intervals of rows that LIMIT or OFFSET chose by a noisy value are about the noise alone: what comes out first
// came out high. Empty where nothing is cut that way.
std::string cut_by_noisy_value(const TypedQuery& query);

}  // namespace tacit
