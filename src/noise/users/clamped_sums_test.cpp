#include "noise/users/clamped_sums.hpp"

#include <gtest/gtest.h>

#include <random>

#include "noise/users/people_testing.hpp"

namespace tacit {
namespace {

// Values of every size, many of them at the edges of bins.
Int128 some_value(std::mt19937_64& generator, Int128 limit) {
  std::uniform_int_distribution<int> exponent(0, 29);
  const Int128 power = Int128{1} << exponent(generator);
  const Int128 near = power + static_cast<Int128>(generator() % 5) - 2;
  const Int128 any = static_cast<Int128>(generator() % static_cast<std::uint64_t>(2 * power));
  const Int128 value = std::min(generator() % 3 == 0 ? near : any, limit);
  return generator() % 2 == 0 ? value : -value;
}

TEST(ClampedSums, EveryValueIsWithinItsBinAndTheNextOne) {
  std::mt19937_64 generator(1);
  UserValue value;
  value.least = -(Int128{1} << 60);
  value.most = Int128{1} << 60;
  for (int i = 0; i < 100'000; ++i) {
    const Int128 x = some_value(generator, value.most) * (i % 3 == 0 ? Int128{1} << 29 : Int128{1});
    const int bin = magnitude_bin(x);
    for (const int chosen : {bin, x == 0 ? 0 : bin + (x > 0 ? 1 : -1)}) {
      const UserBounds own = values_of_bin(chosen, value);
      ASSERT_LE(own.lo, x);
      ASSERT_GE(own.hi, x);
    }
  }
}

// Removing one person moves the numbers that get noise by at most what part_sensitivities says, for bounds of any kind.
TEST(ClampedSums, OnePersonMovesTheNumbersWithinTheirSensitivity) {
  std::mt19937_64 generator(2);
  const UserBounds limits{-(Int128{1} << 29), Int128{1} << 29};
  UsersAnalysis analysis;
  analysis.aggregates.push_back(user_aggregate(variance_statistic(), std::nullopt, limits));
  const UserValue& value = analysis.aggregates[0].value;
  const GroupList group{{}};
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Person> people;
    for (int i = 0; i < 6; ++i) people.push_back({{{"", {some_value(generator, limits.hi)}}}});
    Int128 lo = some_value(generator, limits.hi);
    Int128 hi = some_value(generator, limits.hi);
    if (lo > hi) std::swap(lo, hi);
    const UserBounds bounds{lo, hi};
    const auto numbers = [&] {
      const ExactRows rows = rows_of_people(people, analysis, false);
      const ClampedSums sums = clamped_sums(user_groups(rows, analysis, &group)[0].bins[0], value, bounds);
      const Int128 twice = lo + hi;
      const Int128 squares = 4 * sums.squares - 4 * twice * sums.sum + sums.users * twice * twice;
      return std::vector<Int128>{
          sums.sum,   sums.sum - sums.users * lo,        sums.users * hi - sums.sum,
          sums.users, 2 * sums.sum - sums.users * twice, 2 * squares - sums.users * (hi - lo) * (hi - lo)};
    };
    const auto with = numbers();
    people.pop_back();
    const auto without = numbers();
    std::vector<Int128> moved;
    for (std::size_t i = 0; i < with.size(); ++i) {
      moved.push_back(with[i] > without[i] ? with[i] - without[i] : without[i] - with[i]);
    }
    ASSERT_LE(moved[0], total_statistic().part_sensitivities(bounds)[0]);
    ASSERT_LE(moved[1] + moved[2], mean_statistic().part_sensitivities(bounds)[0]);
    const auto variance = variance_statistic().part_sensitivities(bounds);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_LE(moved[3 + i], variance[i]);
  }
}

TEST(ClampedSums, BinsWithinTheBoundsKeepTheirSum) {
  UserValue value;
  value.least = 0;
  value.most = 1000;
  const Bins bins{{0, 3, 0, 0}, {5, 2, 7, 25}, {15, 1, 120, 14'400}};
  const ClampedSums all = clamped_sums(bins, value, {0, 1000});
  EXPECT_EQ(all.users, 6);
  EXPECT_EQ(all.sum, 127);
  EXPECT_EQ(all.squares, 14'425);
  const ClampedSums cut = clamped_sums(bins, value, {0, 10});
  EXPECT_EQ(cut.sum, 17);
  EXPECT_EQ(cut.squares, 125);
  const ClampedSums high = clamped_sums(bins, value, {50, 1000});
  EXPECT_EQ(high.sum, 250 + 120);
}

}  // namespace
}  // namespace tacit
