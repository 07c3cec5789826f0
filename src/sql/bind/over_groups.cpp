#include "sql/bind/over_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tacit {
namespace {

class Rewriter {
 public:
  Rewriter(const GroupColumns& group, const std::string& name) : group_(group), name_(name) {}

  Result<ExprPtr> rewrite(const ExprPtr& expression) const {
    for (std::size_t i = 0; i < group_.keys.size(); ++i) {
      if (same_expression(*group_.keys[i].expression, *expression)) {
        return make_column(group_.columns[i], expression->position);
      }
    }
    if (const auto* reference = std::get_if<ColumnRef>(&expression->node)) {
      const auto aggregates = group_.columns.begin() + static_cast<std::ptrdiff_t>(group_.keys.size());
      const bool known = std::find(aggregates, group_.columns.end(), reference->column) != group_.columns.end();
      if (known) return expression;
      return refuse(fmt::format("{} is neither an aggregate nor one of the GROUP BY expressions", shown(*reference)),
                    "add it to GROUP BY, or put it inside COUNT, SUM, AVG, MIN or MAX", expression->position);
    }
    const auto* call = std::get_if<Call>(&expression->node);
    if (call == nullptr) return expression;
    std::vector<ExprPtr> args;
    for (const ExprPtr& arg : call->args) {
      TACIT_TRY(auto rewritten, rewrite(arg));
      args.push_back(std::move(rewritten));
    }
    return make_call(*call->rule, std::move(args), expression->type, expression->range, expression->position);
  }

 private:
  const std::string& shown(const ColumnRef& reference) const {
    return reference.column->name.empty() ? name_ : reference.column->name;
  }

  const GroupColumns& group_;
  const std::string& name_;
};

}  // namespace

Result<ExprPtr> over_groups(const ExprPtr& expression, const GroupColumns& group, const std::string& name) {
  return Rewriter(group, name).rewrite(expression);
}

}  // namespace tacit
