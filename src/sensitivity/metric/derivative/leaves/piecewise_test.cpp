#include "sensitivity/metric/derivative/leaves/piecewise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sql/dialects/dialects.hpp"

namespace tacit {
namespace {

std::string no_formula(const std::string&) { return ""; }

TEST(FirstDouble, FindsTheExactPlace) {
  for (const double place : {-1e300, -3.0, -5e-324, 0.0, 5e-324, 1.0 / 3.0, 1e300}) {
    EXPECT_EQ(first_double(-1.7e308, 1.7e308, [&](double s) { return s >= place; }), place);
  }
  EXPECT_EQ(first_double(1.0, 2.0, [](double) { return false; }), 2.0);
  EXPECT_EQ(first_double(1.0, 2.0, [](double) { return true; }), 1.0);
}

TEST(PiecewiseLeaf, LimitsCutEveryPiece) {
  const auto leaf =
      piecewise_leaf({{.form = Piece::Form::exponential, .factor = 1.0, .rate = 1.0}},
                     {.floor = std::exp(-2.0), .cap = std::exp(3.0), .supremum = std::exp(3.0)}, no_formula);
  EXPECT_EQ(leaf->at(-1e100), std::exp(-2.0));
  EXPECT_EQ(leaf->at(1e100), std::exp(3.0));
  EXPECT_NEAR(leaf->at(1.0), std::exp(1.0), 1e-11);
  EXPECT_EQ(leaf->infimum(), std::exp(-2.0));
}

TEST(PiecewiseLeaf, ManyPiecesAreHalved) {
  std::vector<Piece> pieces;
  for (int i = 0; i < 20; ++i) pieces.push_back({.from = i == 0 ? -HUGE_VAL : i, .factor = 100.0 + i});
  const auto leaf = piecewise_leaf(pieces, {.supremum = 119.0}, no_formula);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(leaf->at(i + 0.5), 100.0 + i);
  EXPECT_EQ(leaf->at(-5.0), 100.0);
  EXPECT_EQ(leaf->sql("x", duckdb_dialect()).substr(0, 26), "(CASE WHEN x < 10e0 THEN (");
}

TEST(PiecewiseLeaf, TheStatisticIsBracketedWhereNeeded) {
  const auto leaf =
      piecewise_leaf({{.from = 0.0, .form = Piece::Form::power, .factor = 1.0, .rate = 1.0}}, {}, no_formula);
  EXPECT_EQ(leaf->sql("t.x", duckdb_dialect()), "t.x");
  EXPECT_EQ(leaf->sql("a - b", duckdb_dialect()), "(a - b)");
}

TEST(PiecewiseLeaf, AnEndOfAStretchIsPrintedAsTheShorterNumber) {
  const auto leaf =
      piecewise_leaf({{.factor = 1.0}, {.from = std::nextafter(4.0, 5.0), .factor = 2.0}, {.from = 6.0, .factor = 3.0}},
                     {.supremum = 3.0}, no_formula);
  EXPECT_EQ(
      leaf->sql("x", postgres_dialect()),
      "(CASE WHEN x <= CAST('4' AS DOUBLE PRECISION) THEN CAST('1' AS DOUBLE PRECISION) WHEN x < CAST('6' AS DOUBLE "
      "PRECISION) THEN CAST('2' AS DOUBLE PRECISION) ELSE CAST('3' AS DOUBLE PRECISION) END)");
}

TEST(UsableRate, KeepsToWhatDoublesCanCompute) {
  EXPECT_EQ(usable_rate(1e-200), 0.0);
  EXPECT_EQ(usable_rate(0.3), 0.3);
  EXPECT_EQ(usable_rate(1e200), 1e100);
}

}  // namespace
}  // namespace tacit
