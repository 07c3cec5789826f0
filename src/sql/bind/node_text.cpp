#include "sql/bind/node_text.hpp"

#include <pg_query/pg_query.pb-c.h>

#include "base/int128.hpp"

namespace tacit {

std::vector<std::string> strings_of(PgQuery__Node* const* nodes, std::size_t count) {
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < count; ++i) {
    if (nodes[i]->node_case == PG_QUERY__NODE__NODE_STRING) strings.emplace_back(nodes[i]->string->sval);
    if (nodes[i]->node_case == PG_QUERY__NODE__NODE_A_STAR) strings.emplace_back("*");
  }
  return strings;
}

std::string function_name(const PgQuery__FuncCall& call) {
  const auto parts = strings_of(call.funcname, call.n_funcname);
  std::string name;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == 0 && parts.size() > 1 && parts[0] == "pg_catalog") continue;
    if (!name.empty()) name += '.';
    name += parts[i];
  }
  return name;
}

namespace {

// Empty when the expression gives no name of its own.
std::string own_name(const PgQuery__Node& node) {
  switch (node.node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF: {
      const auto parts = strings_of(node.column_ref->fields, node.column_ref->n_fields);
      return parts.empty() ? "" : parts.back();
    }
    case PG_QUERY__NODE__NODE_FUNC_CALL: {
      const auto parts = strings_of(node.func_call->funcname, node.func_call->n_funcname);
      return parts.empty() ? "" : parts.back();
    }
    case PG_QUERY__NODE__NODE_TYPE_CAST: {
      const std::string inner = node.type_cast->arg == nullptr ? "" : own_name(*node.type_cast->arg);
      if (!inner.empty() || node.type_cast->type_name == nullptr) return inner;
      const auto parts = strings_of(node.type_cast->type_name->names, node.type_cast->type_name->n_names);
      return parts.empty() ? "" : parts.back();
    }
    case PG_QUERY__NODE__NODE_CASE_EXPR: {
      const std::string inner = node.case_expr->defresult == nullptr ? "" : own_name(*node.case_expr->defresult);
      return inner.empty() ? "case" : inner;
    }
    case PG_QUERY__NODE__NODE_COALESCE_EXPR: return "coalesce";
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
      return node.min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST ? "greatest" : "least";
    case PG_QUERY__NODE__NODE_A_EXPR: return node.a_expr->kind == PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF ? "nullif" : "";
    default: return "";
  }
}

}  // namespace

std::string output_name(const PgQuery__Node& expression) {
  std::string name = own_name(expression);
  return name.empty() ? "?column?" : name;
}

std::optional<long long> integer_constant(const PgQuery__Node& node) {
  if (node.node_case != PG_QUERY__NODE__NODE_A_CONST || node.a_const->isnull) return std::nullopt;
  if (node.a_const->val_case == PG_QUERY__A__CONST__VAL_IVAL) return node.a_const->ival->ival;
  if (node.a_const->val_case != PG_QUERY__A__CONST__VAL_FVAL) return std::nullopt;
  const auto wide = parse_int128(node.a_const->fval->fval);
  if (!wide || *wide > INT64_MAX || *wide < INT64_MIN) return std::nullopt;
  return static_cast<long long>(*wide);
}

}  // namespace tacit
