#pragma once

// For tests: people and what they say, and the rows that an engine returns for them.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/exact_rows.hpp"
#include "mechanism/users/users_plan.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {

using Said = std::vector<std::optional<Int128>>;  // one per aggregate; nothing: NULL
struct Person {
  std::map<std::string, Said> groups;
};

inline UserAggregate user_aggregate(const UserStatistic& statistic, std::optional<UserBounds> bounds,
                                    UserBounds limits = {-(Int128{1} << 29), Int128{1} << 29}) {
  UserAggregate aggregate;
  aggregate.statistic = &statistic;
  aggregate.value.kind = UserValue::Kind::total;
  aggregate.value.least = limits.lo;
  aggregate.value.most = limits.hi;
  aggregate.bounds = bounds;
  return aggregate;
}

inline int leaf_of(Int128 value, const UserBounds& bounds) {
  if (bounds.hi == bounds.lo) return 0;
  const Int128 leaf = (value - bounds.lo) * quantile_leaves / (bounds.hi - bounds.lo);
  return static_cast<int>(std::min<Int128>(leaf, quantile_leaves - 1));
}

inline Int128 said_in_all(const Person& person, std::size_t index, const UserAggregate& aggregate) {
  Int128 sum = 0;
  for (const auto& [group, said] : person.groups) {
    if (!said[index]) continue;
    const Int128 value = std::clamp(*said[index], aggregate.value.least, aggregate.value.most);
    sum += value < 0 ? -value : value;
  }
  return sum;
}

inline double length_in_all(const Person& person, std::size_t index, const UserAggregate& aggregate) {
  double squares = 0.0;
  for (const auto& [group, said] : person.groups) {
    if (!said[index]) continue;
    const auto value = static_cast<double>(std::clamp(*said[index], aggregate.value.least, aggregate.value.most));
    squares += value * value;
  }
  return std::sqrt(squares);
}

// The rows of sensitivity/users/users_cells.hpp. One key; `keys` false: none, every group is the same.
inline ExactRows rows_of_people(const std::vector<Person>& people, const UsersAnalysis& analysis, bool keys = true,
                                bool lengths = false) {
  const UsersCells layout = users_cells(analysis);
  using Row = std::vector<Int128>;
  std::map<std::tuple<std::string, int, int, int>, Row> rows;
  int level = 0;
  const auto row = [&](const std::string& group, int part, int bin, bool levelled = true) -> Row& {
    const int own = levelled ? level : 0;
    return rows.try_emplace({keys ? group : "", part, own, bin}, Row(layout.cells, 0)).first->second;
  };
  const std::vector<int> levels = group_levels(analysis.groups_per_user);
  for (const Person& person : people) {
    std::vector<Int128> sums;
    std::vector<double> in_l2;
    for (std::size_t i = 0; i < analysis.aggregates.size(); ++i) {
      const UserAggregate& aggregate = analysis.aggregates[i];
      sums.push_back(aggregate.over_all ? said_in_all(person, i, aggregate) : 0);
      in_l2.push_back(aggregate.over_all && lengths ? length_in_all(person, i, aggregate) : 0.0);
    }
    int place = 0;
    for (const auto& [group, said] : person.groups) {
      ++place;
      for (std::size_t i = 0; i < analysis.aggregates.size(); ++i) {
        const UserAggregate& aggregate = analysis.aggregates[i];
        if (!aggregate.over_all || !said[i]) continue;
        const Int128 value = std::clamp(*said[i], aggregate.value.least, aggregate.value.most);
        const Int128 sum = sums[i];
        const int bin = !aggregate.most_over_all ? spread_bin(sum) : sum <= *aggregate.most_over_all ? 1 : 2;
        Row& cells = row(group, static_cast<int>(i) + 1, bin, false);
        cells[0] += place == 1 ? 1 : 0;
        cells[1] += value;
        cells[2] += sum == 0 ? 0 : value * spread_shares / sum;
        if (!lengths) continue;
        const double length = in_l2[i];
        const int of_length =
            length == 0.0 ? 0 : 1 + static_cast<int>(std::ceil(spread_bins_per_octave * std::log2(length)));
        Row& others = row(group, static_cast<int>(analysis.aggregates.size() + 2 + i), of_length, false);
        others[0] += place == 1 ? 1 : 0;
        others[1] += value;
        others[2] +=
            length == 0.0 ? 0 : static_cast<Int128>(std::trunc(static_cast<double>(value) / length * spread_shares));
      }
      if (analysis.infers_groups) {
        if (place > analysis.groups_per_user) continue;
        level = *std::ranges::lower_bound(levels, place);
        row("", static_cast<int>(analysis.aggregates.size()) + 1, place, false)[0] += 1;
      }
      row(group, 0, 0)[0] += 1;
      for (std::size_t i = 0; i < analysis.aggregates.size(); ++i) {
        const UserAggregate& aggregate = analysis.aggregates[i];
        if (!said[i] || aggregate.over_all) continue;
        Int128 value = std::clamp(*said[i], aggregate.value.least, aggregate.value.most);
        if (aggregate.bounds) value = std::clamp(value, aggregate.bounds->lo, aggregate.bounds->hi);
        const int part = static_cast<int>(i) + 1;
        if (aggregate.statistic->bins() == UserBins::of_leaves) {
          row(group, part, leaf_of(value, *aggregate.bounds))[0] += 1;
        } else if (aggregate.statistic->bins() == UserBins::of_kept_values) {
          row(group, part, 0)[0] += value;
        } else if (!aggregate.bounds) {
          Row& cells = row(group, part, magnitude_bin(value));
          const std::vector<Int128> added{1, value, value * value};
          for (std::size_t j = 0; j < std::min(cells.size(), added.size()); ++j) cells[j] += added[j];
        } else {
          Row& cells = row(group, 0, 0);
          std::size_t at = layout.first_cell[i];
          for (const UserCell cell : aggregate.statistic->cells()) {
            cells[at++] += cell == UserCell::users ? 1 : cell == UserCell::sum ? value : value * value;
          }
        }
      }
    }
  }
  ExactRows::Builder builder(keys ? 4 : 3, layout.cells);
  for (const auto& [place, cells] : rows) {
    const auto& [group, part, own_level, bin] = place;
    if (keys) builder.add_key(group);
    builder.add_key(Decimal{part, 0});
    builder.add_key(Decimal{own_level, 0});
    builder.add_key(Decimal{bin, 0});
    for (const Int128 cell : cells) builder.add_cell(cell);
  }
  return builder.finish();
}

}  // namespace tacit
