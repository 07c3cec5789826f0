#include "noise/arrange_groups.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

using Order = std::vector<std::size_t>;

std::vector<Value> integers(std::initializer_list<int> numbers) {
  std::vector<Value> values;
  for (const int n : numbers) values.emplace_back(Decimal{n, 0});
  return values;
}

TEST(ArrangeGroups, KeepsTheGivenOrderWithoutOrderBy) {
  EXPECT_EQ(arrange_groups(3, {}, 0, std::nullopt), (Order{0, 1, 2}));
  EXPECT_EQ(arrange_groups(0, {}, 5, 5), Order{});
}

TEST(ArrangeGroups, SortsAndKeepsTies) {
  EXPECT_EQ(arrange_groups(4, {{integers({3, 1, 3, 2})}}, 0, std::nullopt), (Order{1, 3, 0, 2}));
  EXPECT_EQ(arrange_groups(4, {{integers({3, 1, 3, 2}), true}}, 0, std::nullopt), (Order{0, 2, 3, 1}));
  EXPECT_EQ(arrange_groups(4, {{integers({3, 1, 3, 2})}, {integers({9, 9, 8, 9})}}, 0, std::nullopt),
            (Order{1, 3, 2, 0}));
}

TEST(ArrangeGroups, PutsNullsWhereTheQuerySays) {
  const std::vector<Value> values{Decimal{1, 0}, Null{}, Decimal{2, 0}};
  EXPECT_EQ(arrange_groups(3, {{values, false, false}}, 0, std::nullopt), (Order{0, 2, 1}));
  EXPECT_EQ(arrange_groups(3, {{values, false, true}}, 0, std::nullopt), (Order{1, 0, 2}));
  EXPECT_EQ(arrange_groups(3, {{values, true, true}}, 0, std::nullopt), (Order{1, 2, 0}));
  EXPECT_EQ(arrange_groups(3, {{values, true, false}}, 0, std::nullopt), (Order{2, 0, 1}));
}

TEST(ArrangeGroups, OffsetThenLimit) {
  const std::vector<SortColumn> by{{integers({5, 4, 3, 2, 1})}};
  EXPECT_EQ(arrange_groups(5, by, 1, 2), (Order{3, 2}));
  EXPECT_EQ(arrange_groups(5, by, 4, 10), (Order{0}));
  EXPECT_EQ(arrange_groups(5, by, 9, 10), Order{});
  EXPECT_EQ(arrange_groups(5, by, 0, 0), Order{});
}

}  // namespace
}  // namespace tacit
