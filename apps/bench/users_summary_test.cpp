#include <gmock/gmock.h>

#include "bench/users_parts.hpp"

namespace tacit {
namespace {

using testing::Contains;
using testing::DoubleEq;
using testing::Pair;

TEST(UsersSummary, CountsAQueryOnceForAllUsersAndTakesGeometricMeans) {
  const Figures summary = summarize_users({{"tpch/q1/customer", {{"time_ratio_owner", 1.0}, {"time_ratio", 8.0}}},
                                           {"tpch/q1/supplier", {{"time_ratio_owner", 4.0}, {"time_ratio", 2.0}}},
                                           {"tpch/q2/customer", {}, "refused"},
                                           {"tpch/q3.standard/customer", {}, "refused"}});
  EXPECT_THAT(summary, Contains(Pair("queries", 2.0)));
  EXPECT_THAT(summary, Contains(Pair("answered", 1.0)));
  EXPECT_THAT(summary, Contains(Pair("time_ratio_owner_mean", DoubleEq(2.0))));
  EXPECT_THAT(summary, Contains(Pair("time_ratio_mean", DoubleEq(4.0))));
  EXPECT_THAT(summary, Contains(Pair("time_ratio_worst", 8.0)));
}

TEST(UsersSummary, SaysHowManyPublishedErrorsAreReached) {
  const Figures summary = summarize_users({{"table3/q1.count", {{"published", 0.2}, {"error_median", 0.1}}},
                                           {"r2t/q3/0.1/default", {{"published", 0.2}, {"error_median", 0.3}}},
                                           {"r2t/q3/0.1/race", {{"published", 0.2}, {"error_median", 0.1}}},
                                           {"r2t/q3.filtered/0.1/default", {{"published", 0.2}, {"error_median", 0.1}}},
                                           {"r2t/q5/0.1/default", {{"published", 0.2}}, "refused"}});
  EXPECT_THAT(summary, Contains(Pair("published_figures", 2.0)));
  EXPECT_THAT(summary, Contains(Pair("published_figures_reached", 1.0)));
}

}  // namespace
}  // namespace tacit
