// The SQL of PostgreSQL.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/dialects/postgres/doubles.hpp"
#include "sql/functions/ascii_case.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/like.hpp"
#include "sql/functions/print_cast.hpp"
#include "sql/functions/quotients.hpp"
#include "sql/functions/range_ends.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr Reliance postgres_reliances[] = {
    {"text compares by bytes under the collation C", "'a' COLLATE \"C\" > 'B' COLLATE \"C\""},
    {"a hash depends on its key",
     "hash_record_extended(ROW(x), 5) = hash_record_extended(ROW(-1), 5) AND hash_record_extended(ROW(x), 5) <> "
     "hash_record_extended(ROW(x), 6) AND hashint8extended(x, 5) <> hashint8extended(x, 6)"},
    {"numbers are clamped exactly", "numeric_larger(numeric_smaller(5.25, 3.50), 1) = 3.5"},
    {"integers divide towards zero", "7 / (2 * x) = -3"},
};

// What is computed as numeric.
bool is_numeric(const SqlType& type) {
  return type.kind == TypeKind::decimal || (type.kind == TypeKind::integer && type.bits == 128);
}

// The start of the names of the functions ...smaller(a, b) and ...larger(a, b), which MIN and MAX are made of. They are
// strict, immutable, and read their argument once, unlike CASE; LEAST and GREATEST would leave a NULL out.
std::string order_functions(const SqlType& type) {
  switch (type.kind) {
    case TypeKind::integer:
      return type.bits <= 16 ? "int2" : type.bits == 32 ? "int4" : type.bits == 64 ? "int8" : "numeric_";
    case TypeKind::decimal: return "numeric_";
    case TypeKind::date: return "date_";
    case TypeKind::timestamp: return "timestamp_";
    default: break;
  }
  TACIT_CHECK(false, "an exact clamp is of numbers, dates or timestamps");
}

const Expr& argument(const Expr& call) { return *std::get<Call>(call.node).args[0]; }

class PostgresDialect final : public Dialect {
 public:
  std::string type_name(const SqlType& type) const override {
    switch (type.kind) {
      case TypeKind::boolean: return "BOOLEAN";
      case TypeKind::integer:
        switch (type.bits) {
          case 8:
          case 16: return "SMALLINT";
          case 32: return "INTEGER";
          case 64: return "BIGINT";
          default: return "NUMERIC(39,0)";
        }
      case TypeKind::decimal: return fmt::format("NUMERIC({},{})", type.precision, type.scale);
      case TypeKind::real: return "DOUBLE PRECISION";
      case TypeKind::text: return "TEXT";
      case TypeKind::date: return "DATE";
      case TypeKind::timestamp: return "TIMESTAMP";
      case TypeKind::unknown: break;
    }
    TACIT_CHECK(false, "a finished expression has a type");
  }

  // Numeric arithmetic has no limit and a cast to NUMERIC(p,s) costs a function call a row: exact numbers beyond 64
  // bits are plain NUMERIC. The proof is about their value alone.
  std::string computed_type_name(const SqlType& type) const override {
    return is_numeric(type) ? "NUMERIC" : type_name(type);
  }

  std::string double_literal(double value) const override {
    return print_literal(Value(value), SqlType::real(), *this);
  }

  // PostgreSQL 14 reads no more than 32 bits of each field.
  std::string interval_literal(const Interval& interval) const override {
    constexpr std::int64_t minute = 60'000'000;
    constexpr std::int64_t hour = 60 * minute;
    const std::int64_t rest = interval.microseconds % minute;
    const std::int64_t units = rest < 0 ? -rest : rest;
    return fmt::format("INTERVAL '{} months {} days {} hours {} minutes {}{}.{:06} seconds'", interval.months,
                       interval.days, interval.microseconds / hour, interval.microseconds % hour / minute,
                       rest < 0 ? "-" : "", units / 1'000'000, units % 1'000'000);
  }

  std::string_view byte_order() const override { return " COLLATE \"C\""; }

