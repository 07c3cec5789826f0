#include "sql/functions/print_cast.hpp"

#include "sql/print_expression.hpp"

namespace tacit {

void print_cast(const Expr& call, ExpressionPrinter& printer) {
  printer.text("CAST(");
  printer.operand(*std::get<Call>(call.node).args[0]);
  printer.text(" AS ");
  printer.text(computed_type_name(call.type, printer.dialect()));
  printer.text(")");
}

}  // namespace tacit
