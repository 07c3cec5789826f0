#include "sensitivity/expression_text.hpp"

#include "base/value.hpp"
#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

std::string joined(const std::vector<ExprPtr>& args, const std::string& between) {
  std::string text;
  for (const auto& arg : args) text += (text.empty() ? "" : between) + expression_text(*arg);
  count_text(text.size());
  return text;
}

}  // namespace

std::string expression_text(const Expr& expr) {
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) {
    return ref->column->table_column.empty() ? ref->column->name : ref->column->table_column;
  }
  if (const auto* literal = std::get_if<Literal>(&expr.node)) {
    return std::holds_alternative<Null>(literal->value) ? "NULL" : to_string(literal->value);
  }
  const auto& call = std::get<Call>(expr.node);
  const auto& [kind, word] = call.rule->traits.notation;
  const std::string symbol(word);
  switch (kind) {
    case Notation::Kind::unspoken: return expression_text(*call.args[0]);
    case Notation::Kind::infix: return "(" + joined(call.args, " " + symbol + " ") + ")";
    case Notation::Kind::prefix: return "(" + symbol + expression_text(*call.args[0]) + ")";
    case Notation::Kind::call: break;
  }
  return std::string(call.rule->name) + "(" + joined(call.args, ", ") + ")";
}

}  // namespace tacit
