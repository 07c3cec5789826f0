#include "noise/users/user_groups.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <unordered_map>

#include "base/check.hpp"
#include "noise/exact_rows_reader.hpp"
#include "noise/value_order.hpp"

namespace tacit {
namespace {

struct KeyHash {
  std::size_t operator()(const std::vector<Value>& keys) const { return hash_group(keys); }
};
struct SameKey {
  bool operator()(const std::vector<Value>& a, const std::vector<Value>& b) const { return same_group(a, b); }
};
using GroupIndex = std::unordered_map<std::vector<Value>, std::size_t, KeyHash, SameKey>;

bool key_less(const UserGroup& a, const UserGroup& b) {
  for (std::size_t i = 0; i < a.keys.size(); ++i) {
    const auto compared = compare_values(a.keys[i], b.keys[i]);
    if (compared != 0) return compared < 0;
  }
  return false;
}

int whole_number(const Value& value) {
  const auto* number = std::get_if<Decimal>(&value);
  TACIT_CHECK(number != nullptr, "parts and bins are integers");
  const auto whole = rescale_down(*number, 0);
  TACIT_CHECK(whole && whole->units >= -quantile_leaves && whole->units <= quantile_leaves,
              "parts and bins are small integers");
  return static_cast<int>(whole->units);
}

UserGroup empty_group(std::size_t cells, std::size_t aggregates, std::vector<Value> keys) {
  return {std::move(keys), std::vector<Int128>(cells, 0), std::vector<Bins>(aggregates), std::vector<Bins>(aggregates)};
}

void add_cells(std::vector<Int128>& sum, std::span<const Int128> cells) {
  std::ranges::transform(cells, sum, sum.begin(), std::plus<>());
}

void merge_bins(Bins& bins) {
  std::ranges::sort(bins, {}, &BinCells::bin);
  Bins merged;
  for (const BinCells& next : bins) {
    if (merged.empty() || merged.back().bin != next.bin) {
      merged.push_back(next);
      continue;
    }
    merged.back().users += next.users;
    merged.back().sum += next.sum;
    merged.back().squares += next.squares;
  }
  bins = std::move(merged);
}

void add_row(UserGroup& group, int part, int bin, std::span<const Int128> cells) {
  if (part == 0) {
    add_cells(group.cells, cells);
    return;
  }
  const auto cell = [&](std::size_t i) { return i < cells.size() ? cells[i] : Int128{0}; };
  const auto own = static_cast<std::size_t>(part) - 1;
  const std::size_t aggregates = group.bins.size();
  Bins& bins = own < aggregates ? group.bins[own] : group.lengths.at(own - aggregates - 1);
  bins.push_back({bin, cell(0), cell(1), cell(2)});
}

}  // namespace

UserGroup sum_of_groups(const std::vector<UserGroup>& groups, const std::vector<bool>& in_sum,
                        const UsersAnalysis& analysis, std::size_t keys) {
  UserGroup sum =
      empty_group(users_cells(analysis).cells, analysis.aggregates.size(), std::vector<Value>(keys, Null{}));
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (!in_sum[group]) continue;
    add_cells(sum.cells, groups[group].cells);
    for (std::size_t i = 0; i < sum.bins.size(); ++i) {
      const Bins& bins = groups[group].bins[i];
      sum.bins[i].insert(sum.bins[i].end(), bins.begin(), bins.end());
    }
  }
  for (Bins& bins : sum.bins) merge_bins(bins);
  return sum;
}

std::vector<Int128> users_by_place(const ExactRows& exact, const UsersAnalysis& analysis) {
  const ExactRowsReader reader(exact);
  std::vector<Int128> users;
  for (std::size_t row = 0; row < reader.row_count(); ++row) {
    const auto keys = reader.keys(row);
    if (whole_number(keys[keys.size() - 3]) != static_cast<int>(analysis.aggregates.size()) + 1) continue;
    const int place = whole_number(keys.back());
    TACIT_CHECK(place >= 1 && place <= most_tried_groups, "places are within what is tried");
    users.resize(std::max(users.size(), static_cast<std::size_t>(place)), 0);
    users[static_cast<std::size_t>(place) - 1] += reader.cells(row).front();
  }
  return users;
}

std::vector<UserGroup> user_groups(const ExactRows& exact, const UsersAnalysis& analysis, const GroupList* listed,
                                   int most_level) {
  const ExactRowsReader reader(exact);
  const std::size_t columns = reader.key_columns();
  const std::size_t cells = users_cells(analysis).cells;
  const std::size_t aggregates = analysis.aggregates.size();
  TACIT_CHECK(columns >= 3 && reader.cell_columns() == cells, "engine rows have a part, a level, a bin and every cell");
  std::vector<UserGroup> groups;
  GroupIndex index;
  if (listed != nullptr) {
    for (const auto& keys : *listed) {
      TACIT_CHECK(keys.size() + 3 == columns, "a group has one value for each key");
      TACIT_CHECK(index.emplace(keys, groups.size()).second, "no group is listed twice");
      groups.push_back(empty_group(cells, aggregates, keys));
    }
  }
  for (std::size_t row = 0; row < reader.row_count(); ++row) {
    const auto keys = reader.keys(row);
    const int part = whole_number(keys[columns - 3]);
    TACIT_CHECK(part >= 0 && static_cast<std::size_t>(part) <= 2 * aggregates + 1, "a part is an aggregate's");
    const bool of_places = static_cast<std::size_t>(part) == aggregates + 1;
    if (of_places || whole_number(keys[columns - 2]) > most_level) continue;
    std::vector<Value> group(keys.begin(), keys.end() - 3);
    auto found = index.find(group);
    if (found == index.end()) {
      if (listed != nullptr) continue;
      std::ranges::transform(group, group.begin(), group_name);
      found = index.emplace(group, groups.size()).first;
      groups.push_back(empty_group(cells, aggregates, std::move(group)));
    }
    add_row(groups[found->second], part, whole_number(keys[columns - 1]), reader.cells(row));
  }
  for (UserGroup& group : groups) {
    for (Bins& bins : group.bins) merge_bins(bins);
    for (Bins& bins : group.lengths) merge_bins(bins);
  }
  if (listed == nullptr) std::ranges::sort(groups, key_less);
  return groups;
}

}  // namespace tacit
