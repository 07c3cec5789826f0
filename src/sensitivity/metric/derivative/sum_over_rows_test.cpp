#include "sensitivity/metric/derivative/sum_over_rows.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sensitivity/metric/derivative/assign_rates.hpp"
#include "sensitivity/metric/derivative/private_row_testing.hpp"

namespace tacit::testing {
namespace {

// Role 0 is the private row whose join rows are added up, role 1 what it joins.
class SumOverRows : public ::testing::Test {
 protected:
  bool is_own(const Expr& expr) const {
    const auto read = columns_read(expr);
    return std::all_of(read.begin(), read.end(),
                       [&](const ColumnPtr& column) { return table_.columns().at(column.get()).role == 0; });
  }
  BoundPtr sum(const BoundPtr& of_row, long long fan_out = 4) const {
    return sum_over_rows(
        of_row, [this](const Expr& expr) { return is_own(expr); }, [fan_out](const Column*) { return fan_out; });
  }
  BoundPtr magnitude(const char* name, std::size_t role, double cap = infinity) const {
    return leaf_bound({MagnitudeShape{}, table_.column(name, role), {{table_.cell(name, role), 1.0}}, cap, nullptr});
  }
  BoundPtr decay(const char* name, std::size_t role) const {
    return leaf_bound(
        {DecayShape{{{0.0, 2.0, 3.0}}}, table_.column(name, role), {{table_.cell(name, role), 1.0}}, 3.0, nullptr});
  }
  BoundPtr with_rates(const BoundPtr& bound, double beta) const {
    return assign_rates(bound, table_.roles(), table_.columns(), NormExponent{}, beta);
  }

  BoundPtr random_bound(std::mt19937_64& random, int depth) const {
    if (depth == 0 || random() % 4 == 0) {
      const std::size_t role = random() % 2;
      const char* name = random() % 2 == 0 ? "x" : "y";
      if (random() % 5 == 0) return constant_bound(static_cast<double>(random() % 4));
      return random() % 3 == 0 ? decay(name, role) : magnitude(name, role, random() % 3 == 0 ? 50.0 : infinity);
    }
    std::vector<BoundPtr> parts{random_bound(random, depth - 1), random_bound(random, depth - 1)};
    if (random() % 3 == 0) return sum_of(std::move(parts));
    return random() % 2 == 0 ? max_of(std::move(parts)) : product_of(std::move(parts));
  }

  // The join rows of one private row: its own cells are the same in all of them.
  std::vector<RowValues> join_rows(std::mt19937_64& random) const {
    std::uniform_real_distribution<double> number(-40.0, 40.0);
    RowValues row;
    for (const char* name : {"x", "y"}) row[table_.cell(name, 0)] = number(random);
    std::vector<RowValues> rows;
    for (std::size_t i = 0; i < 1 + random() % 4; ++i) {
      for (const char* name : {"x", "y"}) row[table_.cell(name, 1)] = number(random);
      rows.push_back(row);
    }
    return rows;
  }

  // As the engine computes a keyed bound: greatest statistics, sums and counts over the rows.
  static double at(const Bound& bound, const std::vector<RowValues>& rows) {
    const auto each = [&](const std::vector<BoundPtr>& parts) {
      std::vector<double> values;
      for (const auto& part : parts) values.push_back(at(*part, rows));
      return values;
    };
    double total = 0.0;
    if (std::holds_alternative<RowCountBound>(bound.node)) return static_cast<double>(rows.size());
    if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) {
      for (const auto& row : rows) total += bound_at(*row_sum->of_row, row);
    } else if (const auto* sum = std::get_if<SumBound>(&bound.node)) {
      for (const double term : each(sum->terms)) total += term;
    } else if (const auto* product = std::get_if<ProductBound>(&bound.node)) {
      total = 1.0;
      for (const double factor : each(product->factors)) total *= factor;
    } else if (const auto* max = std::get_if<MaxBound>(&bound.node)) {
      for (const double choice : each(max->choices)) total = std::max(total, choice);
    } else if (const auto* leaf = std::get_if<LeafBound>(&bound.node); leaf && leaf->is_summed) {
      double s = 0.0;
      for (const auto& row : rows) s += std::fabs(sql_value(*leaf->statistic, row));
      return leaf->leaf->at(s);
    } else {
      for (const auto& row : rows) total = std::max(total, bound_at(bound, row));
    }
    return total;
  }

  const PrivateTable table_{"l1(x, y)", {{"x", SqlType::integer(32)}, {"y", SqlType::integer(32)}}, {}, 2};
};

// Against the plain sum with caps obeyed: magnitudes are kept below theirs by the rows' own values.
TEST_F(SumOverRows, IsNeverBelowTheSumOfTheRows) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    const BoundPtr of_row = random_bound(random, 3);
    const BoundPtr summed = with_rates(sum(of_row), 0.3);
    // With a rate that is all but infinite a smoothed bound is the plain one.
    const BoundPtr plain = with_rates(of_row, 1e6);
    for (int k = 0; k < 20; ++k) {
      const auto rows = join_rows(random);
      double total = 0.0;
      for (const auto& row : rows) total += bound_at(*plain, row);
      EXPECT_GE(at(*summed, rows) * (1.0 + 1e-9), total * (1.0 - 1e-4)) << to_string(*of_row);
    }
  }
}

TEST_F(SumOverRows, IsSmoothWhenOwnAndJoinedCellsMove) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 300; ++i) {
    const double beta = 0.3;
    const BoundPtr summed = with_rates(sum(random_bound(random, 3)), beta);
    if (is_zero(*summed)) continue;
    for (int k = 0; k < 20; ++k) {
      const auto before = join_rows(random);
      auto after = before;
      double distance = 0.0;
      for (const char* name : {"x", "y"}) {
        const double own = normal(random);
        distance += std::fabs(own);
        for (auto& row : after) row[table_.cell(name, 0)] += own;
        for (auto& row : after) {
          const double joined = normal(random);
          distance += std::fabs(joined);
          row[table_.cell(name, 1)] += joined;
        }
      }
      EXPECT_LE(std::fabs(std::log(at(*summed, after) / at(*summed, before))), beta * distance * (1.0 + 1e-9) + 1e-9)
          << to_string(*summed);
    }
  }
}

TEST_F(SumOverRows, WhatIsOwnStandsOutsideAndTheRowsAreCounted) {
  const BoundPtr summed = sum(product_of({magnitude("x", 0), decay("y", 1)}));
  const auto* product = std::get_if<ProductBound>(&summed->node);
  ASSERT_TRUE(product);
  EXPECT_EQ(to_string(*summed), "3 * |t.x| * (number of its join rows)") << "|x| is own, the decay is at most 3";
}

TEST_F(SumOverRows, OneMagnitudeIsAddedUpAsItIs) {
  const BoundPtr summed = sum(magnitude("y", 1), 7);
  const auto* leaf = std::get_if<LeafBound>(&summed->node);
  ASSERT_TRUE(leaf && leaf->is_summed);
  EXPECT_EQ(leaf->slopes[0].value, 7.0);
}

TEST_F(SumOverRows, WithoutAFanOutRowsAreSmoothedOneByOne) {
  EXPECT_TRUE(std::holds_alternative<RowSumBound>(sum(magnitude("y", 1), 0)->node));
}

}  // namespace
}  // namespace tacit::testing
