#include "sensitivity/metric/epsilon_divisor.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sensitivity/metric/derivative/private_row_testing.hpp"
#include "sensitivity/metric/metric_world_testing.hpp"

namespace tacit::testing {
namespace {

std::vector<double> divisors(const std::string& sql, const MetricWorld& world = {}) {
  std::vector<double> found;
  for (const auto& cell : MetricQuestion(sql, world).analysis().cells) found.push_back(cell.epsilon_divisor);
  return found;
}

using Divisors = std::vector<double>;

TEST(EpsilonDivisor, OutputsOfDifferentCellsOfAnL1MetricPayOnce) {
  EXPECT_EQ(divisors("SELECT SUM(x), SUM(y) FROM item"), (Divisors{1, 1}));
  EXPECT_EQ(divisors("SELECT SUM(x), SUM(x * y), COUNT(*) FROM item"), (Divisors{2, 2, 1}));
  EXPECT_EQ(divisors("SELECT AVG(x) FROM item"), (Divisors{1, 1}));  // whether x is NULL is public
  EXPECT_EQ(divisors("SELECT AVG(x) FROM item WHERE y < 3"), (Divisors{2, 2}));
}

TEST(EpsilonDivisor, CellsOfAnotherNormPayForEachOther) {
  EXPECT_EQ(divisors("SELECT SUM(x), SUM(y) FROM item", {.item_metric = "linf(x, y)"}), (Divisors{2, 2}));
  EXPECT_EQ(divisors("SELECT SUM(x), SUM(y), SUM(size) FROM item", {.item_metric = "l1(l2(x, y), size)"}),
            (Divisors{2, 2, 1}));
}

// One row's x and another row's y move for the price of one when rows combine by linf.
TEST(EpsilonDivisor, RowsOfAnotherNormPayForEachOther) {
  EXPECT_EQ(divisors("SELECT SUM(x), SUM(y) FROM item", {.item_rows = "linf"}), (Divisors{2, 2}));
}

TEST(EpsilonDivisor, ARowPaysForEveryGroupItJoinsInto) {
  EXPECT_EQ(divisors("SELECT tag, SUM(x) FROM item GROUP BY tag"), (Divisors{1}));
  EXPECT_EQ(divisors("SELECT a.tag, SUM(a.x * b.x) FROM item a JOIN item b ON a.partner = b.id GROUP BY a.tag",
                     {.item_more = "primary_key = [\"id\"]\ndependencies = [\"partner ->[3] id\"]\n"}),
            (Divisors{4}));
  EXPECT_EQ(
      MetricQuestion("SELECT item.tag, SUM(u) FROM item JOIN part ON part_id = part.id GROUP BY item.tag").refusal(),
      "a row of part may join into any number of groups, and each costs its share");
}

// sum over outputs of N(cells it reads) / divisor <= N(all): then epsilon / divisor for each costs epsilon.
class Prices : public ::testing::Test {
 protected:
  struct Move {  // of one row, and the groups it joins into
    std::size_t table;
    std::map<std::string, double> by_column;
    std::set<std::size_t> groups;
  };

  static double norm(const NormExponent& exponent, const std::vector<double>& parts) {
    double total = 0.0;
    for (const double part : parts) {
      total = exponent.infinite ? std::max(total, part) : total + std::pow(part, to_double(exponent.p));
    }
    return exponent.infinite ? total : std::pow(total, 1.0 / to_double(exponent.p));
  }

