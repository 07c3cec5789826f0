#include "base/nearest_name.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

TEST(NearestName, FindsTheLikelyWord) {
  const std::vector<std::string> names{"customer", "orders", "nation"};
  EXPECT_EQ(nearest_name("costumer", names), "customer");
  EXPECT_EQ(nearest_name("order", names), "orders");
  EXPECT_EQ(nearest_name("nations", names), "nation");
}

TEST(NearestName, SaysNothingRatherThanNonsense) {
  const std::vector<std::string> names{"customer", "orders", "nation"};
  EXPECT_FALSE(nearest_name("salary", names));
  EXPECT_FALSE(nearest_name("cust", names));
  EXPECT_FALSE(nearest_name("anything", {}));
}

TEST(NearestName, TheNearestOfSeveralWins) { EXPECT_EQ(nearest_name("visits", {"vistas", "visit"}), "visit"); }

TEST(NearestName, HostileLengthsCostNothing) {
  EXPECT_FALSE(nearest_name(std::string(10'000'000, 'a'), {"visit"}));
  EXPECT_FALSE(nearest_name("visit", {std::string(10'000'000, 'a')}));
}

TEST(NearestName, Hint) {
  EXPECT_EQ(did_you_mean("vist", {"visit"}), " (did you mean `visit`?)");
  EXPECT_EQ(did_you_mean("zebra", {"visit"}), "");
}

RC_GTEST_PROP(NearestNameProperty, ANameIsNearestToItself, (std::string name, std::vector<std::string> others)) {
  RC_PRE(name.size() <= 200);
  others.push_back(name);
  RC_ASSERT(nearest_name(name, others) == name);
}

RC_GTEST_PROP(NearestNameProperty, OneDroppedLetterIsFound, ()) {
  const auto name = *rc::gen::container<std::string>(rc::gen::inRange('a', static_cast<char>('z' + 1)));
  RC_PRE(name.size() >= 4 && name.size() <= 200);
  const auto dropped = *rc::gen::inRange<std::size_t>(0, name.size());
  std::string misspelt = name;
  misspelt.erase(dropped, 1);
  RC_ASSERT(nearest_name(misspelt, {"0123456789", name}) == name);
}

}  // namespace
}  // namespace tacit
