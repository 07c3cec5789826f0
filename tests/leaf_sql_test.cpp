// The SQL of every leaf, run by both engines: it gives what Leaf::at gives and raises no error, whatever the statistic.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sensitivity/metric/derivative/leaves/decay.hpp"
#include "sensitivity/metric/derivative/leaves/magnitude.hpp"
#include "sensitivity/metric/derivative/leaves/power.hpp"
#include "sensitivity/metric/derivative/leaves/sech.hpp"
#include "sensitivity/metric/derivative/leaves/sigmoid.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/functions/soft_comparison.hpp"
#include "sql/print_expression.hpp"
#include "totality/engine.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rates[] = {0.0, 1e-140, 1e-20, 0.03, 1.0, 250.0, 1e90};

const std::vector<double>& statistics() {
  static const std::vector<double> values = [] {
    std::vector<double> points = {0.0};
    for (const double size : {5e-324,  1e-310, 1e-300, 1e-200, 1e-150, 1e-149, 1e-100, 1e-20,
                              1e-3,    0.1,    0.5,    1.0,    2.0,    2.9,    3.0,    3.0000000000000004,
                              4.0,     7.5,    10.0,   33.0,   100.0,  700.0,  1e3,    1e6,
                              23000.5, 1e9,    1e20,   1e100,  1e200,  1.7e308}) {
      points.push_back(size);
      points.push_back(-size);
    }
    return points;
  }();
  return values;
}

struct Named {
  std::string name;
  LeafPtr leaf;
  bool of_magnitude = false;  // its statistic is at least 0
};

std::vector<Named> magnitudes(double rate) {
  std::vector<Named> leaves = {{"capped magnitude", magnitude_leaf(rate, 40.0), true},
                               {"power 0", power_leaf(0.0, rate), true},
                               {"capped power", power_leaf(2.0, rate, 1e4), true}};
  if (rate == 0.0) return leaves;
  leaves.push_back({"magnitude", magnitude_leaf(rate), true});
  for (const double r : {0.5, 1.0, 2.0, 3.3, 60.0, 1000.0}) {
    leaves.push_back({fmt::format("power {}", r), power_leaf(r, rate), true});
  }
  return leaves;
}

std::vector<Named> positions(double rate) {
  std::vector<Bump> many;
  for (int i = 0; i < 40; ++i) many.push_back({i * 7.0, i * 7.0 + 1.0, 1.0 + i % 5});
  std::vector<Named> leaves = {
      {"one bump", decay_leaf({{3.0, 4.0, 1.0}}, rate)},
      {"bump at 0", decay_leaf({{0.0, 0.0, 1e-9}}, rate)},
      {"bump near 0", decay_leaf({{1e-200, 1e-160, 2.0}}, rate)},
      {"half lines", decay_leaf({{-infinity, -2.0, 3.0}, {1e6, infinity, 1e-30}}, rate)},
      {"forty bumps", decay_leaf(many, rate)},
  };
  for (const double precision : {1e-30, 0.2, 5.0, 1e40}) {
    leaves.push_back({fmt::format("sigmoid {}", precision), sigmoid_value_leaf(precision, rate)});
    leaves.push_back({fmt::format("sigmoid slope {}", precision), sigmoid_slope_leaf(precision, rate)});
    leaves.push_back({fmt::format("sech {}", precision), sech_value_leaf(precision, rate)});
    leaves.push_back({fmt::format("sech slope {}", precision), sech_slope_leaf(precision, rate)});
  }
  return leaves;
}

class LeafSql : public ::testing::TestWithParam<const Dialect*> {
 protected:
  void SetUp() override {
    engine_ = totality::new_engine(*GetParam());
    const char* real = GetParam() == &duckdb_dialect() ? "DOUBLE" : "DOUBLE PRECISION";
    if (GetParam() == &duckdb_dialect()) engine_->ask("CREATE SCHEMA IF NOT EXISTS public");
    ASSERT_EQ(engine_->ask(fmt::format("CREATE TABLE public.statistic(i INTEGER, s {})", real)).error, "");
    std::string rows;
    for (std::size_t i = 0; i < statistics().size(); ++i) {
      rows += fmt::format("{}({}, CAST('{}' AS {}))", i == 0 ? "" : ", ", i, statistics()[i], real);
    }
    ASSERT_EQ(engine_->ask("INSERT INTO public.statistic VALUES " + rows).error, "");
  }

