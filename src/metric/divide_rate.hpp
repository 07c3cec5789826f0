#pragma once

#include <map>
#include <string>

#include "metric/metric.hpp"

namespace tacit {

// How much log-Lipschitz rate each factor of a product may use on each column so that the dual norm of the sum of all
// their rates is at most `beta`: if each of the m_c factors that read column c has rate rho_c there, then
// N*((m_c rho_c)_c) <= beta. Columns that no factor reads get nothing and cost nothing. For ln(column) the rate is per
// unit of the logarithm. Results are rounded down.
//
// Preconditions (divide_rate.md): 1. `metric` names every column once and is no ReadyMetric;  2. every column of
// `factors_per_column` occurs in it, with at least one factor;  3. beta >= 0 and finite.
std::map<std::string, double> divide_rate(const MetricNode& metric,
                                          const std::map<std::string, int>& factors_per_column, double beta);

}  // namespace tacit
