#include "bench/relative_errors.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tacit {
namespace {

TEST(RelativeErrors, GiveQuantilesToAThousandth) {
  const auto errors = std::make_unique<RelativeErrors>();
  for (int i = 1; i <= 1000; ++i) errors->add(100.0 + i, 100.0);
  EXPECT_EQ(errors->count(), 1000);
  EXPECT_NEAR(errors->median(), 5.0, 0.005);
  EXPECT_NEAR(errors->quantile(0.95), 9.5, 0.0095);
  EXPECT_DOUBLE_EQ(errors->mean(), 5.005);
}

TEST(RelativeErrors, KnowNothingWhereTheExactValueIsZero) {
  const auto errors = std::make_unique<RelativeErrors>();
  errors->add(3.0, 0.0);
  EXPECT_EQ(errors->count(), 0);
}

TEST(RelativeErrors, AreZeroForRightAnswersAndLargeForWildOnes) {
  const auto errors = std::make_unique<RelativeErrors>();
  errors->add(7.0, 7.0);
  EXPECT_EQ(errors->median(), 0.0);
  errors->add(-1e200, 1.0);
  EXPECT_GT(errors->quantile(1.0), 1e12);
}

}  // namespace
}  // namespace tacit
