#pragma once

#include "sensitivity/metric/derivative/column_set.hpp"

namespace tacit {

// The private part of a filter as a continuous function of the private cells with values in [0, 1]: AND is the minimum
// of its parts, OR the maximum, NOT p is 1 - p, and a comparison is interpolated between the points of its grid. On
// grid points it is the filter itself. A column of doubles with a precision has no grid: its comparisons are soft
// (soft_comparison.hpp).
struct SoftFilter {
  ExprPtr hard;                  // conjuncts that the engine's types make exact: they stand as they are. Null: none
  ExprPtr soft;                  // the minimum of the others as a number in [0, 1]. Null: none
  ExprPtr core;                  // where every soft conjunct is 1; null when that is not one condition
  ExprPtr edge;                  // where soft may be neither 0 nor 1, `core` aside; null with `core`
  std::vector<ColumnSet> sets;   // conjuncts over one column, one set a column
  std::vector<Gradient> pieces;  // slopes of the conjuncts that are no such set
  BoundPtr value = constant_bound(1.0);            // of their minimum
  std::vector<const PrivateColumn*> soft_columns;  // compared by sigmoids and sechs, each once
  std::vector<Derivation> derivations;

  bool is_public() const { return !hard && !soft; }
};

// Preconditions, checked in this order for every conjunct that reads a private cell:
//   1. it is built by AND, OR, NOT from comparisons, IN, and predicates of one discrete column;
//   2. a compared number is continuous in its cells (Differentiator) and of an exact type, or a column of doubles with
//      a declared step or precision that is compared with constants.
// Proof: soften.md.
Result<SoftFilter> soften(const std::vector<ExprPtr>& private_conjuncts, const Differentiator& differentiator);

// The slopes of one predicate that the plain condition computes exactly (docs/theory/calculus.md, "Conditions
// on a grid"). Refuses a predicate that needs a ramp.
Result<std::vector<Gradient>> exact_slopes(const ExprPtr& predicate, const Differentiator& differentiator);

}  // namespace tacit
