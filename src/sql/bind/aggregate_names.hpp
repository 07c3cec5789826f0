#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/typed_query.hpp"

namespace tacit {

// Where a quantile's fraction stands.
enum class QuantileFraction {
  half,             // nowhere: MEDIAN(x)
  second_argument,  // QUANTILE_CONT(x, 0.9)
  first_argument,   // PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)
};

// A name SQL knows as an aggregate.
struct AggregateName {
  std::string_view name;
  std::optional<AggregateKind> kind;  // empty: recognised, not supported yet
  bool takes_bounds = false;          // ANON_SUM(x, 0, 100): bounds as plain arguments
  QuantileFraction fraction = QuantileFraction::half;
};

const AggregateName* find_aggregate_name(std::string_view name);  // null when it is not an aggregate
std::vector<std::string> answered_aggregates();                   // for hints

}  // namespace tacit
