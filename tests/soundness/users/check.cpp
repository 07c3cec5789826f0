#include "soundness/users/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "mechanism/users/over_all.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit::soundness::users {
namespace {

using Difference = Group;  // nothing where all cells are 0

Difference difference(const Group& all, const Group& without) {
  Difference moved = all;
  for (const auto& [place, cells] : without) {
    auto& row = moved.try_emplace(place, cells.size(), Int128{0}).first->second;
    for (std::size_t i = 0; i < cells.size(); ++i) row[i] -= cells[i];
  }
  std::erase_if(moved, [](const auto& entry) {
    return std::ranges::all_of(entry.second, [](Int128 cell) { return cell == 0; });
  });
  return moved;
}

std::map<std::vector<std::string>, Difference> differences(const Cells& all, const Cells& without) {
  std::map<std::vector<std::string>, Difference> moved;
  const Group none;
  for (const auto& [key, group] : all) {
    const auto found = without.find(key);
    moved[key] = difference(group, found == without.end() ? none : found->second);
  }
  for (const auto& [key, group] : without)
    if (!all.contains(key)) moved[key] = difference(none, group);
  std::erase_if(moved, [](const auto& entry) { return entry.second.empty(); });
  return moved;
}

Int128 smaller(Int128 a, Int128 b) { return a < b ? a : b; }
Int128 larger(Int128 a, Int128 b) { return a < b ? b : a; }

std::optional<std::string> outside(const char* what, Int128 value, Int128 lo, Int128 hi) {
  if (value >= lo && value <= hi) return std::nullopt;
  return fmt::format("{} moves by {}, which is not from {} to {}", what, to_string(value), to_string(lo),
                     to_string(hi));
}

bool has_squares(const UserAggregate& aggregate) { return has_cell(*aggregate.statistic, UserCell::squares); }

// What one person may do to the cells of one aggregate: say nothing, or one value from lo to hi.
std::optional<std::string> wrong_cells(const UserAggregate& aggregate, const Int128* cells) {
  const auto [lo, hi] = *aggregate.bounds;
  if (!has_cell(*aggregate.statistic, UserCell::users))
    return outside("the sum", cells[0], smaller(0, lo), larger(0, hi));
  if (auto wrong = outside("the number of values", cells[0], 0, 1)) return wrong;
  if (auto wrong = outside("the sum", cells[1], cells[0] * lo, cells[0] * hi)) return wrong;
  if (has_squares(aggregate) && cells[2] != cells[1] * cells[1]) return "the sum of squares moves by no square";
  return std::nullopt;
}

std::optional<std::string> wrong_bin(const UserAggregate& aggregate, int bin, const std::vector<Int128>& cells) {
  if (aggregate.statistic->bins() == UserBins::of_leaves) {
    return bin >= 0 && bin < quantile_leaves ? std::nullopt : std::optional(fmt::format("there is no leaf {}", bin));
  }
  const Int128 edge = magnitude_edge(bin);
  const Int128 lo = larger(smaller(0, edge), aggregate.value.least);
  const Int128 hi = smaller(larger(0, edge), aggregate.value.most);
  if (auto wrong = outside("the sum of a bin", cells[1], cells[0] * lo, cells[0] * hi)) return wrong;
  if (has_squares(aggregate) && cells[2] != cells[1] * cells[1]) return "the sum of squares moves by no square";
  return std::nullopt;
}

std::optional<std::string> wrong_bins(const UserAggregate& aggregate, int part, const Difference& moved) {
  Int128 values = 0;
  for (const auto& [place, cells] : moved) {
    if (place.part != part) continue;
    if (aggregate.statistic->bins() == UserBins::of_kept_values) {
      if (place.bin != 0) return "a distinct count has one bin";
      return outside("the number of different values", cells[0], 0, aggregate.bounds->hi);
    }
    if (auto wrong = outside("a bin's number of people", cells[0], 0, 1)) return wrong;
    if (auto wrong = wrong_bin(aggregate, place.bin, cells)) return wrong;
    values += cells[0];
  }
  return outside("the number of people in all bins", values, 0, 1);
}

std::optional<std::string> wrong_group(const UsersAnalysis& analysis, const Difference& moved, bool counts_people) {
  const UsersCells layout = users_cells(analysis);
  const auto found = moved.find({0, 0});
  const std::vector<Int128> none(layout.cells, 0);
  const auto& cells = found == moved.end() ? none : found->second;
  if (counts_people && cells[0] != 1) return fmt::format("{} people leave the group", to_string(cells[0]));
  for (std::size_t i = 0; i < analysis.aggregates.size(); ++i) {
    const auto& aggregate = analysis.aggregates[i];
    if (aggregate.over_all) continue;
    const auto wrong = has_bins(aggregate) ? wrong_bins(aggregate, static_cast<int>(i) + 1, moved)
                                           : wrong_cells(aggregate, &cells.at(layout.first_cell[i]));
    if (wrong) return fmt::format("aggregate {}: {}", i + 1, *wrong);
  }
  return std::nullopt;
}

// Statements leave part 0 out where nobody reads it.
bool has_part_zero(const Cells& cells) {
  return std::ranges::any_of(cells, [](const auto& entry) { return entry.second.contains({0, 0}); });
}

// All levels up to this one as one.
Cells up_to(const Cells& cells, int level) {
  Cells merged;
  for (const auto& [key, group] : cells) {
    for (const auto& [place, numbers] : group) {
      if (place.level > level) continue;
      auto& sum = merged[key].try_emplace({place.part, place.bin, 0}, numbers.size(), Int128{0}).first->second;
      for (std::size_t i = 0; i < numbers.size(); ++i) sum[i] += numbers[i];
    }
  }
  return merged;
}

Cells only(const Cells& cells, const auto& wanted) {
  Cells kept;
  for (const auto& [key, group] : cells) {
    for (const auto& [place, numbers] : group) {
      if (wanted(key, place)) kept[key][place] = numbers;
    }
  }
  return kept;
}

Int128 magnitude(Int128 number) { return number < 0 ? -number : number; }

// The same in l2, whether or not a plan tries it: the length of what is added, and that of the shares.
std::optional<std::string> wrong_lengths(int part, const Cells& all, const Cells& without) {
  std::optional<int> bin;
  Int128 people = 0;
  double squares = 0.0;
  double shares = 0.0;
  const auto square = [](Int128 number) { return static_cast<double>(number) * static_cast<double>(number); };
  for (const auto& [key, difference] : differences(all, without)) {
    for (const auto& [place, cells] : difference) {
      if (place.part != part) continue;
      if (bin && *bin != place.bin) return "one person is in two bins of lengths";
      bin = place.bin;
      people += cells[0];
      squares += square(cells[1]);
      shares += square(cells[2]);
    }
  }
  if (!bin) return std::nullopt;
  if (auto wrong = outside("the number of people with a length", people, 0, 1)) return wrong;
  constexpr double rounding = 1.0 + 0x1p-20;
  if (std::sqrt(shares) > spread_shares * rounding) return "the shares of a length are longer than it";
  const OverAllBound bound = euclidean_bound(std::max(*bin, 1));
  const double most = static_cast<double>(bound.most) / static_cast<double>(bound.per_step);
  if (std::sqrt(squares) > (*bin == 0 ? 0.0 : most * rounding)) return "what one person adds is longer than its bin";
  return std::nullopt;
}

// A person is in one bin, once; what they add in all groups is within it, and the shares of it are not more than all.
std::optional<std::string> wrong_over_all(const UserAggregate& aggregate, int part, const Cells& all,
                                          const Cells& without) {
  std::optional<int> bin;
  Int128 people = 0;
  Int128 sum = 0;
  Int128 shares = 0;
  for (const auto& [key, difference] : differences(all, without)) {
    for (const auto& [place, cells] : difference) {
      if (place.part != part) continue;
      if (bin && *bin != place.bin) return "one person is in two bins over all groups";
      bin = place.bin;
      if (auto wrong = outside("a group's value", cells[1], smaller(0, aggregate.value.least),
                               larger(0, aggregate.value.most))) {
        return wrong;
      }
      people += cells[0];
      sum += magnitude(cells[1]);
      shares += magnitude(cells[2]);
    }
  }
  if (!bin) return std::nullopt;
  if (auto wrong = outside("the number of people over all groups", people, 0, 1)) return wrong;
  if (auto wrong = outside("the shares over all groups", shares, 0, spread_shares)) return wrong;
  const bool stated = aggregate.most_over_all.has_value();
  if (stated && *bin != 1) return std::nullopt;
  return outside("the sum over all groups", sum, 0, stated ? *aggregate.most_over_all : spread_edge(*bin));
}

// One person has a first group, a second one, ... up to some number.
std::optional<std::string> wrong_places(const Cells& all, const Cells& without) {
  const auto moved = differences(all, without);
  const auto found = moved.find({places_key});
  if (found == moved.end()) return std::nullopt;
  int expected = 1;
  for (const auto& [place, cells] : found->second) {
    if (place.bin != expected++ || cells[0] != 1) return "one person has places that do not follow each other";
  }
  return std::nullopt;
}

std::optional<std::string> wrong_level(const UsersAnalysis& analysis, int level, const Cells& all,
                                       const Cells& without) {
  const auto counted = [&](const std::vector<std::string>& key, const Place& place) {
    if (key == std::vector<std::string>{places_key}) return false;
    if (static_cast<std::size_t>(place.part) > analysis.aggregates.size()) return false;
    return place.part == 0 || !analysis.aggregates.at(static_cast<std::size_t>(place.part) - 1).over_all;
  };
  const Cells of_all = up_to(only(all, counted), level);
  const Cells of_others = up_to(only(without, counted), level);
  const bool counts_people = has_part_zero(of_all) || has_part_zero(of_others);
  const auto moved = differences(of_all, of_others);
  for (const auto& [key, difference] : moved) {
    if (auto wrong = wrong_group(analysis, difference, counts_people))
      return fmt::format("group ({}): {}", fmt::join(key, ", "), *wrong);
  }
  if (moved.size() > static_cast<std::size_t>(level))
    return fmt::format("one person moves {} groups, the plan says {}", moved.size(), level);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_violation(const UsersAnalysis& analysis, const Cells& all, const Cells& without) {
  std::vector<int> levels{analysis.groups_per_user};
  if (analysis.infers_groups) levels = group_levels(analysis.groups_per_user);
  for (const int level : levels) {
    if (auto wrong = wrong_level(analysis, level, all, without)) return wrong;
  }
  for (std::size_t i = 0; i < analysis.aggregates.size(); ++i) {
    if (!analysis.aggregates[i].over_all) continue;
    if (auto wrong = wrong_over_all(analysis.aggregates[i], static_cast<int>(i) + 1, all, without)) {
      return fmt::format("aggregate {}: {}", i + 1, *wrong);
    }
    const auto lengths = static_cast<int>(analysis.aggregates.size() + 2 + i);
    if (auto wrong = wrong_lengths(lengths, all, without)) return fmt::format("aggregate {}: {}", i + 1, *wrong);
  }
  return wrong_places(all, without);
}

int groups_moved(const Cells& all, const Cells& without) { return static_cast<int>(differences(all, without).size()); }

}  // namespace tacit::soundness::users
