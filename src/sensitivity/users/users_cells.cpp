#include "sensitivity/users/users_cells.hpp"

#include <algorithm>
#include <cmath>

namespace tacit {
namespace {

std::size_t cells_of_part(const UserAggregate& aggregate) {
  constexpr std::size_t over_all_cells = 3;
  return aggregate.over_all ? over_all_cells : bin_cells(*aggregate.statistic).size();
}

}  // namespace

bool has_bins(const UserAggregate& aggregate) {
  return !aggregate.bounds || aggregate.statistic->bins() != UserBins::of_magnitudes;
}

std::vector<UserCell> bin_cells(const UserStatistic& statistic) {
  if (statistic.bins() != UserBins::of_magnitudes) return {UserCell::users};
  if (has_cell(statistic, UserCell::squares)) return {UserCell::users, UserCell::sum, UserCell::squares};
  return {UserCell::users, UserCell::sum};
}

UsersCells users_cells(const UsersAnalysis& analysis) {
  UsersCells layout;
  std::size_t widest = 1;
  for (const UserAggregate& aggregate : analysis.aggregates) {
    if (has_bins(aggregate)) {
      layout.first_cell.push_back(0);
      widest = std::max(widest, cells_of_part(aggregate));
      continue;
    }
    layout.first_cell.push_back(layout.cells);
    layout.cells += aggregate.statistic->cells().size();
  }
  layout.cells = std::max(layout.cells, widest);
  return layout;
}

bool comes_first(const ListedKeys& listed) {
  if (listed.keys.size() != 1 || listed.rows.empty() || listed.rows.size() > longest_first_list) return false;
  return std::ranges::none_of(listed.rows, [](const auto& row) { return std::holds_alternative<Null>(row.front()); });
}

int magnitude_bin(Int128 value) {
  if (value == 0) return 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  const int bin = 1 + static_cast<int>(std::ceil(2.0 * std::log2(magnitude)));
  return value < 0 ? -bin : bin;
}

int spread_bin(Int128 sum) {
  return sum == 0 ? 0 : 1 + static_cast<int>(std::ceil(spread_bins_per_octave * std::log2(static_cast<double>(sum))));
}

Int128 spread_edge(int bin) {
  return bin == 0 ? 0
                  : static_cast<Int128>(
                        std::floor(std::exp2(static_cast<double>(bin - 1) / spread_bins_per_octave) * (1.0 + 0x1p-20)));
}

std::vector<int> group_levels(int most) {
  std::vector<int> levels;
  for (int power = 1; power < most; power *= 2) {
    levels.push_back(power);
    if (power > 1 && power * 3 / 2 < most) levels.push_back(power * 3 / 2);
  }
  levels.push_back(most);
  return levels;
}

Int128 magnitude_edge(int bin) {
  if (bin == 0) return 0;
  const double edge = std::floor(std::exp2(0.5 * (std::abs(bin) - 1)) * (1.0 + 0x1p-30));
  return static_cast<Int128>(edge) * (bin < 0 ? -1 : 1);
}

}  // namespace tacit
