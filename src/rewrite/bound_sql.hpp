#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sensitivity/derivative/bound.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// Names of the statistics a bound reads, as SQL of type double that is never NULL for magnitudes and public bounds, and
// NULL for positions where the column is NULL.
struct StatisticNames {
  std::function<std::string(const LeafBound&)> leaf;
  std::function<std::string(const PublicBound&)> of_public;
  std::function<std::string(const RowSumBound&)> row_sum;
  std::function<std::string()> row_count;
};

// A bound as SQL of type double. Raises no error: parts that decay are kept from underflowing by a floor far below
// every least bound (MetricNoise::least), which leaves the bound sound and smooth.
std::string bound_sql(const Bound& bound, const StatisticNames& names, Dialect dialect);
// That floor of each part that decays.
double decay_floor(const Bound& bound);

// (sum of term^q)^(1/q), without overflow and, in PostgreSQL, without underflow.
std::string root_sql(const std::vector<std::string>& terms, double q, Dialect dialect);
// One term of such a sum, divided by the greatest: a power of at least 1e-280.
std::string power_sum_sql(const std::string& ratio, double q, Dialect dialect);
std::string greatest_of(const std::vector<std::string>& parts, Dialect dialect);

}  // namespace tacit
