#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sensitivity/metric/derivative/summand.hpp"
#include "sensitivity/metric/flatten_query.hpp"

namespace tacit {

// How the join rows of one private row enter the bound (docs/theory/joins.md, "From joined rows to the query").
enum class JoinRows {
  once,   // at most one join row contains a row of this role, or the aggregate takes an extremum: no sum
  times,  // at most `fan_out` of them, each bounded by the same constant
  keyed,  // added up per row of the role
};

// The derivative sensitivity towards the rows of one role, before rates are given.
struct RoleBound {
  std::size_t role = 0;
  BoundPtr of_join_row;  // dual norm of the gradient in this role's cells, at one join row
  Gradient gradient;     // joint; for sums over join rows
  JoinRows join_rows = JoinRows::once;
  long long fan_out = 1;
  std::vector<ExprPtr> key;  // keyed: public columns of the role that tell its rows apart, at least as far as joins do
};

// One number the engine returns, with noise of its own.
struct MetricCell {
  enum class Kind { sum, minimum, maximum };
  Kind kind = Kind::sum;
  ExprPtr value;              // null: rows are counted
  bool counts_value = false;  // COUNT(x): rows where x is not NULL are counted
  // WHERE's private part, and the aggregate's own FILTER. Cells without a FILTER share one object.
  std::shared_ptr<const SoftFilter> filter;
  std::vector<RoleBound> roles;      // empty: reads no private cell
  std::vector<const Column*> reads;  // private columns
  double epsilon_divisor = 1.0;      // epsilon of this output = epsilon of the query / divisor (epsilon_divisor.hpp)
  Derivation derivation;
};

constexpr bool is_extremum(const MetricCell& cell) { return cell.kind != MetricCell::Kind::sum; }

struct MetricAnalysis {
  MetricAnalysis() = default;
  // Filters point to columns of `flat`, which moving leaves where they are.
  MetricAnalysis(const MetricAnalysis&) = delete;
  MetricAnalysis& operator=(const MetricAnalysis&) = delete;
  MetricAnalysis(MetricAnalysis&&) = default;
  MetricAnalysis& operator=(MetricAnalysis&&) = default;
  ~MetricAnalysis() = default;

  FlatQuery flat;
  std::vector<MetricCell> cells;         // in engine order
  std::vector<std::size_t> first_cells;  // of each aggregate
  NormExponent tables_combine;
  double beta_share = 0.1;               // beta = share * epsilon of one output
  std::optional<double> least_distance;  // of two different databases, where the types guarantee one
};

// The fan-out of a role: at most how many join rows contain one of its rows; empty: no bound.
using FanOuts = std::vector<std::optional<long long>>;

}  // namespace tacit
