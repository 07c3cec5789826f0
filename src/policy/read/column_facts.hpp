#pragma once

#include <optional>
#include <string>

#include "policy/policy.hpp"

namespace tacit {

// How the public facts about a column contradict each other, if they do.
struct ColumnConflict {
  std::string key;  // below the column: "min", "values" or "precision"
  std::string what;
  std::string hint;
};

// Facts agree when
//   1. min and max are of one kind, and min <= max;
//   2. no domain value occurs twice;
//   3. every domain value that compares with the bounds lies within them;
//   4. there is a step or a precision, not both.
// Looked at when the file is read, and again when the values have taken the column's type.
std::optional<ColumnConflict> find_conflict(const ColumnPolicy& column);

// The precision at which a condition in the middle of [min, max] is decided to 88% at either end. Below it a soft
// condition tells the column's values hardly apart. Empty without a precision, or without bounds that are numbers.
std::optional<double> least_useful_precision(const ColumnPolicy& column);

}  // namespace tacit
