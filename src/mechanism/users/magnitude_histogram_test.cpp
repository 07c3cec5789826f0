#include "mechanism/users/magnitude_histogram.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(MagnitudeHistogram, ABinThatStandsOutAloneIsFoundExactly) {
  std::vector<double> noisy(60, 0.0);
  noisy[20] = 500.0;
  noisy[24] = 90.0;
  const auto found = standing_out(noisy, 80.0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 20);
  EXPECT_EQ(found->last, 24) << "no window reaches beyond the bins that hold values";
}

TEST(MagnitudeHistogram, ValuesSpreadOverManyBinsStandOutTogether) {
  std::vector<double> noisy(60, 0.0);
  for (std::size_t bin = 10; bin < 34; ++bin) noisy[bin] = 45.0;
  const auto found = standing_out(noisy, 80.0);
  ASSERT_TRUE(found);
  EXPECT_LE(found->first, 13);
  EXPECT_GE(found->first, 8);
  EXPECT_GE(found->last, 30);
  EXPECT_LE(found->last, 36);
}

TEST(MagnitudeHistogram, NothingStandsOutOfNothing) {
  EXPECT_FALSE(standing_out(std::vector<double>(60, 0.0), 80.0));
  EXPECT_FALSE(standing_out(std::vector<double>(60, 3.0), 80.0));
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
