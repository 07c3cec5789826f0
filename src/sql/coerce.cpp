#include "sql/coerce.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "sql/functions/cast_literal.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"

namespace tacit {
namespace {

// An engine's own limits on nesting (DuckDB: 1,000 levels) and our wish to stay fast; every real query is far below.
constexpr int deepest_expression = 200;
constexpr std::size_t most_printed_nodes = 20'000;

Result<ExprPtr> bind_rule(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  for (const ExprPtr& arg : args) TACIT_CHECK(arg != nullptr, "the binder passes all arguments");
  TACIT_CHECK(rule.bind != nullptr, "a rule called by name can be bound");
  TACIT_TRY(ExprPtr expr, rule.bind(rule, std::move(args), position));
  if (expr->depth > deepest_expression || expr->printed_nodes > most_printed_nodes) {
    return refuse("the expression is too large", "split the query, or compute parts of it in a subquery", position);
  }
  return expr;
}

// Of these a literal stays one. A clamp of doubles drops NaN; only columns may hold it, and they are nullable anyway.
bool is_one_value(Meaning meaning) {
  return meaning == Meaning::same_value || meaning == Meaning::nearest_double || meaning == Meaning::midnight ||
         meaning == Meaning::rounded || meaning == Meaning::nearest_inside;
}

}  // namespace

Result<ExprPtr> bind_call(std::string_view rule_name, std::vector<ExprPtr> args, int position) {
  const FunctionRule* rule = find_function(rule_name);
  if (rule == nullptr || rule->bind == nullptr) {
    return refuse(fmt::format("`{}` is not supported", rule_name), "docs/sql.md lists what is", position);
  }
  return bind_rule(*rule, std::move(args), position);
}

Result<ExprPtr> bind_function(std::string_view name, std::vector<ExprPtr> args, int position) {
  const FunctionRule* rule = find_function(name);
  if (rule == nullptr || rule->callable != Callable::by_analyst) {
    return refuse(fmt::format("the function `{}` is not supported{}", name, did_you_mean(name, function_names())),
                  "docs/sql.md lists the functions that have a rule", position);
  }
  return bind_rule(*rule, std::move(args), position);
}

Result<ExprPtr> require_boolean(ExprPtr value, std::string_view what) {
  if (is_untyped_literal(*value)) return cast_literal(*value, SqlType::boolean(), value->position);
  if (value->type.kind != TypeKind::boolean) {
    return refuse(fmt::format("{} needs a condition, not {}", what, type_word(*value)), "compare it with something",
                  value->position);
  }
  return value;
}

Result<ExprPtr> resolve_unknown(ExprPtr value) {
  if (is_interval(*value)) {
    return refuse("an interval alone is not a value", "add it to a date or timestamp", value->position);
  }
  if (is_untyped_literal(*value)) return cast_literal(*value, SqlType::text(), value->position);
  return value;
}

ExprPtr numeric_operand(ExprPtr value) {
  const auto* reference = std::get_if<ColumnRef>(&value->node);
  if (reference == nullptr) return value;
  const Column& column = *reference->column;
  if (!std::holds_alternative<std::monostate>(column.declared)) {
    const Range declared = column.declared;
    return clamped(std::move(value), declared);
  }
  // A stored double has its type's range, one computed in a subquery its own; either way NaN becomes NULL here.
  if (value->type.kind == TypeKind::real) {
    const Range range = value->range;
    return null_outside(std::move(value), range);
  }
  return value;
}

Result<ExprPtr> clamp_between(ExprPtr value, const ExprPtr& low, const ExprPtr& high, int position) {
  for (const ExprPtr& bound : {low, high}) {
    if (!is_literal(*bound) || is_null_literal(*bound)) {
      return refuse("a clamp bound must be a literal", "write the bound as a number or a date", position);
    }
  }
  std::vector<ExprPtr> values{numeric_operand(std::move(value)), low, high};
  TACIT_TRY(values, to_common_type(std::move(values), "a clamp", position));
  const SqlType& type = values[0]->type;
  if (!type.is_number() && type.kind != TypeKind::date && type.kind != TypeKind::timestamp) {
    return refuse_types("a clamp", std::vector<ExprPtr>{values[0]}, "clamp a number, a date or a timestamp", position);
  }
  const auto is_ordered = [](const auto& lo, const auto& hi) { return lo.lo.value <= hi.hi.value; };
  Range bounds;
  bool ordered = false;
  if (type.kind == TypeKind::real) {
    const RealRange& lo = real_range(*values[1]);
    const RealRange& hi = real_range(*values[2]);
    bounds = RealRange{lo.lo, hi.hi};
    ordered = is_ordered(lo, hi);
  } else {
    const ExactRange& lo = exact_range(*values[1]);
    const ExactRange& hi = exact_range(*values[2]);
    bounds = ExactRange{lo.lo, hi.hi};
    ordered = is_ordered(lo, hi);
  }
  if (!ordered) return refuse("the clamp's lower bound exceeds its upper bound", "swap them", position);
  return clamped(std::move(values[0]), bounds);
}

Result<ExprPtr> number_literal(std::string_view text, int position) {
  const auto value = parse_decimal(text);
  if (!value || digits(value->units) > 38) {
    return refuse("the number has more than 38 digits", "shorten it, or write CAST('...' AS double precision)",
                  position);
  }
  return exact_literal(*value, parse_int128(text).has_value(), position);
}

ExprPtr string_literal(std::string_view text, int position) {
  return make_literal(std::string(text), SqlType{}, position);
}

ExprPtr null_literal(int position) { return make_literal(Null{}, SqlType{}, position); }

ExprPtr boolean_literal(bool value, int position) { return make_literal(value, SqlType::boolean(), position); }

bool never_null(const Expr& expr) {
  if (is_literal(expr)) return !is_null_literal(expr);
  const auto* call = std::get_if<Call>(&expr.node);
  if (call == nullptr) return false;
  const auto& args = call->args;
  const auto arg_never_null = [](const ExprPtr& arg) { return never_null(*arg); };
  const FunctionTraits& traits = call->rule->traits;
  switch (traits.nulls) {
    case Nulls::never: return true;
    case Nulls::all_arguments: return std::any_of(args.begin(), args.end(), arg_never_null);
    case Nulls::of_branch: {
      bool all = args.size() % 2 == 1 && never_null(*args.back());
      for (std::size_t i = 1; i < args.size(); i += 2) all = all && never_null(*args[i]);
      return all;
    }
    default: break;
  }
  return is_one_value(traits.meaning) && never_null(*args[0]);
}

}  // namespace tacit
