#include "policy/dependency.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

TEST(Dependency, ReadsBothForms) {
  const auto functional = parse_dependency("A, \"B c\" -> d");
  ASSERT_TRUE(functional);
  EXPECT_EQ(functional->from, (std::vector<std::string>{"a", "B c"}));
  EXPECT_EQ(functional->limit, 1);
  EXPECT_EQ(parse_dependency("a->[ 7 ]b,c")->limit, 7);
  EXPECT_EQ(parse_dependency("a ->[1] b")->limit, 1);
  EXPECT_FALSE(parse_dependency("a -> [3] b")) << "the number belongs to the arrow";
  EXPECT_FALSE(parse_dependency(""));
}

TEST(Dependency, RowsAreNoColumn) {
  for (const char* text : {"a, b ->[20] rows", "a, b ->[20]rows ", "a, b ->[20] Rows"}) {
    const auto rows = parse_dependency(text);
    ASSERT_TRUE(rows) << text;
    EXPECT_TRUE(rows->to.empty());
    EXPECT_EQ(to_string(*rows), "a, b ->[20] rows");
  }
  for (const char* text : {"a -> \"rows\"", "a -> rows, b", "a -> rowset"}) {
    const auto columns = parse_dependency(text);
    ASSERT_TRUE(columns) << text;
    EXPECT_FALSE(columns->to.empty());
    EXPECT_EQ(parse_dependency(to_string(*columns))->to, columns->to);
  }
}

RC_GTEST_PROP(Dependency, PrintedDependenciesReadBack, ()) {
  Dependency dependency;
  const int left = *rc::gen::inRange(1, 4);
  const int right = *rc::gen::inRange(1, 4);
  for (int i = 0; i < left; ++i) dependency.from.push_back(fmt::format("x {}", i));
  for (int i = 0; i < right; ++i) dependency.to.push_back(fmt::format("y{}", i));
  dependency.limit = *rc::gen::inRange<long long>(1, 1'000'000'000);
  const auto again = parse_dependency(to_string(dependency));
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->from == dependency.from && again->to == dependency.to && again->limit == dependency.limit);
}

}  // namespace
}  // namespace tacit
