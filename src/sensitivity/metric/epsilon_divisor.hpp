#pragma once

#include "sensitivity/metric/metric_analysis.hpp"

namespace tacit {

// For each cell of the analysis a number so that epsilon / divisor for every one of them costs epsilon in all: the
// largest divisor of a private cell that it reads (docs/theory/composition.md, "Divisors of epsilon in the metric
// model"). Cells that l1 combines bear their own outputs only; those of another norm bear each other's. An output that
// reads no private cell has divisor 1. `groups_per_row`: at most how many groups a row of each role joins into.
std::vector<double> epsilon_divisors(const MetricAnalysis& analysis, const std::vector<long long>& groups_per_row);

// The least distance of two databases that differ in a cell the query reads; empty where a column has no step.
std::optional<double> least_distance(const MetricAnalysis& analysis);

}  // namespace tacit
