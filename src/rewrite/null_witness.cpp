#include "rewrite/null_witness.hpp"

#include "sql/functions/function_rule.hpp"
#include "sql/functions/range_ends.hpp"

namespace tacit {
namespace {

// A clamp of doubles turns NaN into NULL. Where decimals may be NaN too, a clamp turns it into its upper bound if it
// has one to check.
bool keeps_every_value(const Expr& clamp, const Expr& value, const Dialect& dialect) {
  if (clamp.type.kind == TypeKind::real) return false;
  const bool may_be_nan = clamp.type.kind == TypeKind::decimal && dialect.decimals_may_be_nan();
  return !may_be_nan || ends_to_check(clamp, value).hi;
}

}  // namespace

ExprPtr null_witness(const ExprPtr& expr, const Dialect& dialect) {
  const Call* clamp = call_meaning(*expr, Meaning::nearest_inside);
  const bool is_witness = clamp != nullptr && keeps_every_value(*expr, *clamp->args[0], dialect);
  return is_witness ? clamp->args[0] : expr;
}

}  // namespace tacit
