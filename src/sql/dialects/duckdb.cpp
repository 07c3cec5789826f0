// The SQL of DuckDB.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/functions/ascii_case.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/clamp.hpp"
#include "sql/functions/like.hpp"
#include "sql/functions/like_pattern.hpp"
#include "sql/functions/print_cast.hpp"
#include "sql/functions/quotients.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr Reliance duckdb_reliances[] = {
    {"text compares by bytes", "'a' > 'B' AND 'a' <> 'A'"},
    {"a hash depends on its key", "hash(1, x) = hash(1, -1) AND hash(1, x) <> hash(2, x)"},
    {"division by zero is NULL", "7 // (x + 1) IS NULL AND 7 % (x + 1) IS NULL"},
    {"sums of integers do not overflow",
     "(SELECT sum(v) FROM (VALUES (9223372036854775807), (9223372036854775807)) AS t(v)) = 18446744073709551614"},
};

bool changes_case(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.node);
  if (call == nullptr) return false;
  if (call->rule == &lower_rule || call->rule == &upper_rule || call->rule == &ilike_rule) return true;
  return std::any_of(call->args.begin(), call->args.end(), [](const ExprPtr& arg) { return changes_case(*arg); });
}

void print_translate(std::string_view from, std::string_view to, const Expr& text, ExpressionPrinter& printer) {
  printer.text("TRANSLATE(");
  printer.operand(text);
  printer.text(", '");
  printer.text(from);
  printer.text("', '");
  printer.text(to);
  printer.text("')");
}

class DuckDbDialect final : public Dialect {
 public:
  std::string type_name(const SqlType& type) const override {
    switch (type.kind) {
      case TypeKind::boolean: return "BOOLEAN";
      case TypeKind::integer:
        switch (type.bits) {
          case 8: return "TINYINT";
          case 16: return "SMALLINT";
          case 32: return "INTEGER";
          case 64: return "BIGINT";
          default: return "HUGEINT";
        }
      case TypeKind::decimal: return fmt::format("DECIMAL({},{})", type.precision, type.scale);
      case TypeKind::real: return "DOUBLE";
      case TypeKind::text: return "VARCHAR";
      case TypeKind::date: return "DATE";
      case TypeKind::timestamp: return "TIMESTAMP";
      case TypeKind::unknown: break;
    }
    TACIT_CHECK(false, "a finished expression has a type");
  }

  std::string computed_type_name(const SqlType& type) const override { return type_name(type); }

  // DuckDB reads 1e0 as a double at once, where a cast takes it time to fold: in statements with many constants most of
  // the time of a short query.
  std::string double_literal(double value) const override {
    const std::string digits = fmt::format("{}", value);
    const std::string literal = digits.find('e') == std::string::npos ? digits + "e0" : digits;
    return value < 0.0 ? "(" + literal + ")" : literal;
  }

  std::string interval_literal(const Interval& interval) const override {
    return fmt::format("INTERVAL '{} months {} days {} microseconds'", interval.months, interval.days,
                       interval.microseconds);
  }

  std::string_view byte_order() const override { return ""; }

  bool underflow_raises() const override { return false; }
  bool decimals_may_be_nan() const override { return false; }
  // They are multiplied in 64 bits.
  bool decimal_products_have_18_digits() const override { return true; }
  // What is around the NULL would be computed in another type, doubles in place of decimals.
  bool folded_nulls_lose_their_type() const override { return true; }
  bool computes_repetitions() const override { return true; }
  std::optional<std::int64_t> earliest_day() const override { return std::nullopt; }
  std::span<const Reliance> relied_on() const override { return duckdb_reliances; }

  void print_column_operand(const Expr& column, ExpressionPrinter& printer) const override {
    print_as(column, type_name(column.type), printer);
  }
  void print_bounded_operand(const Expr& expr, ExpressionPrinter& printer) const override { printer.operand(expr); }
  void print_compared(const Expr& expr, ExpressionPrinter& printer) const override { printer.expression(expr); }

  // A stored column is cast straight to the wider type.
  void print_conversion(const Expr& call, ExpressionPrinter& printer) const override {
    print_as(*std::get<Call>(call.node).args[0], computed_type_name(call.type), printer);
  }
  // Casting a decimal to fewer digits rounds half away from zero.
  void print_rounded(const Expr& call, ExpressionPrinter& printer) const override { print_conversion(call, printer); }
  void print_real_to_decimal(const Expr& call, ExpressionPrinter& printer) const override { print_cast(call, printer); }
  void print_decimal_text(const Expr& call, ExpressionPrinter& printer) const override { print_cast(call, printer); }

  // The quotient and the remainder by zero are NULL.
  void print_integer_quotient(const Expr& dividend, const Expr& divisor, const SqlType&,
                              ExpressionPrinter& printer) const override {
    printer.operand(dividend);
    printer.text(" // ");
    printer.operand(divisor);
  }
  void print_remainder(const Expr& dividend, const Expr& divisor, ExpressionPrinter& printer) const override {
    printer.operand(dividend);
    printer.text(" % ");
    printer.operand(divisor);
  }

