#include "sensitivity/metric/derivative/summand.hpp"

#include <gtest/gtest.h>

#include "sensitivity/metric/derivative/assign_rates.hpp"
#include "sensitivity/metric/derivative/random_filter_testing.hpp"

namespace tacit::testing {
namespace {

class Summand : public ::testing::Test {
 protected:
  struct Bounded {
    ExprPtr value;
    SoftFilter filter;
    BoundPtr size;
    std::map<const Column*, BoundPtr> slopes;

    double at(const RowValues& row) const {
      const double weight = filter_value(filter, row);
      return value ? weight * sql_value(*value, row) : weight;
    }
  };

  BoundPtr with_rates(const BoundPtr& bound) const {
    return assign_rates(bound, cells_.table.roles(), cells_.table.columns(), NormExponent{}, beta_);
  }

  Bounded bounded(ExprPtr value, const std::vector<ExprPtr>& conjuncts) const {
    const Differentiator differentiator = cells_.table.differentiator();
    Bounded result{std::move(value), soften(conjuncts, differentiator).value(), nullptr, {}};
    auto derived = summand(result.value, result.filter, differentiator);
    EXPECT_TRUE(derived.has_value()) << to_line(derived.error());
    const RowFunction f = derived ? std::move(*derived) : RowFunction{constant_bound(0.0), {}, {}};
    result.size = with_rates(f.value);
    for (const auto& [column, bound] : joint_gradient(f.pieces)) result.slopes[column] = with_rates(bound);
    return result;
  }

  // How far the bound lets the summand move when one cell moves: the integral of its slope.
  static double allowance(const Bounded& f, RowValues row, const Column* cell, double move) {
    constexpr int parts = 64;
    const auto slope = f.slopes.find(cell);
    if (slope == f.slopes.end()) return 0.0;
    const double from = row.at(cell);
    double total = 0.0;
    for (int i = 0; i < parts; ++i) {
      row[cell] = from + move * (i + 0.5) / parts;
      total += bound_at(*slope->second, row);
    }
    return std::fabs(move) * total / parts;
  }

  void expect_bounds(const Bounded& f, const RowValues& row, std::mt19937_64& random) const {
    EXPECT_LE(std::fabs(f.at(row)), bound_at(*f.size, row) * (1.0 + 1e-12));
    for (const std::string name : {"x", "y", "d", "r", "s"}) {
      const Column* cell = cells_.table.cell(name);
      if (!row.contains(cell)) continue;
      // One grid step where the type has one; anything where a ramp interpolates.
      const bool is_real = name == "r" || name == "s";
      const double size = is_real ? std::pow(10.0, -static_cast<double>(random() % 5)) : FilterCells::step(name);
      const double move = random() % 2 == 0 ? size : -size;
      const double share = name == "s" ? 1e-3 : 1e-5;  // of the integral, which is bent between its points
      RowValues moved = row;
      moved[cell] = name == "d" ? std::round((row.at(cell) + move) * 10.0) / 10.0 : row.at(cell) + move;
      EXPECT_LE(std::fabs(f.at(moved) - f.at(row)), allowance(f, row, cell, move) * (1.0 + share) + 1e-12)
          << name << " from " << row.at(cell) << " by " << move;
    }
  }

  ExprPtr random_value(std::mt19937_64& random, int depth) const {
    const auto number = [&](const char* name) { return cells_.table.number(name); };
    switch (random() % (depth == 0 ? 5 : 8)) {
      case 0: return number("x");
      case 1: return number("d");
      case 2: return number("r");
      case 3: return bound_call("-", {literal("1"), number("d")});
      case 4: return bound_call("+", {number("x"), literal("3")});
      case 5: return bound_call("negate", {random_value(random, depth - 1)});
      default: return bound_call("*", {random_value(random, depth - 1), random_value(random, depth - 1)});
    }
  }