  bool underflow_raises() const override { return true; }
  bool decimals_may_be_nan() const override { return true; }
  bool decimal_products_have_18_digits() const override { return false; }
  bool folded_nulls_lose_their_type() const override { return false; }
  // A subquery in FROM would be taken apart again, or, when told not to, read the table in one process only.
  bool computes_repetitions() const override { return false; }
  // The calendar begins with the year 4713 BC; this day is in the year 4000 BC.
  std::optional<std::int64_t> earliest_day() const override { return -2'180'000; }
  std::span<const Reliance> relied_on() const override { return postgres_reliances; }

  void print_column_operand(const Expr& column, ExpressionPrinter& printer) const override {
    if (!is_numeric(column.type)) return print_as(column, type_name(column.type), printer);
    printer.text("NULLIF(");
    printer.expression(column);
    printer.text(", 'NaN')");
  }
  void print_bounded_operand(const Expr& expr, ExpressionPrinter& printer) const override {
    if (is_numeric(expr.type)) return printer.expression(expr);
    printer.operand(expr);
  }
  void print_compared(const Expr& expr, ExpressionPrinter& printer) const override { printer.operand(expr); }

  // A decimal is a decimal of any width already. Another stored column is cast straight to the wider type, except that
  // a decimal may be NaN.
  void print_conversion(const Expr& call, ExpressionPrinter& printer) const override {
    const Expr& value = argument(call);
    if (value.type.kind != TypeKind::decimal) return print_as(value, computed_type_name(call.type), printer);
    if (call.type.kind == TypeKind::decimal) return printer.operand(value);
    print_cast(call, printer);
  }
  void print_rounded(const Expr& call, ExpressionPrinter& printer) const override {
    printer.text("ROUND(");
    printer.operand(argument(call));
    printer.text(fmt::format(", {})", call.type.scale));
  }
  void print_real_to_decimal(const Expr& call, ExpressionPrinter& printer) const override {
    print_postgres_decimal(call, printer);
  }
  // A decimal remembers the digits it was computed with.
  void print_decimal_text(const Expr& call, ExpressionPrinter& printer) const override {
    printer.text("CAST(ROUND(");
    printer.operand(argument(call));
    printer.text(fmt::format(", {}) AS TEXT)", argument(call).type.scale));
  }

  // There are no 128-bit integers: such operands are numeric.
  void print_integer_quotient(const Expr& dividend, const Expr& divisor, const SqlType& type,
                              ExpressionPrinter& printer) const override {
    const bool narrow = type.bits == 64;
    printer.text(narrow ? "" : "DIV(");
    printer.operand(dividend);
    printer.text(narrow ? " / NULLIF(" : ", NULLIF(");
    printer.operand(divisor);
    printer.text(narrow ? ", 0)" : ", 0))");
  }
  void print_remainder(const Expr& dividend, const Expr& divisor, ExpressionPrinter& printer) const override {
    printer.operand(dividend);
    printer.text(" % NULLIF(");
    printer.operand(divisor);
    printer.text(", 0)");
  }
  void print_decimal_quotient(const Expr& call, const DecimalQuotient& plan,
                              ExpressionPrinter& printer) const override {
    const auto& args = std::get<Call>(call.node).args;
    const int cut_scale = call.type.scale + 1;
    const auto as_numeric = [&](const Expr& units) {
      printer.text("CAST(");
      printer.operand(units);
      printer.text(" AS NUMERIC)");
    };
    printer.text("ROUND(DIV(");
    as_numeric(*args[0]);
    printer.text(" * ");
    printer.literal(Decimal{power_of_ten(plan.shift), 0}, SqlType::integer(plan.is_narrow ? 64 : 128));
    printer.text(", NULLIF(");
    as_numeric(*args[1]);
    printer.text(", 0)) * ");
    printer.literal(Decimal{1, cut_scale}, SqlType::decimal(cut_scale, cut_scale));
    printer.text(fmt::format(", {})", call.type.scale));
  }
  void print_real_product(const Expr& x, const Expr& y, ExpressionPrinter& printer) const override {
    print_postgres_product(x, y, printer);
  }
  void print_nearest_whole(const Expr& x, ExpressionPrinter& printer) const override {
    printer.text("ROUND(");
    printer.operand(x);
    printer.text(")");
  }

