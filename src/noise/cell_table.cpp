#include "noise/cell_table.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "base/check.hpp"
#include "noise/exact_rows_reader.hpp"
#include "noise/value_order.hpp"

namespace tacit {
namespace {

// Groups by key, in one flat table with linear probing: a look-up costs about one cache miss, where a map of nodes
// costs several and would take half the time of a large answer.
class GroupIndex {
 public:
  GroupIndex(const GroupList& groups, std::size_t key_columns)
      : groups_(groups), slots_(std::bit_ceil(groups.size() * 2 + 1)) {
    for (std::size_t group = 0; group < groups.size(); ++group) {
      TACIT_CHECK(groups[group].size() == key_columns, "a group has one value for each key");
      const std::size_t hash = hash_group(groups[group]);
      Slot& slot = slot_of(hash, groups[group]);
      TACIT_CHECK(slot.group == none, "no group is listed twice");
      slot = {hash, group};
    }
  }

  // The group's place in the list; nothing when it is not there.
  std::optional<std::size_t> find(std::span<const Value> key) {
    const Slot& slot = slot_of(hash_group(key), key);
    return slot.group == none ? std::nullopt : std::optional(slot.group);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Slot {
    std::size_t hash = 0;
    std::size_t group = none;
  };

  // Where the key is, or where it would go: more than half of the slots stay empty, so the search ends.
  Slot& slot_of(std::size_t hash, std::span<const Value> key) {
    for (std::size_t at = hash;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.group == none || (slot.hash == hash && same_group(groups_[slot.group], key))) return slot;
    }
  }

  const GroupList& groups_;
  std::vector<Slot> slots_;
};

}  // namespace

CellTable cells_of_groups(const ExactRows& exact, const GroupList& groups) {
  const ExactRowsReader reader(exact);
  GroupIndex index(groups, reader.key_columns());
  CellTable table(groups.size(), reader.cell_columns());
  for (std::size_t row = 0; row < reader.row_count(); ++row) {
    const auto found = index.find(reader.keys(row));
    if (!found) continue;
    std::ranges::transform(reader.cells(row), table.row(*found), table.row(*found).begin(), std::plus<>());
  }
  return table;
}

}  // namespace tacit
