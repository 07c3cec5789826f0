#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {

// The groups an answer reports: each a full row of key values. One empty row when the query has no GROUP BY.
using GroupList = std::vector<std::vector<Value>>;

// What a column's noise looks like to the analyst; empty mechanism for key columns.
struct NoisyColumn {
  OutputColumn output;
  std::string mechanism;
  std::optional<double> scale;  // in units of the answer; absent for averages and where it would be private
  // Why the column's intervals are about the noise alone, as the end of a sentence; empty where they hold the exact
  // answer to the SQL as asked with probability 95%.
  std::string left_out = {};
};

struct NoisyCell {
  Value value;
  std::optional<std::pair<Value, Value>> interval95;  // absent for keys; of what: NoisyColumn::left_out
};

// Safe to print. One row a group (all of them), or one row; columns as the analyst's SELECT list.
struct NoisyRows {
  std::vector<NoisyColumn> columns;
  std::vector<std::vector<NoisyCell>> rows;
  std::vector<std::string> notes = {};  // what the analyst should know about how it came about
};

}  // namespace tacit