  // larger(smaller(x, hi), lo). The smaller of NaN and hi is hi.
  void print_exact_clamp(const Expr& call, ExpressionPrinter& printer) const override {
    const Expr& value = argument(call);
    const RangeEnds ends = literal_ends(call);
    const EndsToCheck check = ends_to_check(call, value);
    const std::string functions = order_functions(call.type);
    if (check.lo) printer.text(functions + "larger(");
    if (check.hi) {
      printer.text(functions + "smaller(");
      printer.bounded_operand(value);
      printer.text(", ");
      printer.literal(ends.hi, call.type);
      printer.text(")");
    } else {
      printer.operand(value);
    }
    if (!check.lo) return;
    printer.text(", ");
    printer.literal(ends.lo, call.type);
    printer.text(")");
  }

  void print_seconds(const Expr& moment, ExpressionPrinter& printer) const override {
    printer.text("CAST(EXTRACT(second FROM ");
    printer.operand(moment);
    printer.text(") AS NUMERIC)");
  }

  // Under the collation "C" LOWER and UPPER know no other letters.
  void print_letter_case(LetterCase wanted, const Expr& text, ExpressionPrinter& printer) const override {
    printer.text(wanted == LetterCase::lower ? "LOWER(" : "UPPER(");
    printer.operand(text);
    printer.text(byte_order());
    printer.text(")");
  }

  // LIKE never looks again for what it has found before a %.
  void print_like(const Expr& call, ExpressionPrinter& printer) const override {
    const std::string& pattern = normal_like_pattern(call);
    print_like_operator(call, pattern, pattern.find('\\') != std::string::npos, printer);
  }

  std::string sum_within(const std::string& x, const Decimal& limit, const SqlType& type) const override {
    const SqlType literal = type.kind == TypeKind::decimal ? type : SqlType::integer(128);
    return fmt::format("CAST(numeric_larger(numeric_smaller(SUM({}), {}), {}) AS {})", x,
                       print_literal(limit, literal, *this),
                       print_literal(Decimal{-limit.units, limit.scale}, literal, *this), computed_type_name(type));
  }

  // 64-bit integers and decimals are summed as numeric, but smaller integers in 64 bits.
  std::optional<SqlType> summed_type(const SqlType& type) const override {
    const bool is_summed_as_integer = type.kind == TypeKind::integer && type.bits != 64;
    return is_summed_as_integer ? std::optional(SqlType::integer(64)) : std::nullopt;
  }

  std::string quantile_of(const std::string& x, const std::string& share) const override {
    return fmt::format("PERCENTILE_CONT({}) WITHIN GROUP (ORDER BY {})", share, x);
  }

  std::string multiple_of_log2(int factor, const std::string& x) const override {
    return fmt::format("LN({}) * {}", x, double_literal(factor / std::log(2.0)));
  }

  // The hashes of several columns are combined so that the last one's own hash decides the order: hashed once more.
  std::string keyed_hash(const std::string& columns, std::uint64_t key) const override {
    return fmt::format("HASHINT8EXTENDED(HASH_RECORD_EXTENDED(ROW({0}), CAST('{1}' AS BIGINT)), CAST('{1}' AS BIGINT))",
                       columns, std::bit_cast<std::int64_t>(key));
  }

  // A few years are stored that 64 bits do not hold.
  std::string is_readable_timestamp(const std::string& x) const override {
    return fmt::format("ISFINITE({0}) AND {0} < TIMESTAMP '294247-01-01'", x);
  }
};

}  // namespace

const Dialect& postgres_dialect() {
  static const PostgresDialect dialect;
  return dialect;
}

}  // namespace tacit
