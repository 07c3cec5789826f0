// Changes of type that keep the value: between exact types, to double, from a date to its midnight; and rounding.
// The proof that nothing overflows is as_exact's and as_timestamp's precondition (functions/conversions.hpp).
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

void print(const Expr& call, ExpressionPrinter& printer) { printer.dialect().print_conversion(call, printer); }

void print_rounded(const Expr& call, ExpressionPrinter& printer) { printer.dialect().print_rounded(call, printer); }

}  // namespace

const FunctionRule convert_rule{"convert", {Nulls::strict, Meaning::same_value, unspoken}, nullptr, print};
const FunctionRule to_double_rule{"to double", {Nulls::strict, Meaning::nearest_double, unspoken}, nullptr, print};
const FunctionRule to_timestamp_rule{"to timestamp", {Nulls::propagated, Meaning::midnight, unspoken}, nullptr, print};
const FunctionRule round_to_scale_rule{"round to scale", {Nulls::propagated, Meaning::rounded}, nullptr, print_rounded};

}  // namespace tacit
