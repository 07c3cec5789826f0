#include "sql/functions/ascii_case.hpp"

#include <algorithm>

#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz";

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

// PostgreSQL's functions know no other letters under the collation "C". DuckDB's know Unicode's, and are fast: they
// stand where every character is one byte. That repeats the operand, so not around another one: calls within calls
// would be printed and computed four times for every level.
void print_case(std::string_view function, std::string_view from, std::string_view to, const Expr& text,
                ExpressionPrinter& printer) {
  if (printer.dialect() == Dialect::postgres) {
    printer.text(function);
    printer.text("(");
    printer.operand(text);
    return printer.text(" COLLATE \"C\")");
  }
  if (changes_case(text)) return print_translate(from, to, text, printer);
  printer.text("(CASE WHEN STRLEN(");
  printer.operand(text);
  printer.text(") = LENGTH(");
  printer.operand(text);
  printer.text(") THEN ");
  printer.text(function);
  printer.text("(");
  printer.operand(text);
  printer.text(") ELSE ");
  print_translate(from, to, text, printer);
  printer.text(" END)");
}

}  // namespace

void print_ascii_lower(const Expr& text, ExpressionPrinter& printer) {
  print_case("LOWER", capitals, small_letters, text, printer);
}

void print_ascii_upper(const Expr& text, ExpressionPrinter& printer) {
  print_case("UPPER", small_letters, capitals, text, printer);
}

std::string ascii_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    const std::size_t letter = capitals.find(c);
    if (letter != std::string_view::npos) c = small_letters[letter];
  }
  return result;
}

}  // namespace tacit