  const FilterCells cells_;
  double beta_ = 0.4;
};

TEST_F(Summand, ValueAndSlopesAreBoundedOnRandomRowsAndFilters) {
  std::mt19937_64 random(1);
  for (const double beta : {0.05, 0.4, 3.0}) {
    beta_ = beta;
    for (int i = 0; i < 250; ++i) {
      const ExprPtr value = i % 5 == 0 ? nullptr : random_value(random, 2);
      const Bounded f = bounded(value, {cells_.condition(random, 1), cells_.condition(random, 2)});
      for (int k = 0; k < 12; ++k) expect_bounds(f, k % 2 == 0 ? cells_.row(random) : cells_.grid_row(random), random);
      if (HasFailure()) FAIL() << "after " << i << " with beta " << beta;
    }
  }
}

// Bounds of bounds: their logarithm moves by at most beta for a unit of distance.
TEST_F(Summand, SoftConditionsAreBoundedSmoothly) {
  std::mt19937_64 random(3);
  for (const double beta : {0.05, 0.6, 5.0}) {
    beta_ = beta;
    for (int i = 0; i < 200; ++i) {
      const ExprPtr value = i % 4 == 0   ? nullptr
                            : i % 4 == 1 ? cells_.table.number("s")
                                         : bound_call("*", {random_value(random, 1), cells_.table.number("s")});
      const Bounded f = bounded(value, {cells_.soft_condition(random, 1), cells_.soft_condition(random, 2)});
      for (int k = 0; k < 12; ++k) {
        const RowValues row = cells_.soft_row(random);
        expect_bounds(f, row, random);
        RowValues other = row;
        const Column* s = cells_.table.cell("s");
        other[s] += std::uniform_real_distribution<double>(-3.0, 3.0)(random);
        const double most = std::exp(beta * std::fabs(other.at(s) - row.at(s))) * (1.0 + 1e-9);
        for (const auto& [cell, slope] : f.slopes) {
          EXPECT_LE(bound_at(*slope, row), bound_at(*slope, other) * most) << cell->name;
        }
        EXPECT_LE(bound_at(*f.size, row), bound_at(*f.size, other) * most);
      }
      if (HasFailure()) FAIL() << "after " << i << " with beta " << beta;
    }
  }
}

// x * 1[x in S] folded: 10 steep at the end of {.., 10} where the product rule says 1 + 10.
TEST_F(Summand, AFactorOfTheFiltersColumnIsFolded) {
  const Bounded f = bounded(cells_.table.column("x"), {bound_call("<=", {cells_.table.column("x"), literal("10")}),
                                                       bound_call(">=", {cells_.table.column("x"), literal("0")})});
  const RowValues at_end{{cells_.table.cell("x"), 10.0}};
  EXPECT_NEAR(bound_at(*f.slopes.at(cells_.table.cell("x")), at_end), 10.0, 1e-9);
  EXPECT_NEAR(bound_at(*f.size, at_end), 10.0, 1e-9);
}

// 10 (5.5 - x) on x <= 5 goes from 5 to 0 between 5 and 6, while the factor itself passes through 0 half way.
TEST_F(Summand, AFactorThatChangesItsSignBeyondAnOpenSetIsBoundedThere) {
  beta_ = 30.0;
  const ExprPtr x = cells_.table.column("x");
  const ExprPtr factor = bound_call("-", {literal("55"), bound_call("*", {literal("10"), x})});
  const Bounded f = bounded(bound_call("*", {factor, cells_.table.column("y")}), {bound_call("<=", {x, literal("5")})});
  const RowValues half_way{{cells_.table.cell("x"), 5.5}, {cells_.table.cell("y"), 4.0}};
  EXPECT_GE(bound_at(*f.slopes.at(cells_.table.cell("y")), half_way), 2.5);
}

TEST_F(Summand, AnEmptySetMakesItNothing) {
  const ExprPtr x = cells_.table.column("x");
  const Bounded f =
      bounded(cells_.table.column("y"), {bound_call("<", {x, literal("0")}), bound_call(">", {x, literal("0")})});
  EXPECT_TRUE(is_zero(*f.size));
}

}  // namespace
}  // namespace tacit::testing
