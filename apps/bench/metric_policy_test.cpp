#include "bench/metric_policy.hpp"

#include <gmock/gmock.h>

#include "bench/metric_queries.hpp"
#include "bench/tpch_data.hpp"

namespace tacit {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* policy =
    "[tables.lineitem]\nmetric = \"l_tax\"\ndependencies = [\"a -> b\"]\n[tables.lineitem.columns]\nl_tax = { step = "
    "1 }\n[tables.nation]\npublic = true\n";
constexpr const char* bounds = "[tables.lineitem.columns]\nl_tax = { min = 0, max = 2 }\n";

std::string write(PolicyVariant variant) { return write_variant(variant, policy, bounds, "duckdb:x"); }

TEST(MetricPolicy, BeginsWithTheEngine) {
  EXPECT_THAT(write(PolicyVariant::dependencies), StartsWith("[engine]\nurl = \"duckdb:x\"\n"));
  EXPECT_THAT(write(PolicyVariant::dependencies), HasSubstr(policy));
}

TEST(MetricPolicy, WithoutDependenciesKeepsTheRest) {
  const std::string text = write(PolicyVariant::no_dependencies);
  EXPECT_THAT(text, Not(HasSubstr("a -> b")));
  EXPECT_THAT(text, HasSubstr("l_tax = { step"));
}

TEST(MetricPolicy, WithBoundsHasTheColumnsOnce) {
  const std::string text = write(PolicyVariant::bounds);
  EXPECT_THAT(text, Not(HasSubstr("step")));
  EXPECT_THAT(text, HasSubstr("max = 2"));
  EXPECT_THAT(text, HasSubstr("[tables.nation]\npublic = true\n"));
  EXPECT_EQ(text.find("[tables.lineitem.columns]"), text.rfind("[tables.lineitem.columns]"));
}

TEST(ScaleName, IsGoodForFoldersAndForSql) {
  EXPECT_EQ(scale_name(0.1), "sf0.1");
  EXPECT_EQ(scale_name(10), "sf10");
  EXPECT_EQ(scale_identifier(0.1), "sf0_1");
}

}  // namespace
}  // namespace tacit
