#include "mechanism/users/magnitude_histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

TEST(MagnitudeHistogram, ABinThatStandsOutAloneIsFoundExactly) {
  std::vector<double> noisy(60, 0.0);
  noisy[20] = 500.0;
  noisy[24] = 90.0;
  const auto found = standing_out(noisy, 80.0, 0, 21);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 20);
  EXPECT_EQ(found->last, 24) << "no window reaches beyond the bins that hold values";
}

TEST(MagnitudeHistogram, ValuesSpreadOverManyBinsStandOutTogether) {
  std::vector<double> noisy(60, 0.0);
  for (std::size_t bin = 10; bin < 34; ++bin) noisy[bin] = 45.0;
  const auto found = standing_out(noisy, 80.0, 0, 21);
  ASSERT_TRUE(found);
  EXPECT_LE(found->first, 13);
  EXPECT_GE(found->first, 8);
  EXPECT_GE(found->last, 30);
  EXPECT_LE(found->last, 36);
}

TEST(MagnitudeHistogram, NothingStandsOutOfNothing) {
  EXPECT_FALSE(standing_out(std::vector<double>(60, 0.0), 80.0, 0, 21));
  EXPECT_FALSE(standing_out(std::vector<double>(60, 3.0), 80.0, 0, 21));
}

// A false alarm at 2^29 would drown the answer in noise; it has to be as rare as everywhere else where there are many.
TEST(MagnitudeHistogram, FewValuesMustStandOutMoreWhereTheyAreLarge) {
  const double scale = 10.0;
  const double strict = scale * window_threshold(120, bounds_confidence, 1);
  const double lenient = scale * window_threshold(120, 0.999, 1);
  const auto least_found = [&](std::size_t bin, int first_bin) {
    for (double count = 0.0;; count += 0.5) {
      std::vector<double> noisy(120, 0.0);
      noisy[bin] = count;
      if (standing_out(noisy, strict, first_bin, 21)) return count;
    }
  };
  EXPECT_NEAR(least_found(3, 0), lenient, 0.6);
  EXPECT_NEAR(least_found(21, 0), lenient, 0.6);
  EXPECT_NEAR(least_found(31, 0), lenient + scale * std::log(32.0), 3.0);
  EXPECT_NEAR(least_found(80, 0), strict, 0.6);
  EXPECT_NEAR(least_found(62, -59), lenient, 0.6) << "3";
  EXPECT_NEAR(least_found(0, -80), strict, 0.6) << "far below 0";
  double last = 0.0;
  for (std::size_t bin = 0; bin < 120; bin += 3) {
    EXPECT_GE(least_found(bin, 0), last);
    last = least_found(bin, 0);
  }
}

TEST(MagnitudeHistogram, SmallValuesAreSmallInTheirOwnUnits) {
  UserValue value;
  const auto bin = [&](Grid grid) {
    value.grid = grid;
    return last_small_bin(value);
  };
  EXPECT_EQ(bin({Grid::Base::decimal, 0}), magnitude_bin(1024));
  EXPECT_EQ(bin({Grid::Base::decimal, 2}), magnitude_bin(102'400));
  EXPECT_EQ(bin({Grid::Base::binary, 20}), magnitude_bin(Int128{1024} << 20));
  EXPECT_EQ(bin({Grid::Base::binary, -4}), magnitude_bin(64));
}

TEST(MagnitudeHistogram, AWindowOfManyBinsNeedsLessOfEach) {
  const double alone = window_threshold(60, 0.98, 1);
  double last = alone;
  for (const int width : {2, 4, 8}) {
    const double together = window_threshold(60, 0.98, width);
    EXPECT_GT(together, last);
    EXPECT_LT(together / width, alone * 0.8);
    last = together;
  }
}

}  // namespace
}  // namespace tacit
