#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/expr.hpp"
#include "sql/functions/function_traits.hpp"

namespace tacit {

class ExpressionPrinter;  // sql/print_expression.hpp

// Who may write a rule's name as name(...).
enum class Callable { by_analyst, internally };

// How long a text result is at most. Nothing makes text grow: what one row may cost in time and memory is bounded by
// what is stored and by the query's own words. A call that returns text under a rule without a bound is not made.
enum class TextLength {
  no_text,         // the result is never text
  of_an_argument,  // at most the longest text among the arguments
  of_a_spelling,   // at most longest_spelling characters: a number, date, timestamp or truth value written out
};
inline constexpr int longest_spelling = 64;

// One SQL operator or function: how it is typed, what range it has, and the total SQL it prints per dialect.
// What it means to others is in its traits: nobody outside asks which function it is (scripts/lint_functions.py).
// One rule a file; functions/registry.cpp lists them all. A name resolves to a rule once, at binding.
struct FunctionRule {
  std::string_view name;  // "+", "abs", "case", "cast to integer", ...; unique
  FunctionTraits traits;

  // Types the call, coerces and clamps its arguments, proves its range; or refuses. `position` is the call's.
  // May answer with calls of other rules: BETWEEN is two comparisons. Null for a step that only other rules make.
  Result<ExprPtr> (*bind)(const FunctionRule& rule, std::vector<ExprPtr> args, int position);

  // Prints a call that `bind` made. Where PostgreSQL would raise an error, the SQL yields NULL.
  // Null for a rule that always answers with calls of other rules.
  void (*print)(const Expr& call, ExpressionPrinter& printer) = nullptr;

  Callable callable = Callable::internally;
  int copies = 1;  // how often `print` repeats an argument at most
  TextLength text_length = TextLength::no_text;
};

// The call that an expression is, if it has this meaning; else null.
const Call* call_meaning(const Expr& expr, Meaning meaning);

// The ordered list of all rules.
std::span<const FunctionRule* const> function_rules();

// Null when there is none.
const FunctionRule* find_function(std::string_view name);
std::vector<std::string> function_names();  // those an analyst may write as name(...), for hints

}  // namespace tacit
