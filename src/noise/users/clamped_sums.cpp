#include "noise/users/clamped_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tacit {
namespace {

// A value in bin b > 0 belongs to bin b or b - 1, so it is above 2^((b-3)/2), and at least 1.
Int128 least_magnitude(int bin) {
  return std::max(Int128{1}, static_cast<Int128>(std::floor(std::exp2(0.5 * (bin - 3)) * (1.0 - 0x1p-30))));
}

UserBounds unlimited_values_of_bin(int bin) {
  if (bin == 0) return {0, 0};
  const UserBounds positive{least_magnitude(std::abs(bin)), magnitude_edge(std::abs(bin))};
  return bin > 0 ? positive : UserBounds{-positive.hi, -positive.lo};
}

}  // namespace

UserBounds values_of_bin(int bin, const UserValue& value) {
  const UserBounds any = unlimited_values_of_bin(bin);
  return {std::clamp(any.lo, value.least, value.most), std::clamp(any.hi, value.least, value.most)};
}

bool is_clipped(int bin, const UserValue& value, const UserBounds& bounds) {
  const UserBounds own = values_of_bin(bin, value);
  return own.lo < bounds.lo || own.hi > bounds.hi;
}

ClampedSums clamped_sums(const Bins& bins, const UserValue& value, const UserBounds& bounds) {
  ClampedSums sums;
  for (const BinCells& bin : bins) {
    sums.users += bin.users;
    if (!is_clipped(bin.bin, value, bounds)) {
      sums.sum += bin.sum;
      sums.squares += bin.squares;
      continue;
    }
    const Int128 moved = values_of_bin(bin.bin, value).hi > bounds.hi ? bounds.hi : bounds.lo;
    sums.sum += bin.users * moved;
    sums.squares += bin.users * moved * moved;
  }
  return sums;
}

ClampedSums sums_of(const UserGroup& group, const UserColumnPlan& plan, const UserBounds& bounds) {
  if (plan.first_cell == 0) return clamped_sums(group.bins[plan.index], plan.aggregate.value, bounds);
  ClampedSums sums;
  std::size_t next = plan.first_cell;
  for (const UserCell cell : plan.aggregate.statistic->cells()) {
    const Int128 number = group.cells[next++];
    switch (cell) {
      case UserCell::users: sums.users = number; break;
      case UserCell::sum: sums.sum = number; break;
      case UserCell::squares: sums.squares = number; break;
    }
  }
  return sums;
}

}  // namespace tacit
