#include "noise/add_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/check.hpp"
#include "noise/sampling/release_range.hpp"
#include "noise/value_order.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

// At this epsilon per unit the noise is 0 but for a chance of e^-1000: the tests below see through it.
constexpr double transparent = 1000.0;

// SELECT keys..., aggregates... in that order; cells one after the other.
struct PlanBuilder {
  MechanismPlan plan;

  explicit PlanBuilder(std::size_t keys) {
    for (std::size_t i = 0; i < keys; ++i) {
      plan.analyzed.query.keys.emplace_back();
      plan.analyzed.query.outputs.push_back({OutputColumn::Kind::key, i, "k", SqlType::text()});
    }
  }

  PlanBuilder&& add(AggregateKind kind, RowsAggregate bound, SqlType type, double epsilon,
                    NoiseLaw law = NoiseLaw::geometric) {
    auto& plans = std::get<RowsPlan>(plan.model).aggregates;
    const std::size_t index = plans.size();
    std::size_t first_cell = 0;
    for (const RowsAggregatePlan& before : plans) first_cell += before.cells;
    plan.analyzed.query.aggregates.push_back({kind, nullptr, 0});
    plan.analyzed.query.outputs.push_back({OutputColumn::Kind::aggregate, index, "a", type});
    std::get<RowsAnalysis>(plan.analyzed.model).aggregates.push_back(bound);
    plans.push_back(
        {law, Epsilon(epsilon), bound.l1_sensitivity, first_cell, kind == AggregateKind::average ? 2U : 1U});
    return std::move(*this);
  }
  PlanBuilder&& count(double epsilon, NoiseLaw law = NoiseLaw::geometric) {
    return add(AggregateKind::count_rows, {{}, 0, 1, 1}, SqlType::integer(), epsilon, law);
  }
  // Numbers of two digits after the point in [0.00, 10.00].
  PlanBuilder&& sum(double epsilon, NoiseLaw law = NoiseLaw::laplace) {
    return add(AggregateKind::sum, {{Grid::Base::decimal, 2}, 0, 1000, 1000}, SqlType::decimal(38, 2), epsilon, law);
  }
  PlanBuilder&& average(double epsilon, NoiseLaw law = NoiseLaw::laplace) {
    return add(AggregateKind::average, {{Grid::Base::decimal, 2}, 0, 1000, 1000}, SqlType::decimal(38, 8), epsilon,
               law);
  }
  PlanBuilder&& order_by(std::size_t output, bool descending = false, bool nulls_first = false) {
    plan.analyzed.query.order_by.push_back({output, descending, nulls_first});
    return std::move(*this);
  }
};

struct EngineRow {
  std::vector<Value> keys;
  std::vector<Int128> cells;
};

ExactRows exact_rows(std::size_t keys, std::size_t cells, const std::vector<EngineRow>& rows) {
  ExactRows::Builder builder(keys, cells);
  for (const EngineRow& row : rows) {
    for (const Value& key : row.keys) builder.add_key(key);
    for (const Int128 cell : row.cells) builder.add_cell(cell);
  }
  return builder.finish();
}

Value text(const char* value) { return std::string(value); }

std::vector<std::vector<std::string>> as_text(const NoisyRows& rows) {
  std::vector<std::vector<std::string>> result;
  for (const auto& row : rows.rows) {
    auto& line = result.emplace_back();
    for (const NoisyCell& cell : row) line.push_back(to_string(cell.value));
  }
  return result;
}

using Table = std::vector<std::vector<std::string>>;

NoisyRows noisy(const PlanBuilder& builder, std::size_t cells, const std::vector<EngineRow>& rows,
                const GroupList& groups, std::uint64_t seed = 1) {
  SeededEntropy entropy(seed);
  return add_noise(exact_rows(builder.plan.analyzed.query.keys.size(), cells, rows), builder.plan, groups, entropy);
}

