#pragma once

#include <optional>

#include "sql/expr.hpp"

namespace tacit {

enum class AggregateKind {
  count_rows,
  count,
  count_distinct,
  sum,
  average,
  minimum,
  maximum,
  variance,   // of the population
  deviation,  // its square root
  quantile,
};

// Bounds the analyst wrote: ANON_SUM(x, 0, 100) or contribution_bounds_per_group => (0, 100). Literals.
struct WrittenBounds {
  ExprPtr low;
  ExprPtr high;
};

struct Aggregate {
  AggregateKind kind = AggregateKind::count_rows;
  ExprPtr argument;  // null for count_rows. sum, average, minimum, maximum and later ones: a number; written bounds are
                     // already applied to each row
  int position = 0;
  double fraction = 0.5;                      // quantile: which one, from 0 to 1
  ExprPtr unclamped = nullptr;                // the argument before written bounds were applied; null: `argument`
  std::optional<WrittenBounds> written = {};  // the users model bounds what a user adds, not each row
};
bool same_aggregate(const Aggregate& a, const Aggregate& b);

// What SQL says of an aggregate, whatever the privacy model. What a model does with it is in a file of that model.
struct AggregateTraits {
  const char* name;  // for messages: "COUNT(*)", "SUM", "STDDEV", ...
  bool counts;       // takes values of any type, and is 0 where there are none
  bool in_subqueries;
  const char* function;                      // FUNCTION(x); empty where it is written in another way
  SqlType (*type)(const SqlType& argument);  // of the answer; counts have no argument to look at
};
AggregateTraits traits_of(AggregateKind kind);

inline const char* name_of(AggregateKind kind) { return traits_of(kind).name; }

}  // namespace tacit
