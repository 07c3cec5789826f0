// IS [NOT] DISTINCT FROM: comparison that never is NULL; two NULLs are not distinct.
#include "sql/functions/comparisons.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY(auto sides, bind_sides(rule, std::move(args), position));
  return make_call(rule, std::move(sides), SqlType::boolean(), {}, position);
}

void print_distinct(const Expr& call, ExpressionPrinter& printer) { print_sides(call, printer, "IS DISTINCT FROM"); }
void print_same(const Expr& call, ExpressionPrinter& printer) { print_sides(call, printer, "IS NOT DISTINCT FROM"); }

}  // namespace

const FunctionRule is_distinct_rule{"is distinct from", {Nulls::never, Meaning::distinct}, bind, print_distinct};
const FunctionRule is_not_distinct_rule{"is not distinct from", {Nulls::never, Meaning::distinct}, bind, print_same};

}  // namespace tacit
