#include "sql/print_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/work_limit.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

std::string quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result.push_back(quote);
    result.push_back(c);
  }
  result.push_back(quote);
  return result;
}

// Engines read up to 18 digits as an exact number; longer ones are safe only inside a string.
std::string print_number(const Decimal& number, const SqlType& type, const Dialect& dialect) {
  const auto exact = rescale(number, type.kind == TypeKind::decimal ? type.scale : 0);
  TACIT_CHECK(exact.has_value(), "a literal fits its type");
  const std::string digits_of_number = to_string(*exact);
  if (type.kind == TypeKind::integer && type.bits == 32) {
    return exact->units < 0 ? fmt::format("({})", digits_of_number) : digits_of_number;
  }
  const bool is_short = digits_of_number.size() <= 18;
  return fmt::format("CAST({} AS {})", is_short ? digits_of_number : quoted(digits_of_number, '\''),
                     dialect.type_name(type));
}

bool reads_columns(const Expr& expr) {
  count_work();
  if (const auto* call = std::get_if<Call>(&expr.node)) {
    return std::any_of(call->args.begin(), call->args.end(), [](const ExprPtr& arg) { return reads_columns(*arg); });
  }
  return std::holds_alternative<ColumnRef>(expr.node);
}

// A constant may, and so may whatever has such an argument.
bool may_fold_to_null(const Expr& expr) {
  count_work();
  const auto* call = std::get_if<Call>(&expr.node);
  if (call == nullptr) return is_null_literal(expr);
  if (never_null(expr)) return false;
  return !reads_columns(expr) ||
         std::any_of(call->args.begin(), call->args.end(), [](const ExprPtr& arg) { return may_fold_to_null(*arg); });
}

// Where folded NULLs lose their type, what is around one would be computed in another type.
bool may_lose_its_type(const Expr& expr) {
  const auto& args = std::get<Call>(expr.node).args;
  return expr.type.kind != TypeKind::boolean && expr.type.kind != TypeKind::unknown &&
         std::any_of(args.begin(), args.end(), [](const ExprPtr& arg) { return may_fold_to_null(*arg); });
}

}  // namespace

ExpressionPrinter::ExpressionPrinter(const Dialect& dialect, ColumnNamer name_of)
    : dialect_(dialect), name_of_(std::move(name_of)) {}

void ExpressionPrinter::text(std::string_view sql) {
  count_text(sql.size());
  out_ += sql;
}

void ExpressionPrinter::expression(const Expr& expr) {
  count_work(2);
  if (const auto* reference = std::get_if<ColumnRef>(&expr.node)) {
    out_ += name_of_(*reference->column);
  } else if (const auto* literal_node = std::get_if<Literal>(&expr.node)) {
    literal(literal_node->value, expr.type);
  } else {
    const auto& call = std::get<Call>(expr.node);
    TACIT_CHECK(call.rule->print != nullptr, "a call in a finished expression can be printed");
    const bool is_cast = dialect_.folded_nulls_lose_their_type() && may_lose_its_type(expr);
    if (is_cast) text("CAST(");
    call.rule->print(expr, *this);
    if (is_cast) text(" AS " + dialect_.type_name(expr.type) + ")");
  }
}

void ExpressionPrinter::operand(const Expr& expr) {
  if (!std::holds_alternative<ColumnRef>(expr.node)) return expression(expr);
  dialect_.print_column_operand(expr, *this);
}

void ExpressionPrinter::bounded_operand(const Expr& expr) { dialect_.print_bounded_operand(expr, *this); }

void ExpressionPrinter::literal(const Value& value, const SqlType& type) {
  out_ += print_literal(value, type, dialect_);
}

std::string ExpressionPrinter::take() {
  count_text(out_.size());
  return std::exchange(out_, {});
}

std::string print_literal(const Value& value, const SqlType& type, const Dialect& dialect) {
  if (std::holds_alternative<Null>(value)) return fmt::format("CAST(NULL AS {})", dialect.type_name(type));
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "TRUE" : "FALSE";
  if (const auto* number = std::get_if<Decimal>(&value)) return print_number(*number, type, dialect);
  if (const auto* real = std::get_if<double>(&value)) {
    TACIT_CHECK(!std::isnan(*real), "a number in a statement is one");
    const std::string digits_of_real =
        std::isinf(*real) ? (*real > 0 ? "infinity" : "-infinity") : fmt::format("{}", *real);
    return fmt::format("CAST('{}' AS {})", digits_of_real, dialect.type_name(type));
  }
  if (const auto* date = std::get_if<Date>(&value)) return fmt::format("DATE '{}'", to_string(*date));
  if (const auto* timestamp = std::get_if<Timestamp>(&value)) {
    return fmt::format("TIMESTAMP '{}'", to_string(*timestamp));
  }
  return quoted(std::get<std::string>(value), '\'');
}

std::string double_literal(double value, const Dialect& dialect) {
  TACIT_CHECK(std::isfinite(value), "a number in a statement is finite");
  return dialect.double_literal(value);
}

std::string quote_identifier(std::string_view name) { return quoted(name, '"'); }

}  // namespace tacit
