#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sensitivity/metric/derivative/bound.hpp"
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

// A bound as SQL of type double, and what the engine can compute for it whatever is stored, as natural logarithms:
// every column as large as its type or its declared bounds allow, sums over at most 2^63 rows. Proof: bound_sql.md.
struct BoundSql {
  std::string sql;
  double least = 0.0;  // -infinity: it may be 0
  double most = 0.0;   // infinity: no double is large enough
  double peak = 0.0;   // of the bound and of everything it is computed from
};

// Raises no error where peak <= largest_log_bound: a factor or a product that may become too small is kept above a
// constant. That leaves an upper bound an upper bound, and smooth.
BoundSql bound_sql(const Bound& bound, const StatisticNames& names, const Dialect& dialect);

// ln of what any part of a bound may reach: 1e280, so that a few more steps stay within a double.
inline constexpr double largest_log_bound = 644.7;
// How much larger a sum over rows is than one row's part: ln 2^63.
inline constexpr double log_most_rows = 43.67;
// The constants that a factor and a running product are kept above.
inline constexpr double least_factor = 1e-100;
inline constexpr double least_product = 1e-200;

// BoundSql::peak, for the analysis.
double peak_log(const Bound& bound);
// The constant that the terms of a root are kept above.
double root_floor(const RootBound& root);

// (sum of term^q)^(1/q), without overflow and, in PostgreSQL, without underflow.
std::string root_sql(const std::vector<std::string>& terms, double q, const Dialect& dialect);
// One term of such a sum in units of `unit`, a number that is at least the term: at least 1e-280.
std::string power_sum_sql(const std::string& term, const std::string& unit, double q, const Dialect& dialect);
// The unit of such a sum: its greatest term, and at least 1e-60.
std::string unit_sql(const std::string& greatest, const Dialect& dialect);
std::string greatest_of(const std::vector<std::string>& parts, const Dialect& dialect);

}  // namespace tacit
