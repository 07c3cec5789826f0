#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "sql/coerce.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/print_expression.hpp"

namespace tacit {

// Columns and shorthands for tests of rules.
struct ExpressionFixture : ::testing::Test {
  static ExprPtr column(std::string name, SqlType type, std::optional<Value> min = {}, std::optional<Value> max = {}) {
    Column c{name, type, true, type_range(type), declared_range(type, min, max), {}, "t." + name};
    return make_column(std::make_shared<const Column>(std::move(c)), 1);
  }
  static Decimal exact(std::string_view text) { return *parse_decimal(text); }
  static ExprPtr number(std::string_view text) { return *number_literal(text, 1); }
  static ExprPtr text(std::string_view value) { return string_literal(value, 1); }
  static ExprPtr date(std::string_view value) { return *bind_cast(text(value), SqlType::date(), 1); }
  static ExprPtr timestamp(std::string_view value) { return *bind_cast(text(value), SqlType::timestamp(), 1); }
  static ExprPtr interval(std::string_view value) { return call("interval", {text(value)}); }

  // The bound call; fails the test when it is refused.
  static ExprPtr call(std::string_view rule, std::vector<ExprPtr> args) {
    auto bound = bind_call(rule, std::move(args), 1);
    EXPECT_TRUE(bound.has_value()) << rule << ": " << (bound ? "" : to_line(bound.error()));
    return bound.value_or(null_literal(1));
  }
  // The refusal's line; "accepted" when there is none.
  static std::string refusal(std::string_view rule, std::vector<ExprPtr> args) {
    const auto bound = bind_call(rule, std::move(args), 7);
    if (bound) return "accepted";
    EXPECT_EQ(bound.error().code, FailureCode::refused);
    EXPECT_FALSE(bound.error().hint.empty());
    return to_line(bound.error());
  }

  static std::string sql(const ExprPtr& expr, const Dialect& dialect = duckdb_dialect()) {
    ExpressionPrinter printer(dialect, [](const Column& c) { return c.name; });
    printer.expression(*expr);
    return printer.take();
  }

  // "[0, 10]"; an end that is not stated carries a question mark.
  static std::string range(const ExprPtr& expr) {
    const auto end = [](const auto& e) { return to_string(e.value) + (e.stated ? "" : "?"); };
    if (const auto* r = std::get_if<ExactRange>(&expr->range)) return "[" + end(r->lo) + ", " + end(r->hi) + "]";
    if (const auto* r = std::get_if<RealRange>(&expr->range)) return "[" + end(r->lo) + ", " + end(r->hi) + "]";
    return "none";
  }
  static std::string type(const ExprPtr& expr) { return to_string(expr->type); }

  const ExprPtr i32 = column("i32", SqlType::integer(32));
  const ExprPtr i64 = column("i64", SqlType::integer(64));
  const ExprPtr i128 = column("i128", SqlType::integer(128));
  const ExprPtr age = column("age", SqlType::integer(32), exact("0"), exact("120"));
  const ExprPtr price = column("price", SqlType::decimal(15, 2), exact("0"), exact("100000"));
  const ExprPtr discount = column("discount", SqlType::decimal(15, 2), exact("0"), exact("0.1"));
  const ExprPtr d15 = column("d15", SqlType::decimal(15, 2));
  const ExprPtr d38 = column("d38", SqlType::decimal(38, 10));
  const ExprPtr x = column("x", SqlType::real());
  const ExprPtr unit = column("unit", SqlType::real(), exact("0"), exact("1"));
  const ExprPtr s = column("s", SqlType::text());
  const ExprPtr b = column("b", SqlType::boolean());
  const ExprPtr d = column("d", SqlType::date());
  const ExprPtr year2020 =
      column("year2020", SqlType::date(), Value(*parse_date("2020-01-01")), Value(*parse_date("2020-12-31")));
  const ExprPtr ts = column("ts", SqlType::timestamp());
};

}  // namespace tacit
