// Every expression the binder accepts is total on a real engine: whatever is stored, the SQL it prints raises no error,
// has the engine type that the proof is about, lies in the proved range, and where PostgreSQL's meaning is exact,
// equals it. Also the facts about DuckDB that the rules rely on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sql/coerce.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/interval.hpp"
#include "sql/print_expression.hpp"
#include "support/environment.hpp"
#include "totality/random_expression.hpp"

namespace tacit::totality {
namespace {

std::string print(const Expr& expr, const Dialect& dialect) {
  ExpressionPrinter printer(dialect, [](const Column& column) { return quote_identifier(column.name); });
  printer.expression(expr);
  return printer.take();
}

// The engine's spelling as a number: days, microseconds, 0 and 1. Empty: not a number, or outside Tacit's calendar.
std::optional<Decimal> as_number(const std::string& cell, const SqlType& type) {
  if (type.kind == TypeKind::boolean) return Decimal{cell == "true" ? 1 : 0, 0};
  if (type.kind == TypeKind::date) {
    const auto date = parse_date(cell);
    return date ? std::optional(Decimal{date->days, 0}) : std::nullopt;
  }
  if (type.kind == TypeKind::timestamp) {
    const auto moment = parse_timestamp(cell);
    return moment ? std::optional(Decimal{moment->microseconds, 0}) : std::nullopt;
  }
  return parse_decimal(cell);
}

bool is_bare_column(const Expr& expr) { return std::holds_alternative<ColumnRef>(expr.node); }

void expect_in_range(const Expr& expr, const std::string& cell, const std::string& sql) {
  if (const auto* real = std::get_if<RealRange>(&expr.range)) {
    const double value = std::strtod(cell.c_str(), nullptr);
    ASSERT_TRUE(value >= real->lo.value && value <= real->hi.value)
        << cell << " not in [" << real->lo.value << ", " << real->hi.value << "]\n"
        << sql;
  }
  if (const auto* exact = std::get_if<ExactRange>(&expr.range)) {
    const auto value = as_number(cell, expr.type);
    const bool moment = expr.type.kind == TypeKind::date || expr.type.kind == TypeKind::timestamp;
    // A moment outside the calendar has no number here; then its range reaches beyond the calendar too.
    if (moment && !value) {
      const ExactRange calendar = expr.type.kind == TypeKind::date ? calendar_days() : calendar_microseconds();
      ASSERT_TRUE(exact->lo.value < calendar.lo.value || exact->hi.value > calendar.hi.value) << cell << "\n" << sql;
      return;
    }
    ASSERT_TRUE(value.has_value()) << cell << "\n" << sql;
    ASSERT_TRUE(exact->lo.value <= *value && *value <= exact->hi.value)
        << cell << " not in [" << to_string(exact->lo.value) << ", " << to_string(exact->hi.value) << "]\n"
        << sql;
  }
}

// DuckDB 2.0 adds decimals of 18 digits in 19 and more; the scale is what counts, and room for the value.
bool is_type(const std::string& found, const std::string& expected) {
  if (found == expected) return true;
  const auto digits = [](const std::string& type) { return std::atoi(type.c_str() + std::string("DECIMAL(").size()); };
  const auto scale = [](const std::string& type) { return type.substr(std::min(type.find(','), type.size())); };
  return found.starts_with("DECIMAL(") && expected.starts_with("DECIMAL(") && scale(found) == scale(expected) &&
         digits(found) > digits(expected);
}

// typeof, then a cell per row; one column per sample.
void check(Engine& engine, const ExtremeTable& table, const Sample& sample) {
  const std::string expression = print(*sample.expr, engine.dialect());
  const std::string sql = "SELECT CAST(e AS VARCHAR), " + engine.type_of("e") + " FROM (SELECT row_number, " +
                          expression + " AS e FROM " + table.name() + ") AS s ORDER BY row_number";
  const auto answer = engine.ask(sql);
  ASSERT_EQ(answer.error, "") << sql;
  ASSERT_EQ(answer.cells.size(), table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto& cell = answer.cells[row][0];
    // The engine forgets the type of an expression that it folds to NULL.
    if (cell && !is_bare_column(*sample.expr)) {
      ASSERT_TRUE(is_type(*answer.cells[row][1], engine.type_name(sample.expr->type)))
          << *answer.cells[row][1] << " instead of " << engine.type_name(sample.expr->type) << "\n"
          << sql;
      expect_in_range(*sample.expr, *cell, sql);
    }
    if (!sample.model) continue;
    const auto expected = sample.model(row);
    ASSERT_EQ(cell.has_value(), expected.has_value()) << "row " << row << ", cell " << cell.value_or("NULL") << "\n"
                                                      << sql;
    if (cell) {
      ASSERT_EQ(*as_number(*cell, sample.expr->type), *expected)
          << "row " << row << ": " << *cell << ", expected " << to_string(*expected) << "\n"
          << sql;
    }
  }
}

// The same condition as a filter, where the engine's optimizer takes it apart.
void check_as_filter(Engine& engine, const ExtremeTable& table, const Sample& sample) {
  const std::string expression = print(*sample.expr, engine.dialect());
  const std::string from = " FROM " + table.name();
  const auto kept = engine.ask("SELECT count(*)" + from + " WHERE " + expression);
  const auto expected =
      engine.ask("SELECT count(*) FROM (SELECT " + expression + " AS e" + from + ") AS s WHERE e IS TRUE");
  ASSERT_EQ(kept.error, "") << expression;
  ASSERT_EQ(kept.cells, expected.cells) << expression;
}

class Totality : public ::testing::TestWithParam<const Dialect*> {
 protected:
  std::unique_ptr<Engine> owned_ = new_engine(*GetParam());
  Engine& engine_ = *owned_;
};

INSTANTIATE_TEST_SUITE_P(Engines, Totality, ::testing::ValuesIn(all_dialects()),
                         [](const auto& test) { return name_of(*test.param); });

TEST_P(Totality, RandomExpressionsNeverFailAndKeepTheirRange) {
  Engine& engine = engine_;
  const ExtremeTable table(engine);
  const auto seed = tacit::testing::number_from_environment("TACIT_TOTALITY_SEED", 20240501);
  RandomExpressions expressions(table, static_cast<unsigned>(seed));
  const int wanted = tacit::testing::count_from_environment("TACIT_TOTALITY_COUNT", 2000);
  int modelled = 0;
  for (int i = 0; i < wanted; ++i) {
    const Sample sample = expressions.any(1 + i % 4);
    ASSERT_NE(sample.expr, nullptr);
    modelled += sample.model ? 1 : 0;
    check(engine, table, sample);
    if (HasFatalFailure()) return;
    if (sample.expr->type.kind == TypeKind::boolean) check_as_filter(engine, table, sample);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(modelled, wanted / 5) << "the generator still makes expressions with an exact meaning";
}

// Products so small that PostgreSQL would raise an error are printed as 0, and what is built on them knows that.
TEST_P(Totality, WhatUnderflowsIsZeroToEverythingAround) {
  const ExtremeTable table(engine_);
  const auto real = [](const char* text) { return *bind_cast(string_literal(text, 1), SqlType::real(), 1); };
  const auto call = [](std::string_view name, std::vector<ExprPtr> args) {
    const auto bound = bind_call(name, std::move(args), 1);
    EXPECT_TRUE(bound) << name;
    return bound.value_or(null_literal(1));
  };
  for (const ColumnPtr& column : table.columns()) {
    if (column->type.kind != TypeKind::real) continue;
    const ExprPtr x = make_column(column, 1);
    const auto within = [&](const char* lo, const char* hi) {
      return call("greatest", {call("least", {x, real(hi)}), real(lo)});
    };
    const ExprPtr half = within("0.5", "1");
    for (const ExprPtr& small :
         {call("*", {within("1e-316", "1"), half}), call("*", {half, within("5e-324", "1e-310")}),
          call("exp", {within("-740", "-1")}), call("power", {within("1e-35", "1"), real("9")}),
          call("/", {within("1e-300", "1"), within("1e10", "1e20")})}) {
      for (const ExprPtr& around :
           {small, call("ln", {small}), call("power", {small, real("-1")}), call("/", {within("0", "1e-20"), small}),
            call("/", {real("1"), small}), call("sqrt", {call("negate", {small})})}) {
        check(engine_, table, {around, {}});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// The binder's limits on size and depth are below the engine's own.
TEST_P(Totality, DeepAndLargeExpressionsStillRun) {
  Engine& engine = engine_;
  const ExtremeTable table(engine);
  ExprPtr i64;
  ExprPtr real;
  for (const ColumnPtr& column : table.columns()) {
    if (column->name == "i64_bounded") i64 = make_column(column, 1);
    if (column->name == "x_bounded") real = make_column(column, 1);
  }
  const auto grow = [&](ExprPtr from, auto step) {
    int steps = 0;
    for (auto next = step(from); next; next = step(from)) {
      from = *next;
      ++steps;
    }
    EXPECT_GT(steps, 3);
    EXPECT_EQ(engine.ask("SELECT count(" + print(*from, engine.dialect()) + ") FROM " + table.name()).error, "");
  };
  grow(i64, [&](const ExprPtr& e) { return bind_call("-", {i64, e}, 1); });
  grow(i64, [&](const ExprPtr& e) { return bind_call("case", {*bind_call("is null", {i64}, 1), i64, e}, 1); });
  grow(real, [&](const ExprPtr& e) { return bind_call("sqrt", {e}, 1); });
  grow(real, [&](const ExprPtr& e) { return bind_call("/", {real, e}, 1); });
  grow(real, [&](const ExprPtr& e) { return bind_call("greatest", {*bind_call("abs", {e}, 1), real}, 1); });
}

// PostgreSQL's meaning, one hand-picked case after the other.
TEST_P(Totality, PickedExpressionsMeanWhatPostgresMeans) {
  Engine& engine = engine_;
  const auto value = [&](Result<ExprPtr> expr) {
    EXPECT_TRUE(expr.has_value()) << (expr ? "" : to_line(expr.error()));
    return expr ? engine.value("SELECT CAST(" + print(**expr, engine.dialect()) + " AS VARCHAR)") : "refused";
  };
  const auto number = [](std::string_view text) { return *number_literal(text, 1); };
  const auto minus = [](std::string_view text) { return *bind_call("negate", {*number_literal(text, 1)}, 1); };
  const auto real = [](std::string_view text) { return *bind_cast(string_literal(text, 1), SqlType::real(), 1); };
  const auto call = [](std::string_view name, std::vector<ExprPtr> args) {
    return bind_call(name, std::move(args), 1);
  };

  EXPECT_EQ(value(call("/", {minus("7"), number("2")})), "-3");
  EXPECT_EQ(value(call("%", {minus("7"), number("2")})), "-1");
  EXPECT_EQ(value(call("/", {number("7"), number("0")})), "NULL");
  EXPECT_EQ(value(call("/", {number("2.0"), number("3")})), "0.666667");
  EXPECT_EQ(value(call("/", {minus("2.0"), number("3")})), "-0.666667");
  EXPECT_EQ(value(call("/", {number("1.0"), number("0.0")})), "NULL");
  EXPECT_EQ(value(call("round", {number("2.5")})), "3");
  EXPECT_EQ(value(call("round", {minus("2.5")})), "-3");
  EXPECT_EQ(value(call("round", {number("1250"), minus("2")})), "1300");
  // Engines spell doubles differently.
  const auto real_value = [&](Result<ExprPtr> expr) { return std::strtod(value(std::move(expr)).c_str(), nullptr); };
  EXPECT_EQ(real_value(call("round", {real("2.5")})), 2.0);
  EXPECT_EQ(value(bind_cast(real("2.5"), SqlType::integer(32), 1)), "2");
  EXPECT_EQ(value(bind_cast(real("3.5"), SqlType::integer(32), 1)), "4");
  EXPECT_EQ(value(bind_cast(number("2.5"), SqlType::integer(32), 1)), "3");
  EXPECT_EQ(value(bind_cast(number("-0.05"), SqlType::text(), 1)), "-0.05");
  EXPECT_EQ(value(call("power", {real("0"), real("-1")})), "NULL");
  EXPECT_EQ(value(call("power", {real("-8"), real("0.5")})), "NULL");
  EXPECT_EQ(real_value(call("power", {real("-2"), real("3")})), -8.0);
  EXPECT_EQ(value(call("ln", {real("0")})), "NULL");
  EXPECT_EQ(value(call("sqrt", {real("-1")})), "NULL");
  EXPECT_EQ(value(call("exp", {real("1000")})), "NULL");
  EXPECT_EQ(value(call("/", {real("1"), real("0")})), "NULL");
  EXPECT_EQ(value(call("like", {string_literal("100%", 1), string_literal("100\\%", 1)})), "true");
  EXPECT_EQ(value(call("like", {string_literal("1000", 1), string_literal("100\\%", 1)})), "false");
  EXPECT_EQ(value(call("ilike", {string_literal("A\\b", 1), string_literal("a!\\b", 1), string_literal("!", 1)})),
            "true");
  EXPECT_EQ(value(call("ilike", {string_literal("STRASSE Ä", 1), string_literal("%aSSe ä", 1)})), "false");
  EXPECT_EQ(value(call("lower", {string_literal("ÄÖß \u0130 \u212A ABC", 1)})), "ÄÖß \u0130 \u212A abc");
  EXPECT_EQ(value(call("upper", {string_literal("äöß ﬁ abc", 1)})), "äöß ﬁ ABC");
  EXPECT_EQ(value(call("<", {string_literal("Z", 1), string_literal("a", 1)})), "true");
  EXPECT_EQ(value(call("greatest", {string_literal("Z", 1), string_literal("a", 1)})), "a");
  EXPECT_EQ(value(call("length", {string_literal("ünï🤦", 1)})), "4");
  const auto part = [&](const char* text, const char* start, const char* count) {
    return call("substring", {string_literal(text, 1), *number_literal(start, 1), *number_literal(count, 1)});
  };
  EXPECT_EQ(value(part("ünï🤦e\u0301x", "2", "4")), "nï🤦e");
  EXPECT_EQ(value(part("ünï🤦e\u0301x", "6", "1")), "\u0301");
  EXPECT_EQ(value(part("ünï", "3", "1000000000")), "ï");
  EXPECT_EQ(value(part("ünï", "1000000000", "1000000000")), "");
  EXPECT_EQ(value(part("ünï", "1", "0")), "");
  EXPECT_EQ(value(bind_cast(real("0.1"), SqlType::decimal(20, 19), 1)), "0.1000000000000000000");
  EXPECT_EQ(value(bind_cast(real("123456789.125"), SqlType::decimal(12, 2), 1)), "123456789.13");
  EXPECT_EQ(value(bind_cast(real("1e25"), SqlType::decimal(30, 1), 1)), "10000000000000000476472934.4");
  EXPECT_EQ(value(call("in", {number("3"), number("1"), null_literal(1)})), "NULL");
  EXPECT_EQ(value(call("in", {number("1"), number("1"), null_literal(1)})), "true");
}

// A guard that replaces an error by a number must not do so for a NULL.
TEST_P(Totality, ArithmeticWithNullIsNull) {
  const ExtremeTable table(engine_);
  for (const std::string_view name : {"+", "-", "*", "/", "%", "power"}) {
    for (const ColumnPtr& left : table.columns()) {
      for (const ColumnPtr& right : table.columns()) {
        if (!left->type.is_number() || !right->type.is_number()) continue;
        const auto bound = bind_call(name, {make_column(left, 1), make_column(right, 1)}, 1);
        if (!bound) continue;
        const std::string sql =
            fmt::format("SELECT count(*) FROM {} WHERE ({} IS NULL OR {} IS NULL) AND {} IS NOT NULL", table.name(),
                        left->name, right->name, print(**bound, engine_.dialect()));
        ASSERT_EQ(engine_.value(sql), "0") << sql;
      }
    }
  }
}

// EXTRACT, date_trunc and intervals of the engine agree with the calendar that proves their ranges.
TEST_P(Totality, TheEnginesCalendarIsOurs) {
  Engine& engine = engine_;
  std::mt19937_64 random(7);
  const auto first = static_cast<std::int64_t>(calendar_microseconds().lo.value.units);
  const auto last = static_cast<std::int64_t>(calendar_microseconds().hi.value.units);
  const Interval intervals[] = {{1, 0, 0},
                                {-13, 40, 5},
                                {0, -1, -1},
                                {119'988, 0, 0},
                                {-7, -300, 86'400'000'001},
                                {0, 0, -500'000},
                                {0, 0, -90'061'500'001},
                                {1, 2, 200'000'000'000'000'001}};
  std::string sql;
  std::vector<std::string> expected;
  const auto expect = [&](std::int64_t microseconds, const std::string& expression) {
    if (microseconds < first || microseconds > last) return;
    sql += ", CAST(CAST(" + expression + " AS TIMESTAMP) AS VARCHAR)";
    expected.push_back(to_string(Timestamp{microseconds}));
  };
  for (int i = 0; i < 150; ++i) {
    const auto span = static_cast<std::uint64_t>(last - first);
    std::int64_t moment = first + static_cast<std::int64_t>(random() % span);
    if (i == 0) moment = first;
    if (i == 1) moment = last;
    const std::string literal = "TIMESTAMP '" + to_string(Timestamp{moment}) + "'";
    sql = "SELECT 0";
    expected = {"0"};
    for (const CalendarField& field : calendar_fields()) {
      if (!field.truncates) continue;
      expect(truncate_to(field, moment), "date_trunc('" + std::string(field.name) + "', " + literal + ")");
    }
    for (const Interval& interval : intervals) {
      expect(add_interval(moment, interval), literal + " + " + engine.dialect().interval_literal(interval));
    }
    sql += ", CAST(EXTRACT(year FROM " + literal + ") AS VARCHAR)";
    expected.push_back(std::to_string(year_of(moment)));
    const auto answer = engine.ask(sql);
    ASSERT_EQ(answer.error, "");
    ASSERT_EQ(answer.cells[0].size(), expected.size());
    for (std::size_t column = 0; column < expected.size(); ++column) {
      EXPECT_EQ(answer.cells[0][column], expected[column]);
    }
  }
}

// What the rules rely on; a new engine version that changes one of these fails here first.
TEST(EngineFacts, DuckDb) {
  const auto owned = new_engine(duckdb_dialect());
  Engine& engine = *owned;
  EXPECT_EQ(engine.value("SELECT typeof(a * b) FROM (SELECT CAST(1 AS DECIMAL(15,2)) a, CAST(1 AS DECIMAL(15,2)) b)"),
            "DECIMAL(18,4)");
  EXPECT_NE(engine.ask("SELECT a * a FROM (SELECT CAST(9999999999999 AS DECIMAL(15,2)) a FROM range(2))").error, "");
  EXPECT_NE(engine.ask("SELECT a % b FROM (SELECT CAST(-9223372036854775808 AS BIGINT) a, CAST(-1 AS BIGINT) b)").error,
            "");
  EXPECT_EQ(engine.value("SELECT a // b FROM (SELECT CAST(7 AS HUGEINT) a, CAST(0 AS HUGEINT) b FROM range(2))"),
            "NULL");
  EXPECT_EQ(engine.value("SELECT CAST(x AS DECIMAL(4,1)) FROM (SELECT CAST(99.95 AS DECIMAL(15,2)) x FROM range(2))"),
            "100.0");
  if (engine.value("SELECT version()") < "v1.5") {
    EXPECT_NE(
        engine.ask("SELECT CAST(x AS DECIMAL(3,1)) FROM (SELECT CAST(99.5 AS DECIMAL(15,2)) x FROM range(2))").error,
        "")
        << "digits_to_round may be made tighter";
  }
  EXPECT_EQ(engine.value("SELECT CAST('nan' AS DOUBLE) BETWEEN -1e100 AND 1e100"), "false");
  EXPECT_EQ(engine.value("SELECT CAST('nan' AS DOUBLE) > CAST('infinity' AS DOUBLE)"), "true");
  EXPECT_EQ(engine.value("SELECT CASE WHEN x > 0 THEN ln(x) END FROM (SELECT CAST(0 AS DOUBLE) x FROM range(2))"),
            "NULL");
  EXPECT_EQ(engine.value("SELECT 'a\\_b' LIKE 'a\\_b'"), "true") << "a backslash is an ordinary character";
  EXPECT_EQ(engine.value("SELECT 'Z' < 'a'"), "true") << "text is compared by bytes";
}

TEST(EngineFacts, Postgres) {
  const auto owned = new_engine(postgres_dialect());
  Engine& engine = *owned;
  EXPECT_NE(engine.ask("SELECT 1e-200::float8 * 1e-200::float8").error, "") << "underflow of a product is an error";
  EXPECT_NE(engine.ask("SELECT exp(-746::float8)").error, "");
  EXPECT_EQ(engine.value("SELECT exp(-700::float8) > 0"), "t");
  EXPECT_EQ(engine.value("SELECT 0::float8 * 5e-324::float8"), "0");
  EXPECT_EQ(engine.value("SELECT least(NULL, 3)"), "3");
  EXPECT_EQ(
      engine.value("SELECT CASE WHEN x < 0 THEN 0 WHEN x > 5 THEN 5 ELSE x END FROM (SELECT 'NaN'::numeric) AS s(x)"),
      "5");
  EXPECT_EQ(engine.value("SELECT NULLIF('NaN'::numeric(5,2), 'NaN')"), "NULL");
  EXPECT_EQ(engine.value("SELECT pg_typeof(sum(1::bigint))"), "numeric") << "no sum of 64 bits overflows";
  EXPECT_EQ(engine.value("SELECT CASE WHEN x > 0 THEN ln(x) END FROM (VALUES (0::float8)) AS s(x)"), "NULL");
  EXPECT_EQ(engine.value("SELECT CASE WHEN -1::float8 > 0 THEN ln(-1::float8) END"), "NULL") << "folded in order";
  EXPECT_NE(engine.ask("SELECT DATE '0001-01-01' - 3000000").error, "");
  EXPECT_EQ(engine.value("SELECT 'Z' < 'a'"), "f") << "the server's own order is not that of bytes";
}

}  // namespace
}  // namespace tacit::totality
