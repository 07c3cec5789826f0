#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <array>

#include "sql/bind/bind_expression.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/coerce.hpp"

namespace tacit {
namespace {

constexpr std::array<std::string_view, 11> binary_operators{"+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">="};

std::string operator_name(const PgQuery__AExpr& node) {
  const auto parts = strings_of(node.name, node.n_name);
  return parts.empty() ? "" : parts.back();
}

Result<ExprPtr> bind_plain(const PgQuery__AExpr& node, const ExpressionPlace& place, int position) {
  const std::string name = operator_name(node);
  if (node.n_name != 1) {
    return refuse("OPERATOR(schema.name) is not supported", "write the operator itself", position);
  }
  TACIT_TRY(auto right, bind_expression(*node.rexpr, place));
  if (node.lexpr == nullptr) {
    if (name == "-") return bind_call("negate", {std::move(right)}, position);
    if (name == "+" && right->type.is_number()) return right;
    return refuse(fmt::format("operator {} is not supported", name), "docs/sql.md lists the operators", position);
  }
  TACIT_TRY(auto left, bind_expression(*node.lexpr, place));
  if (name == "^") return bind_call("power", {std::move(left), std::move(right)}, position);
  if (std::find(binary_operators.begin(), binary_operators.end(), name) == binary_operators.end()) {
    return refuse(fmt::format("operator {} is not supported", name), "docs/sql.md lists the operators", position);
  }
  return bind_call(name, {std::move(left), std::move(right)}, position);
}

Result<ExprPtr> negated_if(bool negated, Result<ExprPtr> expression, int position) {
  if (!negated || !expression) return expression;
  return bind_call("not", {std::move(*expression)}, position);
}

Result<ExprPtr> bind_in(const PgQuery__AExpr& node, const ExpressionPlace& place, int position) {
  TACIT_TRY(auto subject, bind_expression(*node.lexpr, place));
  std::vector<ExprPtr> args{std::move(subject)};
  if (node.rexpr->node_case != PG_QUERY__NODE__NODE_LIST) {
    return refuse("IN needs a list of values", "write x IN (1, 2, 3)", position);
  }
  for (std::size_t i = 0; i < node.rexpr->list->n_items; ++i) {
    TACIT_TRY(auto item, bind_expression(*node.rexpr->list->items[i], place));
    args.push_back(std::move(item));
  }
  return negated_if(operator_name(node) == "<>", bind_call("in", std::move(args), position), position);
}

Result<ExprPtr> bind_between(const PgQuery__AExpr& node, const ExpressionPlace& place, bool negated, int position) {
  TACIT_TRY(auto subject, bind_expression(*node.lexpr, place));
  const PgQuery__List& ends = *node.rexpr->list;
  TACIT_TRY(auto low, bind_expression(*ends.items[0], place));
  TACIT_TRY(auto high, bind_expression(*ends.items[1], place));
  return negated_if(negated, bind_call("between", {std::move(subject), std::move(low), std::move(high)}, position),
                    position);
}

// x LIKE p ESCAPE e arrives as x ~~ like_escape(p, e).
Result<ExprPtr> bind_like(const PgQuery__AExpr& node, const ExpressionPlace& place, const char* rule, int position) {
  TACIT_TRY(auto text, bind_expression(*node.lexpr, place));
  std::vector<ExprPtr> args{std::move(text)};
  const bool has_escape = node.rexpr->node_case == PG_QUERY__NODE__NODE_FUNC_CALL &&
                          function_name(*node.rexpr->func_call) == "like_escape" && node.rexpr->func_call->n_args == 2;
  const std::size_t count = has_escape ? 2 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    TACIT_TRY(auto pattern, bind_expression(has_escape ? *node.rexpr->func_call->args[i] : *node.rexpr, place));
    args.push_back(std::move(pattern));
  }
  const bool negated = operator_name(node).starts_with("!");
  return negated_if(negated, bind_call(rule, std::move(args), position), position);
}

Result<ExprPtr> bind_pair(const PgQuery__AExpr& node, const ExpressionPlace& place, const char* rule, int position) {
  TACIT_TRY(auto left, bind_expression(*node.lexpr, place));
  TACIT_TRY(auto right, bind_expression(*node.rexpr, place));
  return bind_call(rule, {std::move(left), std::move(right)}, position);
}

}  // namespace

Result<ExprPtr> bind_operator(const PgQuery__AExpr& node, const ExpressionPlace& place) {
  const int position = place.binding.position(node.location);
  switch (node.kind) {
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP: return bind_plain(node, place, position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_DISTINCT: return bind_pair(node, place, "is distinct from", position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT: return bind_pair(node, place, "is not distinct from", position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF: return bind_pair(node, place, "nullif", position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_IN: return bind_in(node, place, position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_LIKE: return bind_like(node, place, "like", position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE: return bind_like(node, place, "ilike", position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN: return bind_between(node, place, false, position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN: return bind_between(node, place, true, position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN_SYM:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN_SYM:
      return refuse("BETWEEN SYMMETRIC is not supported", "write BETWEEN with the smaller end first", position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_SIMILAR: return refuse("SIMILAR TO is not supported", "write LIKE", position);
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY:
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL:
      return refuse("ANY and ALL over arrays are not supported", "write IN with a list", position);
    default: return refuse("this operator is not supported", "docs/sql.md lists the operators", position);
  }
}

}  // namespace tacit
