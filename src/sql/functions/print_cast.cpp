#include "sql/functions/print_cast.hpp"

#include "sql/print_expression.hpp"

namespace tacit {

void print_as(const Expr& value, std::string_view type, ExpressionPrinter& printer) {
  printer.text("CAST(");
  printer.expression(value);
  printer.text(" AS ");
  printer.text(type);
  printer.text(")");
}

void print_cast(const Expr& call, ExpressionPrinter& printer) {
  printer.text("CAST(");
  printer.operand(*std::get<Call>(call.node).args[0]);
  printer.text(" AS ");
  printer.text(printer.dialect().computed_type_name(call.type));
  printer.text(")");
}

}  // namespace tacit
