#pragma once

#include <limits>
#include <string_view>

namespace tacit {

// What an analysis may know about a function. Each trait is a statement about every call of the rule. The first value
// of each claims nothing: whoever asks then refuses, or does without.

// Where the result is NULL. Of rows where an argument is a column that holds NaN nothing is said: computations read it
// as NULL, conditions compare it. tests/function_traits_test.cpp holds all this against both engines.
enum class Nulls {
  anywhere,       // nothing is claimed
  propagated,     // wherever an argument is, and maybe elsewhere: 1 / 0, ln(0)
  strict,         // exactly where an argument is
  all_arguments,  // exactly where all arguments are: NULLs are left out
  of_branch,      // exactly where the value that a choice takes is (Meaning::choice)
  never,
};

// What a call says, where that is one of the few things that the analyses can take apart. x, y, ... are its arguments;
// conditions are three-valued.
enum class Meaning {
  other,  // any other function, of which the analyses only know the other traits
  // conditions
  conjunction,
  disjunction,
  negation,
  equal,        // x = y, NULL where a side is; so are the next five
  different,    // x <> y
  less,         // x < y
  at_most,      // x <= y
  greater,      // x > y
  at_least,     // x >= y
  distinct,     // x IS [NOT] DISTINCT FROM y: x = y or not, where NULL is a value like others
  listed,       // x = y OR x = z OR ...
  is_null,      // x IS NULL
  is_not_null,  // x IS NOT NULL
  // values that are one of the arguments
  choice,          // CASE: condition, value, condition, value, ... [, value otherwise; else NULL]
  first_not_null,  // COALESCE
  // numbers
  sum,         // x + y
  difference,  // x - y
  product,     // x y
  negative,    // -x
  // one value, read in another way
  same_value,      // x, in another exact type
  nearest_double,  // x as a double, rounded to the nearest (PostgreSQL: within 8 units of the last place)
  midnight,        // the date x as a timestamp
  rounded,         // the exact number x to fewer digits
  nearest_inside,  // the point of the call's range that is nearest to x
  null_outside,    // x within the call's range, else NULL
};

// How people are shown a call: in explanations and proof trees, not in SQL.
struct Notation {
  enum class Kind {
    call,      // name(x, y)
    infix,     // (x symbol y)
    prefix,    // (symbol x)
    unspoken,  // x: a step that Tacit adds
  };
  Kind kind = Kind::call;
  std::string_view symbol;
};
constexpr Notation infix(std::string_view symbol) { return {Notation::Kind::infix, symbol}; }
constexpr Notation prefix(std::string_view symbol) { return {Notation::Kind::prefix, symbol}; }
inline constexpr Notation unspoken{Notation::Kind::unspoken, {}};

struct FunctionTraits {
  // No default: a rule without traits does not compile.
  constexpr FunctionTraits(Nulls nulls, Meaning meaning, Notation notation = {},
                           double error = std::numeric_limits<double>::infinity())
      : nulls(nulls), meaning(meaning), notation(notation), error(error) {}

  Nulls nulls;
  Meaning meaning;
  Notation notation;
  // Of a function of stored doubles: |computed - exact| at most. Infinite: no claim. What is computed from other
  // computed numbers has an error by its derivative's rule (sensitivity/metric/derivative/rules).
  double error;
};

// Of rules that `bind` always replaces by calls of others: no call has these traits.
inline constexpr FunctionTraits never_called{Nulls::anywhere, Meaning::other};

}  // namespace tacit
