#include "mechanism/users/quantile_places.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sensitivity/users/users_cells.hpp"
#include "sql/expr.hpp"

namespace tacit {
namespace {

UserAggregate quantile(UserBounds bounds, SqlType type, int exponent) {
  UserAggregate aggregate;
  aggregate.statistic = &quantile_statistic();
  aggregate.value.kind = UserValue::Kind::quantile;
  aggregate.value.argument = make_literal(Decimal{0, 0}, type, 0);
  aggregate.value.grid = {Grid::Base::binary, exponent};
  aggregate.bounds = bounds;
  return aggregate;
}

// As the engine computes it.
int leaf_of(Int128 value, const UserBounds& bounds) {
  if (bounds.lo == bounds.hi) return 0;
  const double per_step = quantile_leaves / static_cast<double>(bounds.hi - bounds.lo);
  return std::min(static_cast<int>(std::floor(static_cast<double>(value - bounds.lo) * per_step)), quantile_leaves - 1);
}

TEST(QuantilePlaces, EveryIntegerIsInItsOwnPlace) {
  for (const int exponent : {0, 20, 30}) {
    const Int128 one = Int128{1} << exponent;
    for (const auto& [lo, hi] : {std::pair{0, 600}, std::pair{-7, 5}, std::pair{3, 3}, std::pair{0, 20'000},
                                 std::pair{0, 65'535}, std::pair{-32'000, 33'000}}) {
      const UserBounds bounds{lo * one, hi * one};
      const QuantilePlaces places(quantile(bounds, SqlType::integer(32), exponent));
      ASSERT_EQ(places.count(), hi - lo + 1);
      for (int value = lo; value <= hi; ++value) {
        const int place = places.of_leaf(leaf_of(value * one, bounds));
        ASSERT_EQ(place, value - lo) << value << " from " << lo << " to " << hi;
        ASSERT_EQ(places.shown(place), value * one);
      }
      EXPECT_EQ(places.ends(0, places.count() - 1).lo, bounds.lo);
      EXPECT_EQ(places.ends(0, places.count() - 1).hi, bounds.hi);
    }
  }
}

TEST(QuantilePlaces, AreLeavesOtherwise) {
  const UserBounds wide{0, 10'000'000};
  const UserBounds odd{1, 600 * 1024};
  for (const UserAggregate& aggregate :
       {quantile(wide, SqlType::integer(64), 0), quantile(odd, SqlType::integer(32), 10),
        quantile({0, 600 * 1024}, SqlType::real(), 10), quantile({0, 600}, SqlType::decimal(8, 2), 0)}) {
    const QuantilePlaces places(aggregate);
    ASSERT_EQ(places.count(), quantile_leaves);
    for (int place = 0; place < places.count(); place += 97) {
      ASSERT_EQ(places.of_leaf(place), place);
      ASSERT_LE(places.ends(place, place).lo, places.shown(place));
      ASSERT_GE(places.ends(place, place).hi, places.shown(place));
    }
    EXPECT_EQ(places.ends(0, quantile_leaves - 1).lo, aggregate.bounds->lo);
    EXPECT_EQ(places.ends(0, quantile_leaves - 1).hi, aggregate.bounds->hi);
  }
}

}  // namespace
}  // namespace tacit
