#include "sensitivity/metric/derivative/assign_rates.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sensitivity/metric/derivative/norm_dual.hpp"
#include "sensitivity/metric/derivative/private_row_testing.hpp"

namespace tacit::testing {
namespace {

double norm(const NormExponent& exponent, const std::vector<double>& parts) {
  double total = 0.0;
  for (const double part : parts) {
    total = exponent.infinite ? std::max(total, part) : total + std::pow(part, to_double(exponent.p));
  }
  return exponent.infinite ? total : std::pow(total, 1.0 / to_double(exponent.p));
}

const NormExponent exponents[] = {{}, {false, Decimal{2, 0}}, {true, {}}};

// Two tables, the first in two roles.
struct Database {
  PrivateTable first;
  PrivateTable second;
  std::vector<Role> roles;
  PrivateColumns columns;
  NormExponent tables;

  Database(const NormExponent& rows, const NormExponent& tables_combine)
      : first("l1(0.5 * x, linf(y, 3 * z))", numbers({"x", "y", "z"}), rows, 2),
        second("l2(u, 0.1 * v)", numbers({"u", "v"}), rows),
        tables(tables_combine) {
    roles = first.roles();
    roles.push_back(second.roles()[0]);
    columns = private_columns(roles);
  }

  static std::vector<PrivateTable::Spec> numbers(const std::vector<std::string>& names) {
    std::vector<PrivateTable::Spec> specs;
    for (const auto& name : names) specs.push_back({name, SqlType::integer(32)});
    return specs;
  }

  RowValues random_row(std::mt19937_64& random, double size) const {
    std::normal_distribution<double> normal;
    RowValues row;
    for (const auto& [column, cell] : columns) row[column] = random() % 3 == 0 ? 0.0 : size * normal(random);
    return row;
  }

  // The two roles of the first table show two rows of it.
  double distance(const RowValues& a, const RowValues& b) const {
    const double of_first = norm(first.metric().rows_combine, {first.distance(a, b, 0), first.distance(a, b, 1)});
    return norm(tables, {of_first, second.distance(a, b)});
  }
};

class AssignRates : public ::testing::Test {
 protected:
  static BoundPtr random_leaf(const Database& world, std::mt19937_64& random) {
    auto cell = world.columns.begin();
    std::advance(cell, static_cast<long>(random() % world.columns.size()));
    const std::shared_ptr<const Column> column(std::shared_ptr<const Column>{}, cell->first);
    const ExprPtr x = make_column(column, 1);
    switch (random() % 4) {
      case 0: return leaf_bound({MagnitudeShape{}, x, {{cell->first, 1.0}}, infinity, nullptr});
      case 1: return leaf_bound({PowerShape{2.0}, x, {{cell->first, 1.0}}, infinity, nullptr});
      case 2:
        return leaf_bound({DecayShape{{{-2.0, 3.0, 1.5}, {9.0, 10.0, 4.0}}}, x, {{cell->first, 1.0}}, 4.0, nullptr});
      default: break;
    }
    auto other = world.columns.begin();
    std::advance(other, static_cast<long>(random() % world.columns.size()));
    const std::shared_ptr<const Column> second(std::shared_ptr<const Column>{}, other->first);
    const ExprPtr sum = bound_call("+", {bound_call("*", {literal("3"), x}), make_column(second, 1)});
    if (other == cell) return leaf_bound({MagnitudeShape{}, sum, {{cell->first, 4.0}}, infinity, nullptr});
    return leaf_bound({MagnitudeShape{}, sum, {{cell->first, 3.0}, {other->first, 1.0}}, infinity, nullptr});
  }

  static BoundPtr random_bound(const Database& world, std::mt19937_64& random, int depth) {
    if (depth == 0 || random() % 4 == 0) return random_leaf(world, random);
    std::vector<BoundPtr> parts;
    for (std::size_t i = 0; i < 2 + random() % 2; ++i) parts.push_back(random_bound(world, random, depth - 1));
    switch (random() % 4) {
      case 0: return sum_of(std::move(parts));
      case 1: return max_of(std::move(parts));
      case 2: return root_of(2.0, std::move(parts));
      default: return product_of(std::move(parts));
    }
  }

