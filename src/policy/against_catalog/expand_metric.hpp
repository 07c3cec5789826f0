#pragma once

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "policy/policy.hpp"

namespace tacit {

// Writes a ready metric out over the table's columns: all but the public ones and the primary key, which says which row
// it is and so never moves. Other metrics come back as they are.
//
//   hamming               linf(discrete(a), discrete(b), ...): 1 for a row that differs, in however many columns
//   manhattan             l1(a, b, ...)
//   normalized_manhattan  l1(w_a * a, ...), w_a = 1 / (max - min) rounded down: a smaller distance protects more
//   maximum               linf(a, b, ...)
//   euclidean             l2(a, b, ...)
//
// How rows and tables combine follows from the name too (ready_metric.hpp).
//
// Preconditions, in this order:
//   1. there is such a column;
//   2. Tacit computes with its type; but for hamming it is a number, a date (in days) or a timestamp (in seconds);
//   3. for normalized_manhattan it has a declared min and max, min < max, not wider than the weight can express.
//
// REQUIRES: the bounds of `table` are still as the file wrote them.
Result<MetricPtr> expand_metric(const MetricPtr& metric, const TablePolicy& table, const MetricTable& model,
                                const CatalogTable& columns);

}  // namespace tacit
