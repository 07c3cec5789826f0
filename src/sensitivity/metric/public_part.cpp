#include "sensitivity/metric/public_part.hpp"

#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

// `weaker`: what follows from the predicate (null: nothing, that is TRUE); otherwise what it follows from (null:
// FALSE).
Result<ExprPtr> walk(const ExprPtr& predicate, const PrivateColumns& columns, bool weaker) {
  if (!reads_private_cell(*predicate, columns)) return predicate;
  const auto* call = std::get_if<Call>(&predicate->node);
  if (!call) return ExprPtr();
  const Meaning meaning = call->rule->traits.meaning;
  if (meaning == Meaning::negation) {
    TACIT_TRY(ExprPtr inner, walk(call->args[0], columns, !weaker));
    if (!inner) return ExprPtr();
    return bind_call("not", {std::move(inner)}, predicate->position);
  }
  const bool is_and = meaning == Meaning::conjunction;
  if (!is_and && meaning != Meaning::disjunction) return ExprPtr();
  std::vector<ExprPtr> parts;
  for (const auto& arg : call->args) {
    TACIT_TRY(ExprPtr part, walk(arg, columns, weaker));
    // An unknown part is neutral in AND of consequences and in OR of causes; otherwise it decides the whole.
    if (!part && is_and != weaker) return ExprPtr();
    if (part) parts.push_back(std::move(part));
  }
  if (parts.empty()) return ExprPtr();
  return bind_call(is_and ? "and" : "or", std::move(parts), predicate->position);
}

}  // namespace

Result<ExprPtr> public_part(const ExprPtr& predicate, const PrivateColumns& columns) {
  return walk(predicate, columns, true);
}

}  // namespace tacit
