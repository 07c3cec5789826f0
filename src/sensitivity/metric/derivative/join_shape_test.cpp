#include "sensitivity/metric/derivative/join_shape.hpp"

#include <gtest/gtest.h>

#include "sensitivity/metric/derivative/join_shape_testing.hpp"

namespace tacit::testing {
namespace {

TEST(JoinShape, ARowAloneIsOneJoinRow) {
  Shapes s;
  s.table("t", 1);
  const auto t = s.role("t");
  EXPECT_EQ(s.rows(t), 1);
  EXPECT_EQ(combinations_per_row(s.shape, t, {s.column(t, 'a')}), 1);
}

TEST(JoinShape, AKeyIsFollowedOnceAndOnlyTowardsIt) {
  Shapes s;
  s.table("orders", 2).primary_key = {"a"};
  s.table("item", 2);
  const auto orders = s.role("orders");
  const auto item = s.role("item");
  s.equal(orders, 'a', item, 'a');
  EXPECT_EQ(s.rows(item), 1);
  EXPECT_EQ(s.rows(orders), -1);
  EXPECT_EQ(combinations_per_row(s.shape, orders, {s.column(item, 'a')}), 1);
  EXPECT_EQ(combinations_per_row(s.shape, orders, {s.column(item, 'b')}), std::nullopt);
}

TEST(JoinShape, AnUnusedFactBoundsNothing) {
  Shapes s;
  auto& item = s.table("item", 3);
  item.primary_key = {"a"};
  depend(item, {"b"}, {"a"}, 7);
  depend(item, {"b"}, {"c"}, 2);
  s.table("t", 1);
  const auto t = s.role("t");
  const auto i = s.role("item");
  s.equal(t, 'a', i, 'b');
  EXPECT_EQ(s.rows(t), 7);
  EXPECT_EQ(combinations_per_row(s.shape, t, {s.column(i, 'c')}), 2);
  s.shape.unused = {{&item, &item.dependencies[1]}};
  EXPECT_EQ(s.rows(t), 7);
  EXPECT_EQ(combinations_per_row(s.shape, t, {s.column(i, 'c')}), 7);
  s.shape.unused = {{&item, &item.dependencies[0]}};
  EXPECT_EQ(s.rows(t), -1);
  s.shape.unused = {{&item}};
  EXPECT_EQ(s.rows(t), -1);
}

// A key that the engine enforces is followed where its columns are not NULL: nothing is left of what the policy says.
TEST(JoinShape, AnUnusedKeyHasNulls) {
  Shapes s;
  auto& item = s.table("item", 2);
  s.unique("item", {"a"});
  depend(item, {"b"}, {"a"}, 7);
  item.primary_key = {"a"};
  s.table("t", 1);
  const auto t = s.role("t");
  s.equal(t, 'a', s.role("item"), 'b');
  EXPECT_EQ(s.rows(t), 7);
  s.shape.unused = {{&item}};
  EXPECT_EQ(s.rows(t), -1);
}

TEST(JoinShape, ADependencyBoundsTheFanOut) {
  Shapes s;
  s.table("orders", 2).primary_key = {"a"};
  auto& item = s.table("item", 3);
  item.primary_key = {"a", "b"};
  depend(item, {"a"}, {"b"}, 7);
  const auto o = s.role("orders");
  const auto i = s.role("item");
  s.equal(o, 'a', i, 'a');
  EXPECT_EQ(s.rows(o), 7);
  EXPECT_EQ(s.rows(i), 1);
  const auto j = s.role("item");
  s.equal(o, 'a', j, 'a');
  EXPECT_EQ(s.rows(o), 49);
  EXPECT_EQ(s.rows(i), 7);
  EXPECT_EQ(combinations_per_row(s.shape, o, {s.column(j, 'c')}), 7);
}

TEST(JoinShape, DependenciesAreChainedAndTheCheapestPathIsTaken) {
  Shapes s;
  s.table("t", 1);
  auto& u = s.table("u", 4);
  u.primary_key = {"a", "d"};
  depend(u, {"a"}, {"d"}, 100);
  depend(u, {"a"}, {"b"}, 3);
  depend(u, {"b"}, {"c"}, 1);
  depend(u, {"b", "c"}, {"d"}, 5);
  const auto t = s.role("t");
  const auto v = s.role("u");
  s.equal(t, 'a', v, 'a');
  EXPECT_EQ(s.rows(t), 15);
  EXPECT_EQ(combinations_per_row(s.shape, t, {s.column(v, 'c')}), 3);
}

TEST(JoinShape, EqualColumnsAndConstantsAreCarriedAlong) {
  Shapes s;
  s.table("t", 2);
  s.table("u", 2).primary_key = {"a", "b"};
  const auto t = s.role("t");
  const auto u = s.role("u");
  const auto v = s.role("u");
  s.equal(t, 'a', u, 'a');
  s.equal(v, 'a', u, 'a');
  s.shape.constant = {s.column(u, 'b'), s.column(v, 'b')};
  EXPECT_EQ(s.rows(t), 1);
  EXPECT_EQ(s.rows(v), -1);  // t has no key
}

TEST(JoinShape, EqualitiesThatMayRoundAreIgnored) {
  Shapes s;
  s.table("u", 1).primary_key = {"a"};
  const auto t = s.role("u");
  const auto u = s.role("u");
  Column real{"x", SqlType::real(), false, {}, {}, {}, ""};
  s.shape.equal = {{s.column(t, 'a'), &real}, {&real, s.column(u, 'a')}};
  EXPECT_EQ(s.rows(t), -1);
}

TEST(JoinShape, AUniqueKeyWithNullsIsNotReachedThroughADependency) {
  Shapes s;
  s.table("t", 1);
  auto& u = s.table("u", 2);
  depend(u, {"a"}, {"b"}, 7);
  s.unique("u", {"a", "b"});
  const auto t = s.role("t");
  const auto v = s.role("u");
  s.equal(t, 'a', v, 'a');
  EXPECT_EQ(s.rows(t), -1);
  u.primary_key = {"a", "b"};
  EXPECT_EQ(s.rows(t), 7);
}

TEST(JoinShape, AnOptionalRoleDoesNotTieEarlierRolesTogether) {
  // t, u LEFT JOIN v ON t.a = v.a AND u.a = v.a: where v has no row, t.a = u.a does not follow.
  Shapes s;
  s.table("t", 1).primary_key = {"a"};
  const auto t = s.role("t");
  const auto u = s.role("t");
  const auto v = s.role("t", true);
  s.equal(t, 'a', v, 'a');
  s.equal(u, 'a', v, 'a');
  EXPECT_EQ(s.rows(t), -1);
  EXPECT_EQ(s.rows(v), 1);  // in its rows v has a row
}

TEST(JoinShape, WhetherAnOptionalRoleHasARowMayDependOnOtherRoles) {
  // t JOIN u (fan-out 10) LEFT JOIN v ON t.b = v.a AND u.b > 3: v's columns take two values beside one t.
  Shapes s;
  s.table("t", 2);
  auto& many = s.table("u", 2);
  many.primary_key = {"a", "b"};
  depend(many, {"a"}, {"b"}, 10);
  s.table("v", 2).primary_key = {"a"};
  const auto t = s.role("t");
  const auto u = s.role("u");
  const auto v = s.role("v", true);
  s.equal(t, 'a', u, 'a');
  s.equal(t, 'b', v, 'a');
  EXPECT_EQ(s.rows(t), 10);
  EXPECT_EQ(combinations_per_row(s.shape, t, {s.column(v, 'b')}), 2);
  EXPECT_EQ(combinations_per_row(s.shape, t, {s.column(v, 'b'), s.column(u, 'b')}), 10);
}

TEST(JoinShape, HugeProductsAreNoBound) {
  Shapes s;
  s.table("t", 1);
  auto& u = s.table("u", 2);
  u.primary_key = {"a", "b"};
  depend(u, {"a"}, {"b"}, 1'000'000'000);
  const auto t = s.role("t");
  const auto first = s.role("u");
  s.equal(t, 'a', first, 'a');
  EXPECT_EQ(s.rows(t), 1'000'000'000);
  const auto second = s.role("u");
  s.equal(t, 'a', second, 'a');
  EXPECT_EQ(s.rows(t), -1);
}

TEST(JoinShape, ManyRolesStillGetABound) {
  Shapes s;
  s.table("t", 1);
  auto& u = s.table("u", 3);
  u.primary_key = {"a", "b", "c"};
  depend(u, {"a"}, {"b"}, 2);
  depend(u, {"a"}, {"c"}, 2);
  depend(u, {"a"}, {"b", "c"}, 3);
  const auto t = s.role("t");
  for (int i = 0; i < 16; ++i) s.equal(t, 'a', s.role("u"), 'a');
  EXPECT_GE(s.rows(t), 43'046'721);     // 3^16 is least
  EXPECT_LE(s.rows(t), 4'294'967'296);  // 4^16 is what greed may take
}

}  // namespace
}  // namespace tacit::testing
