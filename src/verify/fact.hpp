#pragma once

#include <string>
#include <vector>

#include "policy/policy.hpp"

namespace tacit {

enum class FactKind { primary_key, owner, owner_through, dependency, type, bounds, values, step };

// Who knows whether a fact is true.
enum class KnownBy {
  data,    // the rows must be looked at
  engine,  // it enforces the fact
  type,    // every value of the column's type fulfils it
  nobody,  // the rows cannot be looked at: `obstacle` says why
};

// Something the policy says that rows can confirm or refute.
struct Fact {
  FactKind kind = FactKind::primary_key;
  std::size_t table = 0;  // in Policy::tables
  PolicyPlace place;
  std::string label;                 // "primary_key (id)", "columns.age min, max"
  std::vector<std::string> columns;  // the key; the columns that lead to an owner; X of X -> Y; the one column
  std::vector<std::string> others;   // Y of X -> Y; the key that the columns lead to
  std::size_t references = 0;        // owner_through: the table it leads to, in Policy::tables
  long long limit = 1;               // dependency
  KnownBy known_by = KnownBy::data;
  std::string obstacle;
  // What to look for in the rows; a key may be enforced as unique and still have NULLs.
  bool look_for_nulls = false;
  bool look_for_violations = false;
};

}  // namespace tacit
