#include "bench/owner_bound.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(OwnerBound, IsThatOfTheDataAndNeverThePlans) {
  Explanation explanation;
  explanation.errors.push_back({});
  explanation.errors.front().sensitivity = 1.0;
  explanation.errors.front().p95 = 3.5;
  EXPECT_FALSE(owner_bound(explanation));
  explanation.analyze.emplace();
  EXPECT_FALSE(owner_bound(explanation));
  explanation.analyze->bounds = {{{40.0, 7.0, 5.0, 21.0}}};
  ASSERT_TRUE(owner_bound(explanation));
  EXPECT_EQ(owner_bound(explanation)->value, 40.0);
  EXPECT_EQ(owner_bound(explanation)->sensitivity, 7.0);
  EXPECT_EQ(owner_bound(explanation)->error_p95, 21.0);
}

}  // namespace
}  // namespace tacit
