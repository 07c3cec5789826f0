#include "rewrite/null_witness.hpp"

#include "sql/functions/range_ends.hpp"
#include "sql/functions/rules.hpp"

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
  const auto* call = std::get_if<Call>(&expr->node);
  if (call == nullptr) return expr;
  if (call->rule == &clamp_rule && keeps_every_value(*expr, *call->args[0], dialect)) return call->args[0];
  return expr;
}

}  // namespace tacit