  void expect_same(const Named& named, double rate) {
    const std::string sql = named.leaf->sql("t.s", *GetParam());
    const std::string where = named.of_magnitude ? " WHERE t.s >= 0" : "";
    const auto answer = engine_->ask("SELECT t.i, " + sql + " FROM public.statistic AS t" + where + " ORDER BY t.i");
    ASSERT_EQ(answer.error, "") << named.name << ", rate " << rate << "\n" << sql;
    ASSERT_FALSE(answer.cells.empty());
    for (const auto& row : answer.cells) {
      const double s = statistics()[std::stoul(*row[0])];
      const double expected = named.leaf->at(s);
      ASSERT_NEAR(std::stod(row[1].value_or("nan")) / expected, 1.0, 1e-12)
          << named.name << ", rate " << rate << ", s = " << s << "\n"
          << sql;
    }
  }

  std::unique_ptr<totality::Engine> engine_;
};

TEST_P(LeafSql, OfMagnitudesIsWhatAtSays) {
  for (const double rate : rates) {
    for (const auto& named : magnitudes(rate)) expect_same(named, rate);
  }
}

TEST_P(LeafSql, OfPositionsIsWhatAtSays) {
  for (const double rate : rates) {
    for (const auto& named : positions(rate)) expect_same(named, rate);
  }
}

// Not a leaf, but computed in the same way, and beside them.
TEST_P(LeafSql, SoftComparisonsRaiseNoErrorAndAreAsNearAsStated) {
  const auto column = std::make_shared<const Column>(
      Column{"s", SqlType::real(), true, type_range(SqlType::real()), {}, {}, "statistic.s"});
  ASSERT_EQ(engine_
                ->ask("INSERT INTO public.statistic VALUES (-1, NULL), (-2, 'nan'), (-3, 'infinity'), (-4, "
                      "'-infinity')")
                .error,
            "");
  for (const double center : {0.0, 3.0, -700.0, 1e-200, 1e100}) {
    for (const double a : {1e-9, -1e-9, 0.2, 5.0, -5.0, 1e9, -1e9}) {
      for (const bool is_sigmoid : {true, false}) {
        const ExprPtr x = make_column(column, 0);
        const ExprPtr soft = is_sigmoid ? sigmoid_of(x, center, a) : sech_of(x, center, a);
        ExpressionPrinter printer(*GetParam(), [](const Column&) { return std::string("t.s"); });
        printer.expression(*soft);
        const std::string sql = printer.take();
        const auto answer = engine_->ask("SELECT t.i, " + sql + " FROM public.statistic AS t");
        ASSERT_EQ(answer.error, "") << sql;
        for (const auto& row : answer.cells) {
          const int i = std::stoi(*row[0]);
          const double computed = std::stod(row[1].value_or("nan"));
          const bool is_number = i >= 0 || i <= -3;
          const long double s = i >= 0 ? statistics()[static_cast<std::size_t>(i)] : i == -3 ? infinity : -infinity;
          const long double t = a * (s - center);
          const long double exact = is_sigmoid ? 1.0L / (1.0L + std::exp(-t)) : 1.0L / std::cosh(t);
          ASSERT_NEAR(computed, is_number ? static_cast<double>(exact) : 0.0, sech_rounding) << sql << "\n" << s;
        }
      }
    }
  }
}

TEST_P(LeafSql, IsADoubleEvenOfALiteral) {
  const auto leaf = decay_leaf({{3.0, 4.0, 1.0}}, 0.1);
  const std::string zero = GetParam() == &duckdb_dialect() ? "CAST(0 AS DOUBLE)" : "CAST(0 AS DOUBLE PRECISION)";
  const std::string sql = leaf->sql(zero, *GetParam());
  EXPECT_EQ(engine_->value("SELECT " + engine_->type_of(sql)), engine_->type_name(SqlType::real()));
  EXPECT_NEAR(std::stod(engine_->value("SELECT " + sql)), std::exp(-0.3), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Engines, LeafSql, ::testing::ValuesIn(all_dialects()),
                         [](const auto& info) { return totality::name_of(*info.param); });

}  // namespace
}  // namespace tacit
