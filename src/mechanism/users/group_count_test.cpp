#include "mechanism/users/group_count.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

const std::vector<int> levels{1, 2, 4, 8, 16, 32, 64};

GroupCountFacts facts(std::vector<double> people, double groups) {
  GroupCountFacts facts;
  facts.levels = levels;
  facts.people = std::move(people);
  facts.scale = 20.0;
  facts.groups = groups;
  facts.epsilon = Epsilon(1.0);
  return facts;
}

// Every level's size from which a group is shown half of the time, in proportion to k.
GroupCountFacts with_private_keys(GroupCountFacts facts, double size, bool averages) {
  for (const int k : levels) facts.half_shown.push_back(size * k);
  facts.averages = averages;
  return facts;
}

TEST(GroupCount, ListedGroupsKeepWhatTheNoiseAllows) {
  EXPECT_EQ(choose_group_count(facts({0, 0, 0, 5'000, 0, 0, 0}, 8)), 8);
  // A few people in 64 groups each are not worth eight times the noise.
  EXPECT_EQ(choose_group_count(facts({0, 0, 0, 5'000, 0, 0, 90}, 64)), 8);
  EXPECT_EQ(choose_group_count(facts({300, 0, 0, 0, 0, 0, 0}, 200)), 1);
}

TEST(GroupCount, NoiseAloneRaisesNoLevel) {
  EXPECT_EQ(choose_group_count(facts({4'000, 30, -20, 10, 60, -60, 80}, 3)), 1);
}

// 200 groups, most people in one to eight of them: the more groups count, the fewer are shown.
TEST(GroupCount, AveragesOfPrivateGroupsRatherShowGroups) {
  const GroupCountFacts people = facts({6'000, 5'000, 3'000, 2'000, 400, 200, 0}, 200);
  EXPECT_LE(choose_group_count(with_private_keys(people, 45.0, true)), 2);
  // Large groups are shown in any case.
  EXPECT_GE(choose_group_count(with_private_keys(people, 0.5, true)), 4);
  EXPECT_EQ(choose_group_count(people), 32);  // listed groups hide nothing
}

TEST(GroupCount, NumbersOfPrivateGroupsCountWhatIsLeftOut) {
  const GroupCountFacts people = facts({0, 0, 0, 40'000, 0, 0, 0}, 100);
  EXPECT_EQ(choose_group_count(with_private_keys(people, 45.0, false)), 8);
  // A number that is off by a factor is worse than a group that is not shown.
  const GroupCountFacts uneven = facts({6'000, 5'000, 3'000, 2'000, 400, 200, 0}, 200);
  EXPECT_EQ(choose_group_count(with_private_keys(uneven, 45.0, false)), 8);
}

TEST(GroupCount, NobodyAndNoGroupsAreNoTrouble) {
  EXPECT_EQ(choose_group_count(facts({0, 0, 0, 0, 0, 0, 0}, 0)), 1);
  EXPECT_EQ(choose_group_count(with_private_keys(facts({-5, 0, 0, 0, 0, 0, 0}, 1), 1e18, true)), 1);
}

}  // namespace
}  // namespace tacit
