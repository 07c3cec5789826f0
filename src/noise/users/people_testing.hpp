#pragma once

// For tests: people and what they say, and the rows that an engine returns for them.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/exact_rows.hpp"
#include "mechanism/users/users_plan.hpp"
#include "sensitivity/contribution/users_cells.hpp"

namespace tacit {

using Said = std::vector<std::optional<Int128>>;  // one per aggregate; nothing: NULL
struct Person {
  std::map<std::string, Said> groups;
};

inline UserAggregate user_aggregate(UserStatistic statistic, std::optional<UserBounds> bounds,
                                    UserBounds limits = {-(Int128{1} << 29), Int128{1} << 29}) {
  UserAggregate aggregate;
  aggregate.statistic = statistic;
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

// The rows of sensitivity/contribution/users_cells.hpp. One key; `keys` false: none, every group is the same.
inline ExactRows rows_of_people(const std::vector<Person>& people, const UsersAnalysis& analysis, bool keys = true) {
  const UsersCells layout = users_cells(analysis);
  using Row = std::vector<Int128>;
  std::map<std::tuple<std::string, int, int>, Row> rows;
  const auto row = [&](const std::string& group, int part, int bin) -> Row& {
    return rows.try_emplace({keys ? group : "", part, bin}, Row(layout.cells, 0)).first->second;
  };
  for (const Person& person : people) {
    for (const auto& [group, said] : person.groups) {
      row(group, 0, 0)[0] += 1;
      for (std::size_t i = 0; i < analysis.aggregates.size(); ++i) {
        const UserAggregate& aggregate = analysis.aggregates[i];
        if (!said[i]) continue;
        Int128 value = std::clamp(*said[i], aggregate.value.least, aggregate.value.most);
        if (aggregate.bounds) value = std::clamp(value, aggregate.bounds->lo, aggregate.bounds->hi);
        const int part = static_cast<int>(i) + 1;
        if (aggregate.statistic == UserStatistic::quantile) {
          row(group, part, leaf_of(value, *aggregate.bounds))[0] += 1;
        } else if (aggregate.statistic == UserStatistic::distinct) {
          row(group, part, 0)[0] += value;
        } else if (!aggregate.bounds) {
          Row& cells = row(group, part, magnitude_bin(value));
          const std::vector<Int128> added{1, value, value * value};
          for (std::size_t j = 0; j < std::min(cells.size(), added.size()); ++j) cells[j] += added[j];
        } else {
          Row& cells = row(group, 0, 0);
          std::size_t at = layout.first_cell[i];
          if (aggregate.statistic != UserStatistic::total) cells[at++] += 1;
          cells[at++] += value;
          const bool squares =
              aggregate.statistic == UserStatistic::variance || aggregate.statistic == UserStatistic::deviation;
          if (squares) cells[at] += value * value;
        }
      }
    }
  }
  ExactRows::Builder builder(keys ? 3 : 2, layout.cells);
  for (const auto& [place, cells] : rows) {
    const auto& [group, part, bin] = place;
    if (keys) builder.add_key(group);
    builder.add_key(Decimal{part, 0});
    builder.add_key(Decimal{bin, 0});
    for (const Int128 cell : cells) builder.add_cell(cell);
  }
  return builder.finish();
}

}  // namespace tacit
