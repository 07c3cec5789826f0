#include "sensitivity/metric/derivative/grid_set.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tacit::testing {
namespace {

constexpr int reach = 12;

bool contains(const GridSet& set, Int128 n) {
  for (const auto& interval : set.intervals()) {
    if ((!interval.lo || *interval.lo <= n) && (!interval.hi || n <= *interval.hi)) return true;
  }
  return false;
}

GridSet random_set(std::mt19937_64& random, int depth) {
  const auto point = [&] { return static_cast<Int128>(random() % (2 * reach + 1)) - reach; };
  switch (random() % (depth == 0 ? 4 : 7)) {
    case 0: return GridSet::at_most(point());
    case 1: return GridSet::at_least(point());
    case 2: return GridSet::only(point());
    case 3: return random() % 2 == 0 ? GridSet::all() : GridSet::none();
    case 4: return random_set(random, depth - 1).complement();
    case 5: return random_set(random, depth - 1).united(random_set(random, depth - 1));
    default: return random_set(random, depth - 1).intersected(random_set(random, depth - 1));
  }
}

// Ascending, apart by at least one point that is not in the set, infinite at the outermost ends only.
void expect_in_order(const GridSet& set) {
  const auto& intervals = set.intervals();
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (intervals[i].lo && intervals[i].hi) {
      EXPECT_LE(*intervals[i].lo, *intervals[i].hi);
    }
    if (i == 0) continue;
    ASSERT_TRUE(intervals[i - 1].hi && intervals[i].lo);
    EXPECT_GT(*intervals[i].lo, *intervals[i - 1].hi + 1);
  }
}

TEST(GridSet, OperationsSayForEveryPointWhatLogicSays) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const GridSet a = random_set(random, 4);
    const GridSet b = random_set(random, 4);
    expect_in_order(a);
    expect_in_order(a.united(b));
    expect_in_order(a.intersected(b));
    for (int n = -reach - 3; n <= reach + 3; ++n) {
      EXPECT_EQ(contains(a.complement(), n), !contains(a, n));
      EXPECT_EQ(contains(a.united(b), n), contains(a, n) || contains(b, n));
      EXPECT_EQ(contains(a.intersected(b), n), contains(a, n) && contains(b, n));
    }
  }
}

TEST(GridSet, EqualSetsAreEqualHoweverTheyWereMade) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const GridSet a = random_set(random, 3);
    EXPECT_EQ(a.complement().complement(), a);
    EXPECT_EQ(a.united(a.complement()), GridSet::all());
    EXPECT_EQ(a.intersected(a.complement()), GridSet::none());
  }
  EXPECT_EQ(GridSet::at_most(3).united(GridSet::at_least(4)), GridSet::all());
  EXPECT_TRUE(GridSet::at_most(3).united(GridSet::at_least(4)).is_all());
}

TEST(GridSet, AnIndexIsRoundedInTheNamedDirection) {
  const auto below = [](const char* value, const char* step) {
    return index_below(*parse_decimal(value), *parse_decimal(step));
  };
  const auto above = [](const char* value, const char* step) {
    return index_above(*parse_decimal(value), *parse_decimal(step));
  };
  EXPECT_EQ(below("6.4", "1"), 6);
  EXPECT_EQ(above("6.4", "1"), 7);
  EXPECT_EQ(below("-6.4", "1"), -7);
  EXPECT_EQ(above("-6.4", "1"), -6);
  EXPECT_EQ(below("0.07", "0.01"), 7);
  EXPECT_EQ(above("0.07", "0.01"), 7);
  EXPECT_EQ(below("-0.3", "0.05"), -6);
  EXPECT_EQ(above("0", "0.05"), 0);
}

TEST(GridSet, AnIndexThatIsTooLargeIsNone) {
  EXPECT_EQ(index_below(*parse_decimal("1e31"), Decimal{1, 0}), std::nullopt);
  EXPECT_EQ(index_above(*parse_decimal("-1e31"), Decimal{1, 0}), std::nullopt);
  EXPECT_EQ(index_below(*parse_decimal("1e29"), *parse_decimal("0.001")), std::nullopt);
  EXPECT_EQ(index_below(Decimal{1, 0}, Decimal{0, 0}), std::nullopt);
}

TEST(GridSet, UnionOfManyIsTheUnionOfEach) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    GridSet one_by_one = GridSet::none();
    std::vector<GridSet::Interval> all;
    for (int n = 0; n < 6; ++n) {
      const GridSet more = random_set(random, 2);
      one_by_one = one_by_one.united(more);
      all.insert(all.end(), more.intervals().begin(), more.intervals().end());
    }
    EXPECT_EQ(GridSet::union_of(all), one_by_one);
  }
}

}  // namespace
}  // namespace tacit::testing