  // Only cells that `reads` tells, of rows in `group` (all of them without one).
  static double database_norm(const std::vector<const PrivateTable*>& tables, const NormExponent& combine,
                              const std::vector<Move>& moves,
                              const std::set<std::pair<std::size_t, std::string>>* reads,
                              std::optional<std::size_t> group) {
    std::vector<double> of_tables;
    for (std::size_t t = 0; t < tables.size(); ++t) {
      std::vector<double> rows;
      for (const auto& move : moves) {
        if (move.table != t || (group && !move.groups.contains(*group))) continue;
        std::map<std::string, double> seen;
        for (const auto& [column, by] : move.by_column) {
          if (!reads || reads->contains({t, column})) seen[column] = by;
        }
        rows.push_back(distance(*tables[t]->metric().metric, seen));
      }
      of_tables.push_back(norm(tables[t]->metric().rows_combine, rows));
    }
    return norm(combine, of_tables);
  }
};

TEST_F(Prices, NoMoveCostsMoreThanItsDistance) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const NormExponent exponents[] = {{}, {false, Decimal{2, 0}}, {true, {}}};
  const char* metrics[] = {"l1(a, b, c)", "l1(a, linf(b, 2 * c))", "l2(a, l1(b, c))", "linf(a, b, c)"};
  for (int i = 0; i < 4000; ++i) {
    const bool grouped = random() % 2 == 0;
    // Groups are asked for only where rows combine by l1.
    const NormExponent rows = grouped ? NormExponent{} : exponents[random() % 3];
    std::vector<PrivateTable::Spec> specs;
    for (const char* name : {"a", "b", "c"}) specs.push_back({name, SqlType::integer(32)});
    const PrivateTable first(metrics[random() % 4], specs, rows);
    const PrivateTable second(metrics[random() % 4], specs, rows);

    MetricAnalysis analysis;
    analysis.flat.roles = {first.roles()[0], second.roles()[0]};
    analysis.flat.columns = private_columns(analysis.flat.roles);
    analysis.tables_combine = exponents[random() % 3];
    if (grouped) analysis.flat.keys.push_back({literal("1"), 0});
    std::vector<std::set<std::pair<std::size_t, std::string>>> reads(1 + random() % 3);
    for (auto& of_cell : reads) {
      MetricCell cell;
      for (const auto& [column, found] : analysis.flat.columns) {
        if (random() % 3 != 0) continue;
        cell.reads.push_back(column);
        of_cell.insert({found.role, column->name});
      }
      analysis.cells.push_back(std::move(cell));
    }
    std::vector<long long> groups_per_row;
    for (int t = 0; t < 2; ++t) groups_per_row.push_back(grouped ? 1 + static_cast<long long>(random() % 2) : 1);
    const auto divisors = epsilon_divisors(analysis, groups_per_row);

    std::vector<Move> moves;
    for (std::size_t j = 0; j < 1 + random() % 4; ++j) {
      Move move{random() % 2, {}, {}};
      for (const char* name : {"a", "b", "c"}) move.by_column[name] = random() % 2 == 0 ? 0.0 : normal(random);
      while (move.groups.size() < static_cast<std::size_t>(groups_per_row[move.table]))
        move.groups.insert(random() % 3);
      moves.push_back(std::move(move));
    }
    double price = 0.0;
    const std::vector<const PrivateTable*> tables{&first, &second};
    for (std::size_t cell = 0; cell < reads.size(); ++cell) {
      for (std::size_t group = 0; group < (grouped ? 3u : 1u); ++group) {
        const std::optional<std::size_t> only = grouped ? std::optional(group) : std::nullopt;
        price += database_norm(tables, analysis.tables_combine, moves, &reads[cell], only) / divisors[cell];
      }
    }
    EXPECT_LE(price, database_norm(tables, analysis.tables_combine, moves, nullptr, std::nullopt) * (1.0 + 1e-9));
  }
}

TEST(LeastDistance, IsTheSmallestStepOfWhatIsRead) {
  const auto least = [](const std::string& sql, const MetricWorld& world = {}) {
    return MetricQuestion(sql, world).analysis().least_distance;
  };
  EXPECT_NEAR(*least("SELECT SUM(x) FROM item"), 1.0, 1e-6);
  EXPECT_NEAR(*least("SELECT SUM(x * y) FROM item", {.item_metric = "l1(0.5 * x, 3 * y)"}), 0.5, 1e-6);
  EXPECT_NEAR(
      *least("SELECT SUM(size) FROM item", {.item_metric = "ln(size)", .item_facts = "size = { min = 1, max = 10 }\n"}),
      0.1, 1e-6);
  EXPECT_FALSE(least("SELECT COUNT(*) FROM item"));
}

}  // namespace
}  // namespace tacit::testing
