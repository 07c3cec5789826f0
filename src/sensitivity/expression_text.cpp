#include "sensitivity/expression_text.hpp"

#include <algorithm>

#include "base/value.hpp"
#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

bool is_guard(std::string_view rule) {
  return rule == "clamp" || rule == "within" || rule == "convert" || rule == "to double" || rule == "to timestamp";
}

bool is_infix(std::string_view rule) {
  constexpr std::string_view infix[] = {"+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">=", "and", "or"};
  return std::find(std::begin(infix), std::end(infix), rule) != std::end(infix);
}

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
  const std::string_view rule = call.rule->name;
  if (is_guard(rule)) return expression_text(*call.args[0]);
  if (rule == "product of doubles") return "(" + joined(call.args, " * ") + ")";
  if (rule == "days between") return "(" + joined(call.args, " - ") + ")";
  if (is_infix(rule)) return "(" + joined(call.args, " " + std::string(rule) + " ") + ")";
  if (rule == "negate") return "(-" + expression_text(*call.args[0]) + ")";
  return std::string(rule) + "(" + joined(call.args, ", ") + ")";
}

}  // namespace tacit
