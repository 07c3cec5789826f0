#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

// How the binder builds typed expressions. Everything here refuses what has no total meaning; nothing here reads data.
//
// Two kinds of argument have no type yet (TypeKind::unknown): an untyped literal ('...' or NULL), which takes its type
// from its neighbours, and an interval, which only + and - beside a date or timestamp accept. Whatever is still unknown
// at the top of an expression goes through resolve_unknown.

// A call of the registry's rule of that name, operators and constructs included (names: functions/registry.cpp):
//   + - * / % negate  = <> < <= > >=  and or not (and, or: any number of arguments)  between (x, low, high)
//   in (x, item, ...)  like ilike (text, pattern[, escape])  is null, is not null, is unknown, is not unknown,
//   is true, is not true, is false, is not false, is distinct from, is not distinct from
//   case (condition, value, condition, value, ... [, else])  coalesce nullif least greatest
//   extract ('field', x)  interval ('text'[, 'unit'])
Result<ExprPtr> bind_call(std::string_view rule_name, std::vector<ExprPtr> args, int position);

// name(args) as the analyst wrote it, name already folded to lower case: only rules an analyst may call; an unknown
// name is refused with the nearest one.
Result<ExprPtr> bind_function(std::string_view name, std::vector<ExprPtr> args, int position);

// CAST(value AS target), also typed literals such as DATE '2020-01-01'. integer(8..64), decimal, real, text, date,
// timestamp, boolean.
Result<ExprPtr> bind_cast(ExprPtr value, const SqlType& target, int position);

// A predicate; `what` names the place in the message ("WHERE", "AND").
Result<ExprPtr> require_boolean(ExprPtr value, std::string_view what);

// An untyped string literal becomes text; an untyped NULL becomes a NULL of type text; an interval is refused.
Result<ExprPtr> resolve_unknown(ExprPtr value);

// The value a computation reads (aggregates, arithmetic): a bare column with declared bounds clamped to them, a bare
// column of doubles without NaN and infinities; otherwise `value` itself. Its range holds for whatever is stored.
// Comparisons read the stored value instead.
ExprPtr numeric_operand(ExprPtr value);

// `value` (a number, date or timestamp, numeric_operand applied here) clamped to [low, high]; both must be literals
// with low <= high. NULL stays NULL. For the bounds an analyst writes in an aggregate.
Result<ExprPtr> clamp_between(ExprPtr value, const ExprPtr& low, const ExprPtr& high, int position);

// Literals as the grammar delivers them.
Result<ExprPtr> number_literal(std::string_view text, int position);  // 12, 0.05, 1e3: integer or decimal, never double
ExprPtr string_literal(std::string_view text, int position);          // untyped
ExprPtr null_literal(int position);                                   // untyped
ExprPtr boolean_literal(bool value, int position);

// True when the expression cannot be NULL, known from the text alone (columns count as nullable).
bool never_null(const Expr& expr);

}  // namespace tacit
