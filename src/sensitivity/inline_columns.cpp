#include "sensitivity/inline_columns.hpp"

#include "base/work_limit.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_expanded_nodes = 20'000;
constexpr int deepest_expansion = 400;

ExprPtr replace_columns(const ExprPtr& expr, const std::map<const Column*, ExprPtr>& definitions) {
  count_work();
  if (const auto* ref = std::get_if<ColumnRef>(&expr->node)) {
    const auto found = definitions.find(ref->column.get());
    return found == definitions.end() ? expr : found->second;
  }
  const auto* call = std::get_if<Call>(&expr->node);
  if (!call) return expr;
  std::vector<ExprPtr> args;
  bool changed = false;
  for (const auto& arg : call->args) {
    args.push_back(replace_columns(arg, definitions));
    changed = changed || args.back() != arg;
  }
  return changed ? make_call(*call->rule, std::move(args), expr->type, expr->range, expr->position) : expr;
}

}  // namespace

Result<ExprPtr> inline_columns(const ExprPtr& expr, const std::map<const Column*, ExprPtr>& definitions) {
  ExprPtr expanded = replace_columns(expr, definitions);
  if (expanded->printed_nodes <= most_expanded_nodes && expanded->depth <= deepest_expansion) return expanded;
  return refuse("the subqueries build an expression that is too large to analyse",
                "use fewer nested subqueries, or repeat their columns less often", expr->position);
}

}  // namespace tacit
