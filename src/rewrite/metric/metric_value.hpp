#pragma once

#include <functional>
#include <string>

#include "sensitivity/metric/metric_analysis.hpp"
#include "sql/dialect.hpp"
#include "sql/print_relation.hpp"

namespace tacit {

// How the engine computes one value cell.
struct ValueSql {
  std::string aggregate;                                      // over joined rows; NULL over none
  std::string again;                                          // SUM, MIN or MAX: of partial aggregates
  std::string type;                                           // engine type of the aggregate
  std::function<std::string(const std::string& total)> cell;  // never NULL, in units of the grid
};

// `in_where`: the hard part of the filter stands in WHERE already.
ValueSql value_sql(const MetricCell& cell, bool in_where, const PrintedRelation& relation, const Dialect& dialect);

}  // namespace tacit
