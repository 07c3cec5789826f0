#include "sql/functions/ascii_case.hpp"

namespace tacit {
namespace {

constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz";

// PostgreSQL's functions know no other letters under the collation "C". DuckDB's know Unicode's, and are fast: they
// stand where every character is one byte.
void print_case(std::string_view function, std::string_view from, std::string_view to, const Expr& text,
                ExpressionPrinter& printer) {
  if (printer.dialect() == Dialect::postgres) {
    printer.text(function);
    printer.text("(");
    printer.operand(text);
    return printer.text(" COLLATE \"C\")");
  }
  printer.text("(CASE WHEN STRLEN(");
  printer.operand(text);
  printer.text(") = LENGTH(");
  printer.operand(text);
  printer.text(") THEN ");
  printer.text(function);
  printer.text("(");
  printer.operand(text);
  printer.text(") ELSE TRANSLATE(");
  printer.operand(text);
  printer.text(", '");
  printer.text(from);
  printer.text("', '");
  printer.text(to);
  printer.text("') END)");
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
