#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/typed_query.hpp"

namespace tacit {

// A name SQL knows as an aggregate.
struct AggregateName {
  std::string_view name;
  std::optional<AggregateKind> kind;  // empty: recognised, answered in a later version
  bool takes_bounds = false;          // ANON_SUM(x, 0, 100): bounds as plain arguments
};

const AggregateName* find_aggregate_name(std::string_view name);  // null when it is not an aggregate
std::vector<std::string> answered_aggregates();                   // for hints

}  // namespace tacit