TEST(AddNoise, MatchesRowsToGroups) {
  const auto builder = PlanBuilder(1).count(transparent);
  const GroupList groups{{text("b")}, {text("a")}, {Null{}}, {text("empty")}};
  const std::vector<EngineRow> rows{{{text("a")}, {3}}, {{text("unlisted")}, {9}}, {{Null{}}, {5}}, {{text("b")}, {7}}};
  EXPECT_EQ(as_text(noisy(builder, 1, rows, groups)), (Table{{"b", "7"}, {"a", "3"}, {"", "5"}, {"empty", "0"}}));
}

TEST(AddNoise, NumericKeysMatchByValueAndShowTheListedSpelling) {
  const auto builder = PlanBuilder(2).count(transparent);
  const GroupList groups{{Decimal{1, 0}, Date{1}}, {Decimal{1, 0}, Date{2}}, {Decimal{25, 1}, Date{1}}};
  const std::vector<EngineRow> rows{{{Decimal{100, 2}, Date{2}}, {4}}, {{2.5, Date{1}}, {6}}};
  EXPECT_EQ(as_text(noisy(builder, 1, rows, groups)),
            (Table{{"1", "1970-01-02", "0"}, {"1", "1970-01-03", "4"}, {"2.5", "1970-01-02", "6"}}));
}

TEST(AddNoise, OneRowWithoutGroupBy) {
  const auto builder = PlanBuilder(0).count(transparent).sum(transparent * 1000);
  EXPECT_EQ(as_text(noisy(builder, 2, {{{}, {12, 345}}}, {{}})), (Table{{"12", "3.45"}}));
  EXPECT_EQ(as_text(noisy(builder, 2, {}, {{}})), (Table{{"0", "0.00"}}));
  EXPECT_EQ(as_text(noisy(builder, 2, {}, {})), Table{});
}

// An error here would tell whether both kinds of key are in the data.
TEST(AddNoise, RowsWhoseKeysReadTheSameAreAddedUp) {
  const auto builder = PlanBuilder(1).count(transparent);
  const std::vector<EngineRow> twice{{{Null{}}, {3}}, {{text("a")}, {1}}, {{Null{}}, {4}}};
  EXPECT_EQ(as_text(noisy(builder, 1, twice, {{text("a")}, {Null{}}})), (Table{{"a", "1"}, {"", "7"}}));
}

TEST(AddNoise, BrokenInvariantsAreCaught) {
  const auto builder = PlanBuilder(1).count(1.0);
  EXPECT_THROW(noisy(builder, 1, {}, {{text("a")}, {text("a")}}), InvariantBroken);
  EXPECT_THROW(noisy(builder, 1, {}, {{text("a"), text("b")}}), InvariantBroken);
  EXPECT_THROW(noisy(builder, 2, {}, {{text("a")}}), InvariantBroken);                       // a cell without aggregate
  EXPECT_THROW(noisy(builder, 1, {{{text("a")}, {1, 2}}}, {{text("a")}}), InvariantBroken);  // a ragged row
  auto no_noise = PlanBuilder(1).count(1.0);
  std::get<RowsPlan>(no_noise.plan.model).aggregates[0].sensitivity_units = 0;
  EXPECT_THROW(noisy(no_noise, 1, {}, {{text("a")}}), InvariantBroken);
  auto free = PlanBuilder(1).count(0.0);
  EXPECT_THROW(noisy(free, 1, {}, {{text("a")}}), InvariantBroken);
  auto overlapping = PlanBuilder(0).count(1.0).count(1.0);
  std::get<RowsPlan>(overlapping.plan.model).aggregates[1].first_cell = 0;
  EXPECT_THROW(noisy(overlapping, 2, {}, {{}}), InvariantBroken);
  auto short_average = PlanBuilder(0).average(1.0);
  std::get<RowsPlan>(short_average.plan.model).aggregates[0].cells = 1;
  EXPECT_THROW(noisy(short_average, 1, {}, {{}}), InvariantBroken);
}