  static double plain_at(const LeafBound& leaf, double s) {
    if (const auto* power = std::get_if<PowerShape>(&leaf.shape)) return std::pow(std::fabs(s), power->exponent);
    if (const auto* decay = std::get_if<DecayShape>(&leaf.shape)) {
      double height = 0.0;
      for (const auto& bump : decay->bumps) {
        if (bump.lo <= s && s <= bump.hi) height = std::max(height, bump.height);
      }
      return height;
    }
    return std::fabs(s);
  }
};

TEST_F(AssignRates, TheBoundIsBetaSmoothInTheDatabaseNorm) {
  std::mt19937_64 random(1);
  for (const auto& rows : exponents) {
    for (const auto& tables : exponents) {
      const Database world(rows, tables);
      for (int i = 0; i < 60; ++i) {
        const double beta = i % 3 == 0 ? 2.0 : 0.2;
        const BoundPtr bound = assign_rates(random_bound(world, random, 2), world.roles, world.columns, tables, beta);
        for (int k = 0; k < 60; ++k) {
          const RowValues a = world.random_row(random, k % 2 == 0 ? 10.0 : 1.0);
          RowValues b = world.random_row(random, 1.0);
          for (auto& [column, value] : b) value = a.at(column) + value * (k % 4 == 0 ? 1e-3 : 1.0);
          const double moved = std::fabs(std::log(bound_at(*bound, a)) - std::log(bound_at(*bound, b)));
          EXPECT_LE(moved, beta * world.distance(a, b) * (1.0 + 1e-9) + 1e-9) << to_string(*bound);
        }
      }
    }
  }
}

TEST_F(AssignRates, NoLeafFallsBelowWhatItBounds) {
  std::mt19937_64 random(2);
  const Database world({}, {});
  for (int i = 0; i < 200; ++i) {
    const BoundPtr leaf = random_leaf(world, random);
    const BoundPtr bound = assign_rates(leaf, world.roles, world.columns, world.tables, 0.3);
    for (int k = 0; k < 40; ++k) {
      const RowValues row = world.random_row(random, 10.0);
      const auto& plain = std::get<LeafBound>(leaf->node);
      EXPECT_GE(bound_at(*bound, row), plain_at(plain, sql_value(*plain.statistic, row)) * (1.0 - 1e-12));
    }
  }
}

// Under linf two rows move for the price of one: a product over both may use half of beta in each.
TEST_F(AssignRates, RowsThatMoveTogetherShareTheRate) {
  const Database world({true, {}}, {});
  const auto leaf = [&](const char* name, std::size_t role) {
    return leaf_bound(
        {MagnitudeShape{}, world.first.column(name, role), {{world.first.cell(name, role), 1.0}}, infinity, nullptr});
  };
  const BoundPtr bound =
      assign_rates(product_of({leaf("x", 0), leaf("y", 1)}), world.roles, world.columns, world.tables, 0.1);
  RowValues a, b;
  for (const auto& [column, cell] : world.columns) a[column] = b[column] = 0.0;
  b[world.first.cell("x", 0)] = 2.0;  // distance 1 in its row
  b[world.first.cell("y", 1)] = 1.0;  // distance 1 in the other
  EXPECT_DOUBLE_EQ(world.distance(a, b), 1.0);
  EXPECT_LE(std::log(bound_at(*bound, b) / bound_at(*bound, a)), 0.1 + 1e-9);
}

TEST_F(AssignRates, ACapThatIsLowEnoughIsAConstantAndLeavesItsShare) {
  const Database world({}, {});
  const Column* x = world.first.cell("x");
  const auto magnitude = [&](double cap) {
    return leaf_bound({MagnitudeShape{}, world.first.column("x"), {{x, 1.0}}, cap, nullptr});
  };
  const BoundPtr low = assign_rates(magnitude(1.0), world.roles, world.columns, world.tables, 0.1);
  ASSERT_TRUE(is_constant(*low));
  EXPECT_EQ(constant_of(*low), 1.0);
  EXPECT_FALSE(is_constant(*assign_rates(magnitude(1e9), world.roles, world.columns, world.tables, 0.1)));
}

// 2^60 and its neighbours are one double: a bound that decays with them would jump.
TEST_F(AssignRates, PositionsThatDoublesDoNotTellApartDoNotDecay) {
  const PrivateTable table("id", {{"id", SqlType::integer(64)}});
  const auto decay = [&](double at) {
    const BoundPtr leaf =
        leaf_bound({DecayShape{{{at, at + 1.0, 1.0}}}, table.column("id"), {{table.cell("id"), 1.0}}, 1.0, nullptr});
    return assign_rates(leaf, table.roles(), table.columns(), NormExponent{}, 0.1);
  };
  EXPECT_TRUE(is_constant(*decay(0x1p60)));
  EXPECT_FALSE(is_constant(*decay(1e4)));
}

TEST_F(AssignRates, ALeafThatNothingMovesIsLeftAlone) {
  const Database world({}, {});
  const BoundPtr leaf =
      leaf_bound({MagnitudeShape{}, world.first.column("x"), {{world.first.cell("x"), 0.0}}, infinity, nullptr});
  const BoundPtr bound = assign_rates(leaf, world.roles, world.columns, world.tables, 0.1);
  EXPECT_EQ(leaves_of(*bound).size(), 1);
}

}  // namespace
}  // namespace tacit::testing