  // In integers of 64 bits, or else 128.
  void print_decimal_quotient(const Expr& call, const DecimalQuotient& plan,
                              ExpressionPrinter& printer) const override {
    const auto& args = std::get<Call>(call.node).args;
    const SqlType integer = SqlType::integer(plan.is_narrow ? 64 : 128);
    const int cut_scale = call.type.scale + 1;
    printer.text("CAST(CAST((");
    print_as(*args[0], type_name(integer), printer);
    printer.text(" * ");
    printer.literal(Decimal{power_of_ten(plan.shift), 0}, integer);
    printer.text(") // ");
    print_as(*args[1], type_name(integer), printer);
    printer.text(fmt::format(" AS DECIMAL({},0)) * ", plan.digits));
    printer.literal(Decimal{1, cut_scale}, SqlType::decimal(cut_scale, cut_scale));
    printer.text(fmt::format(" AS {})", type_name(call.type)));
  }

  void print_real_product(const Expr& x, const Expr& y, ExpressionPrinter& printer) const override {
    printer.text("(");
    printer.operand(x);
    printer.text(" * ");
    printer.operand(y);
    printer.text(")");
  }

  void print_nearest_whole(const Expr& x, ExpressionPrinter& printer) const override {
    printer.text("ROUND_EVEN(");
    printer.operand(x);
    printer.text(", 0)");
  }

  void print_exact_clamp(const Expr& call, ExpressionPrinter& printer) const override {
    print_clamp_by_case(call, printer);
  }

  // The field `second` drops the fraction; `microseconds` is seconds * 10^6 with the fraction.
  void print_seconds(const Expr& moment, ExpressionPrinter& printer) const override {
    printer.text("CAST(CAST(EXTRACT(microseconds FROM ");
    printer.operand(moment);
    printer.text(") AS DECIMAL(8,0)) * ");
    printer.literal(Decimal{1, 6}, SqlType::decimal(6, 6));
    printer.text(" AS DECIMAL(8,6))");
  }

  // LOWER and UPPER know Unicode's letters, and are fast: they stand where every character is one byte. That repeats
  // the operand, so not around another one: calls within calls would be printed and computed four times for every
  // level.
  void print_letter_case(LetterCase wanted, const Expr& text, ExpressionPrinter& printer) const override {
    const bool lower = wanted == LetterCase::lower;
    const std::string_view from = lower ? capitals : small_letters;
    const std::string_view to = lower ? small_letters : capitals;
    if (changes_case(text)) return print_translate(from, to, text, printer);
    printer.text("(CASE WHEN STRLEN(");
    printer.operand(text);
    printer.text(") = LENGTH(");
    printer.operand(text);
    printer.text(lower ? ") THEN LOWER(" : ") THEN UPPER(");
    printer.operand(text);
    printer.text(") ELSE ");
    print_translate(from, to, text, printer);
    printer.text(" END)");
  }

  // A LIKE without _ and without ESCAPE never looks again for what it has found before a %. The matcher for the others
  // tries every place for every %, which is exponential in their number from the second on. There RE2 takes its place.
  void print_like(const Expr& call, ExpressionPrinter& printer) const override {
    const std::string& pattern = normal_like_pattern(call);
    const std::vector<PatternPart> parts = parts_of_normal_pattern(pattern);
    const bool escapes = needs_escape(parts);
    if (count_any_text(parts) < 2 || (!escapes && !has_any_character(parts))) {
      return print_like_operator(call, escapes ? pattern : to_plain_pattern(parts), escapes, printer);
    }
    const auto& node = std::get<Call>(call.node);
    printer.text("regexp_full_match(");
    if (node.rule == &like_rule) {
      printer.operand(*node.args[0]);
    } else {
      print_letter_case(LetterCase::lower, *node.args[0], printer);
    }
    printer.text(", ");
    printer.literal(to_re2(parts), SqlType::text());
    printer.text(", 's')");
  }

  std::string sum_within(const std::string& x, const Decimal& limit, const SqlType& type) const override {
    const std::string lo = print_literal(Decimal{-limit.units, limit.scale}, type, *this);
    const std::string hi = print_literal(limit, type, *this);
    return fmt::format(
        "(CASE WHEN {0} BETWEEN {1} AND {2} THEN CAST({0} AS {3}) WHEN {0} < {1} THEN {1} WHEN {0} > {2} THEN {2} END)",
        fmt::format("SUM({})", x), lo, hi, computed_type_name(type));
  }

  // Integers of up to 64 bits and decimals of up to 18 digits are summed in 128 bits.
  std::optional<SqlType> summed_type(const SqlType& type) const override {
    if (type.kind == TypeKind::integer) return type.bits > 64 ? std::optional(SqlType::integer(64)) : std::nullopt;
    return type.precision > 18 ? std::optional(SqlType::decimal(18, type.scale)) : std::nullopt;
  }

  std::string quantile_of(const std::string& x, const std::string& share) const override {
    return fmt::format("QUANTILE_CONT({}, {})", x, share);
  }

  std::string multiple_of_log2(int factor, const std::string& x) const override {
    return fmt::format("{} * LOG2({})", factor, x);
  }

  // The hashes of several columns are combined so that the last one's own hash decides the order: hashed once more.
  std::string keyed_hash(const std::string& columns, std::uint64_t key) const override {
    return fmt::format("HASH(HASH(CAST({} AS UBIGINT), {}))", key, columns);
  }

  std::string is_readable_timestamp(const std::string& x) const override { return fmt::format("ISFINITE({})", x); }
};

}  // namespace

const Dialect& duckdb_dialect() {
  static const DuckDbDialect dialect;
  return dialect;
}

}  // namespace tacit