TEST(AddNoise, DescribesTheNoise) {
  const auto builder = PlanBuilder(1).count(0.5).sum(2.0);
  const NoisyRows rows = noisy(builder, 2, {}, {{text("a")}});
  ASSERT_EQ(rows.columns.size(), 3U);
  EXPECT_EQ(rows.columns[0].mechanism, "");
  EXPECT_FALSE(rows.columns[0].scale.has_value());
  EXPECT_EQ(rows.columns[1].mechanism, "geometric");
  EXPECT_DOUBLE_EQ(rows.columns[1].scale.value(), 2.0);
  EXPECT_EQ(rows.columns[2].mechanism, "laplace");
  EXPECT_DOUBLE_EQ(rows.columns[2].scale.value(), 5.0);  // 1000 / 2 units of 0.01
  EXPECT_FALSE(rows.rows[0][0].interval95.has_value());
  EXPECT_TRUE(rows.rows[0][1].interval95.has_value());
}

TEST(AddNoise, IntervalsOfCountsAndSums) {
  const auto builder = PlanBuilder(0).count(1.0, NoiseLaw::geometric).sum(1.0, NoiseLaw::laplace);
  const NoisyRows rows = noisy(builder, 2, {{{}, {100, 50'000}}}, {{}});
  const auto width = [&](std::size_t column) {
    const auto& [low, high] = rows.rows[0][column].interval95.value();
    const Decimal value = std::get<Decimal>(rows.rows[0][column].value);
    EXPECT_TRUE(subtract(value, std::get<Decimal>(low)) == subtract(std::get<Decimal>(high), value));
    return to_string(subtract(std::get<Decimal>(high), value).value());
  };
  EXPECT_EQ(width(0), "3");      // 1 - 2 e^-4 / (1 + e^-1) = 0.973, for 2: 0.927
  EXPECT_EQ(width(1), "29.96");  // 1000 ln 20 - 1/2 = 2995.2
}

TEST(AddNoise, EveryCellHasItsOwnNoise) {
  const auto builder = PlanBuilder(1).count(0.0001).count(0.0001);
  GroupList groups;
  for (int i = 0; i < 100; ++i) groups.push_back({Decimal{i, 0}});
  std::set<std::string> values;
  for (const auto& row : as_text(noisy(builder, 2, {}, groups))) values.insert({row[1], row[2]});
  EXPECT_GT(values.size(), 190U);
  EXPECT_NE(as_text(noisy(builder, 2, {}, groups, 1)), as_text(noisy(builder, 2, {}, groups, 2)));
}

TEST(AddNoise, OneAggregateShownTwiceIsOneNumber) {
  auto builder = PlanBuilder(0).count(0.001);
  builder.plan.analyzed.query.outputs.push_back(builder.plan.analyzed.query.outputs.back());
  const auto rows = as_text(noisy(builder, 1, {{{}, {50}}}, {{}}));
  EXPECT_EQ(rows[0][0], rows[0][1]);
}

TEST(AddNoise, OrdersByNoisyValues) {
  auto builder = PlanBuilder(1).count(0.01).order_by(1, true);
  GroupList groups;
  for (int i = 0; i < 50; ++i) groups.push_back({Decimal{i, 0}});
  const NoisyRows all = noisy(builder, 1, {}, groups);
  for (std::size_t i = 1; i < all.rows.size(); ++i) {
    EXPECT_TRUE(compare_values(all.rows[i - 1][1].value, all.rows[i][1].value) >= 0);
  }
  builder.plan.analyzed.query.offset = 10;
  builder.plan.analyzed.query.limit = 5;
  const auto page = as_text(noisy(builder, 1, {}, groups));
  const auto whole = as_text(all);
  EXPECT_EQ(page, Table(whole.begin() + 10, whole.begin() + 15));
}

TEST(AddNoise, OrdersByKeysWithNulls) {
  const auto builder = PlanBuilder(1).count(transparent).order_by(0, false, true);
  const GroupList groups{{text("b")}, {text("a")}, {Null{}}};
  EXPECT_EQ(as_text(noisy(builder, 1, {}, groups)), (Table{{"", "0"}, {"a", "0"}, {"b", "0"}}));
}

TEST(AddNoise, AverageOfTwoSums) {
  const auto builder = PlanBuilder(0).average(transparent * 1000);
  // Values 2.50 and 5.00: a = 7.50, b = 12.50.
  EXPECT_EQ(as_text(noisy(builder, 2, {{{}, {750, 1250}}}, {{}})), (Table{{"3.75000000"}}));
  // No weight at all: no answer, and a note.
  const NoisyRows nothing = noisy(builder, 2, {}, {{}});
  EXPECT_TRUE(std::holds_alternative<Null>(nothing.rows[0][0].value));
  EXPECT_FALSE(nothing.rows[0][0].interval95.has_value());
  ASSERT_EQ(nothing.notes.size(), 1U);
  EXPECT_NE(nothing.notes[0].find("no value at all"), std::string::npos) << nothing.notes[0];
}

// 20,000 empty groups, each shown with a chance of 0.05 at most: more than 1,120 with a probability below 1e-4. A group
// of 20 / epsilon rows is left out with a chance of 1e-6.
TEST(AddNoise, AnEmptyGroupHasNoAverage) {
  for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::laplace}) {
    for (const double epsilon : {0.1, 1.0, 5.0}) {
      const auto builder = PlanBuilder(1).average(epsilon, law);
      GroupList groups;
      std::vector<EngineRow> rows;
      for (int i = 0; i < 20'000; ++i) groups.push_back({Decimal{i, 0}});
      for (int i = 0; i < 20'000; i += 2000) {
        const auto count = static_cast<Int128>(20.0 / epsilon);
        rows.push_back({{Decimal{i, 0}}, {count * 400, count * 600}});
      }
      const NoisyRows answer = noisy(builder, 2, rows, groups);
      int shown = 0;
      for (std::size_t i = 0; i < groups.size(); ++i) {
        const bool is_null = std::holds_alternative<Null>(answer.rows[i][1].value);
        EXPECT_NE(is_null, answer.rows[i][1].interval95.has_value());
        EXPECT_FALSE(i % 2000 == 0 && is_null);
        shown += is_null ? 0 : 1;
      }
      EXPECT_LE(shown, 1'120 + 10) << name_of(law) << epsilon;
      ASSERT_EQ(answer.notes.size(), 1U);
      EXPECT_NE(answer.notes[0].find("of 20000 groups may be empty"), std::string::npos) << answer.notes[0];
    }
  }
}

TEST(AddNoise, AverageStaysWithinBoundsAndItsInterval) {
  const auto builder = PlanBuilder(1).average(0.5);
  GroupList groups;
  std::vector<EngineRow> rows;
  for (int i = 0; i < 3000; ++i) {
    groups.push_back({Decimal{i, 0}});
    rows.push_back({{Decimal{i, 0}}, {(i % 7) * 3000, (i % 5) * 4000}});
  }
  int at_bound = 0;
  for (const auto& row : noisy(builder, 2, rows, groups).rows) {
    if (std::holds_alternative<Null>(row[1].value)) continue;
    const auto& value = std::get<Decimal>(row[1].value);
    const auto& low = std::get<Decimal>(row[1].interval95->first);
    const auto& high = std::get<Decimal>(row[1].interval95->second);
    ASSERT_TRUE(Decimal({0, 0}) <= low && low <= value && value <= high && high <= Decimal({10, 0}));
    at_bound += value == Decimal{0, 0} || value == Decimal{10, 0} ? 1 : 0;
  }
  EXPECT_GT(at_bound, 100);  // noise this large does push averages to the bounds
}

TEST(AddNoise, BinaryGridsGiveDoubles) {
  const Grid eighths{Grid::Base::binary, 3};
  auto builder = PlanBuilder(0)
                     .add(AggregateKind::sum, {eighths, -8, 8, 8}, SqlType::real(), 8 * transparent)
                     .add(AggregateKind::average, {eighths, -8, 8, 16}, SqlType::real(), 16 * transparent);
  const NoisyRows rows = noisy(builder, 3, {{{}, {-12, 8, 24}}}, {{}});
  EXPECT_EQ(std::get<double>(rows.rows[0][0].value), -1.5);
  EXPECT_EQ(std::get<double>(rows.rows[0][1].value), -0.5);
  EXPECT_EQ(std::get<double>(rows.rows[0][0].interval95->first), -1.5);
}

// Seeded: the shares below are the same on every run. 0.95 - 4 standard deviations of 20000 draws is 0.944.
TEST(AddNoise, IntervalsCover) {
  for (const NoiseLaw law : {NoiseLaw::geometric, NoiseLaw::laplace}) {
    for (const Int128 rows_in_group : {1, 20, 2000}) {
      const auto builder = PlanBuilder(1).count(0.3, law).sum(0.3, law).average(0.3, law);
      // Half of the values are 2.00, half 3.00.
      const Int128 sum = rows_in_group * 250;
      GroupList groups;
      std::vector<EngineRow> rows;
      constexpr int group_count = 20'000;
      for (int i = 0; i < group_count; ++i) {
        groups.push_back({Decimal{i, 0}});
        rows.push_back({{Decimal{i, 0}}, {rows_in_group, sum, sum, rows_in_group * 1000 - sum}});
      }
      const std::vector<Value> truth{Null{}, Decimal{rows_in_group, 0}, Decimal{sum, 2}, Decimal{25, 1}};
      std::vector<int> covered(4, 0);
      int hidden = 0;  // averages of groups that may be empty
      for (const auto& row : noisy(builder, 4, rows, groups, 17).rows) {
        for (std::size_t column = 1; column < 4; ++column) {
          if (!row[column].interval95) {
            ASSERT_EQ(column, 3U);
            ++hidden;
            continue;
          }
          const auto& [low, high] = *row[column].interval95;
          covered[column] +=
              compare_values(low, truth[column]) <= 0 && compare_values(truth[column], high) <= 0 ? 1 : 0;
        }
      }
      for (std::size_t column = 1; column < 3; ++column) {
        EXPECT_GE(covered[column], 0.944 * group_count) << name_of(law) << " column " << column;
      }
      EXPECT_GE(covered[3], 0.944 * (group_count - hidden)) << name_of(law);
      EXPECT_TRUE(rows_in_group < 2000 || hidden == 0);
      // The sum's grid is fine enough for the stated probability to be the real one.
      EXPECT_LE(covered[2], 0.956 * group_count);
    }
  }
}

TEST(AddNoise, ManyGroups) {
  const auto builder = PlanBuilder(1).count(1.0).order_by(1, true);
  GroupList groups;
  std::vector<EngineRow> rows;
  for (int i = 0; i < 200'000; ++i) {
    groups.push_back({Decimal{i, 0}});
    rows.push_back({{Decimal{199'999 - i, 0}}, {i}});
  }
  const NoisyRows answer = noisy(builder, 1, rows, groups);
  EXPECT_EQ(answer.rows.size(), 200'000U);
  // Group k has count 199999 - k: the largest noisy counts are among the first groups.
  EXPECT_LT(std::get<Decimal>(answer.rows[0][0].value).units, 100);
}

TEST(AddNoise, ResultsStopAt38Digits) {
  const auto builder = PlanBuilder(0).count(transparent);
  EXPECT_EQ(as_text(noisy(builder, 1, {{{}, {largest_release + 5}}}, {{}})), (Table{{std::string(38, '9')}}));
}

TEST(RevealToOwner, ShowsExactValuesWithoutIntervals) {
  const auto builder = PlanBuilder(1).count(0.001).sum(0.001).average(0.001).order_by(3, false);
  const std::vector<EngineRow> rows{{{text("a")}, {2, 750, 750, 1250}}, {{text("c")}, {1, 100, 100, 900}}};
  const NoisyRows shown =
      reveal_to_owner(exact_rows(1, 4, rows), builder.plan, {{text("a")}, {text("b")}, {text("c")}});
  EXPECT_EQ(as_text(shown),
            (Table{{"c", "1", "1.00", "1.00000000"}, {"a", "2", "7.50", "3.75000000"}, {"b", "0", "0.00", ""}}));
  EXPECT_TRUE(std::holds_alternative<Null>(shown.rows[2][3].value));
  for (const auto& row : shown.rows) {
    for (const NoisyCell& cell : row) EXPECT_FALSE(cell.interval95.has_value());
  }
  for (const NoisyColumn& column : shown.columns) {
    EXPECT_EQ(column.mechanism, "");
    EXPECT_FALSE(column.scale.has_value());
  }
}

}  // namespace
}  // namespace tacit
