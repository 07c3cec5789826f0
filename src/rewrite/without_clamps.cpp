#include "rewrite/without_clamps.hpp"

#include "sql/functions/function_rule.hpp"

namespace tacit {

ExprPtr without_clamps(const ExprPtr& expr) {
  const auto* call = std::get_if<Call>(&expr->node);
  if (!call) return expr;
  const Meaning meaning = call->rule->traits.meaning;
  if (meaning == Meaning::nearest_inside || meaning == Meaning::null_outside) return without_clamps(call->args.front());
  std::vector<ExprPtr> args;
  for (const auto& arg : call->args) args.push_back(without_clamps(arg));
  return make_call(*call->rule, std::move(args), expr->type, expr->range, expr->position);
}

}  // namespace tacit
