// Changes of type that keep the value: between exact types, to double, from a date to its midnight.
// The proof that nothing overflows is as_exact's and as_timestamp's precondition (functions/conversions.hpp).
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

void print_cast(const Expr& call, ExpressionPrinter& printer) {
  printer.text("CAST(");
  printer.expression(*std::get<Call>(call.node).args[0]);
  printer.text(" AS ");
  printer.text(engine_type_name(call.type, printer.dialect()));
  printer.text(")");
}

}  // namespace

const FunctionRule convert_rule{"convert", nullptr, print_cast};
const FunctionRule to_double_rule{"to double", nullptr, print_cast};
const FunctionRule to_timestamp_rule{"to timestamp", nullptr, print_cast};
// Casting a decimal to fewer digits rounds half away from zero in DuckDB and PostgreSQL alike.
const FunctionRule round_to_scale_rule{"round to scale", nullptr, print_cast};

}  // namespace tacit
