// LEAST(x, ...) and GREATEST(x, ...): NULLs are left out; NULL only when all are.
//
// Range of LEAST. The result is one of the arguments, so it lies in their hull; it is at most every argument that is
// never NULL, so at most the least upper end among those. GREATEST mirrors this. So LEAST(x, 10) <= 10 whatever x is,
// but LEAST(x, y) of two columns has no better upper end than the larger one.
#include <limits>

#include "sql/coerce.hpp"
#include "sql/functions/branches.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

// `bound` limits `end` from above (least) or below (greatest); a stated bound makes the end stated.
template <class Number>
void tighten(RangeEnd<Number>& end, const RangeEnd<Number>& bound, bool from_above) {
  if (from_above ? bound.value < end.value : bound.value > end.value) end.value = bound.value;
  end.stated = end.stated || bound.stated;
}

template <class SomeRange>
Range tightened(SomeRange range, const std::vector<ExprPtr>& args, bool is_least) {
  for (const ExprPtr& arg : args) {
    if (!never_null(*arg)) continue;
    const auto& bound = std::get<SomeRange>(arg->range);
    if (is_least) {
      tighten(range.hi, bound.hi, true);
    } else {
      tighten(range.lo, bound.lo, false);
    }
  }
  return range;
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, std::numeric_limits<std::size_t>::max(), position));
  const bool is_least = &rule == &least_rule;
  TACIT_TRY(args, bind_branches(std::move(args), is_least ? "LEAST" : "GREATEST", position));
  if (args.size() == 1) return args.front();
  Range range = hull_of_branches(args);
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    range = tightened(*exact, args, is_least);
  } else if (const auto* real = std::get_if<RealRange>(&range)) {
    range = tightened(*real, args, is_least);
  }
  const SqlType type = args.front()->type;
  if (args.size() == 2 && is_literal(*args[0])) std::swap(args[0], args[1]);
  return make_call(rule, std::move(args), type, range, position);
}

// Two numbers, the second a literal: a CASE is several times faster than the engine's LEAST. A NULL takes the literal,
// and so does the NaN of a decimal.
void print_case(const Expr& value, const Expr& literal, bool is_least, ExpressionPrinter& printer) {
  printer.text("(CASE WHEN ");
  printer.dialect().print_compared(value, printer);
  printer.text(is_least ? " < " : " > ");
  printer.expression(literal);
  printer.text(" THEN ");
  printer.operand(value);
  printer.text(" ELSE ");
  printer.expression(literal);
  printer.text(" END)");
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& node = std::get<Call>(call.node);
  const bool is_least = node.rule == &least_rule;
  const bool is_text = call.type.kind == TypeKind::text;
  if (node.args.size() == 2 && never_null(*node.args[1]) && is_literal(*node.args[1]) && !is_text) {
    return print_case(*node.args[0], *node.args[1], is_least, printer);
  }
  printer.text(is_least ? "LEAST(" : "GREATEST(");
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    if (i > 0) printer.text(", ");
    printer.operand(*node.args[i]);
    printer.text(printer.dialect().byte_order_of(call.type));
  }
  printer.text(")");
}

}  // namespace

const FunctionRule least_rule{
    "least", {Nulls::all_arguments, Meaning::other}, bind, print, Callable::by_analyst, 2, TextLength::of_an_argument};
const FunctionRule greatest_rule{"greatest",
                                 {Nulls::all_arguments, Meaning::other},
                                 bind,
                                 print,
                                 Callable::by_analyst,
                                 2,
                                 TextLength::of_an_argument};

}  // namespace tacit
