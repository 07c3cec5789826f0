#include "sensitivity/metric/public_part.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sensitivity/metric/derivative/private_row_testing.hpp"

namespace tacit::testing {
namespace {

class PublicPart : public ::testing::Test {
 protected:
  PublicPart() {
    for (const char* name : {"p", "q"}) {
      public_.push_back(
          make_column(std::make_shared<const Column>(
                          Column{name, SqlType::integer(32), false, type_range(SqlType::integer(32)), {}, {}, name}),
                      1));
    }
  }

  ExprPtr part(const ExprPtr& predicate) const { return public_part(predicate, table_.columns()).value(); }
  static ExprPtr positive(const ExprPtr& column) { return bound_call(">", {column, literal("0")}); }
  ExprPtr p() const { return positive(public_[0]); }
  ExprPtr q() const { return positive(public_[1]); }
  ExprPtr x() const { return positive(table_.column("x")); }
  ExprPtr y() const { return positive(table_.column("y")); }

  ExprPtr random_predicate(std::mt19937_64& random, int depth) const {
    if (depth == 0) {
      const ExprPtr atoms[] = {p(), q(), x(), y()};
      return atoms[random() % 4];
    }
    if (random() % 4 == 0) return bound_call("not", {random_predicate(random, depth - 1)});
    std::vector<ExprPtr> parts{random_predicate(random, depth - 1), random_predicate(random, depth - 1)};
    return bound_call(random() % 2 == 0 ? "and" : "or", std::move(parts));
  }

  const PrivateTable table_{"l1(x, y)", {{"x", SqlType::integer(32)}, {"y", SqlType::integer(32)}}};
  std::vector<ExprPtr> public_;
};

TEST_F(PublicPart, HoldsWhereverThePredicateHolds) {
  std::mt19937_64 random(1);
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    const ExprPtr predicate = random_predicate(random, 4);
    const ExprPtr follows = part(predicate);
    if (!follows) continue;
    ++found;
    EXPECT_FALSE(reads_private_cell(*follows, table_.columns()));
    for (int k = 0; k < 20; ++k) {
      RowValues row;
      for (const Column* column :
           {std::get<ColumnRef>(public_[0]->node).column.get(), std::get<ColumnRef>(public_[1]->node).column.get(),
            table_.cell("x"), table_.cell("y")}) {
        if (random() % 3 != 0) row[column] = random() % 2 == 0 ? 1.0 : -1.0;  // else NULL
      }
      if (sql_value(*predicate, row) == 1.0) {
        EXPECT_EQ(sql_value(*follows, row), 1.0);
      }
    }
  }
  EXPECT_GT(found, 300);
}

TEST_F(PublicPart, IsTheWholePredicateWhenThatIsPublic) {
  const ExprPtr predicate = bound_call("or", {p(), bound_call("not", {q()})});
  EXPECT_TRUE(same_expression(*part(predicate), *predicate));
}

TEST_F(PublicPart, IsWhatAllBranchesOfAnOrShare) {
  const ExprPtr follows = part(bound_call("or", {bound_call("and", {p(), x()}), bound_call("and", {q(), y()})}));
  EXPECT_TRUE(same_expression(*follows, *bound_call("or", {p(), q()})));
  EXPECT_EQ(part(bound_call("or", {bound_call("and", {p(), x()}), y()})), nullptr);
}

TEST_F(PublicPart, UnderNotWhatTheInnerFollowsFrom) {
  const ExprPtr follows = part(bound_call("not", {bound_call("or", {p(), x()})}));
  EXPECT_TRUE(same_expression(*follows, *bound_call("not", {p()})));
  EXPECT_EQ(part(bound_call("not", {bound_call("and", {p(), x()})})), nullptr);
}

TEST_F(PublicPart, WhetherAPrivateNumberIsNullIsPublic) {
  const ExprPtr is_null = bound_call("is null", {table_.column("x")});
  EXPECT_TRUE(same_expression(*part(bound_call("and", {is_null, y()})), *is_null));
}

}  // namespace
}  // namespace tacit::testing
