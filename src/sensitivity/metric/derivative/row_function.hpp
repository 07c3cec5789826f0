#pragma once

#include <map>
#include <vector>

#include "base/result.hpp"
#include "sensitivity/derivation.hpp"
#include "sensitivity/metric/derivative/bound.hpp"
#include "sensitivity/metric/derivative/cell.hpp"

namespace tacit {

// Bounds of |d f / d cell|, in units of the cell's own coordinate; a cell that is not listed does not matter.
using Gradient = std::map<const Column*, BoundPtr>;

// What is known of a continuous function of one join row (docs/theory/calculus.md, "One row"): a smooth bound of |f|,
// and of its partial derivatives. Where f is a minimum or maximum of several functions, its gradient is one of theirs
// at every point: each is a piece, and a norm of the gradient is at most the largest norm of a piece.
struct RowFunction {
  BoundPtr value;
  std::vector<Gradient> pieces;  // empty: f reads no private cell
  Derivation derivation;
  // At least every piece in every cell, as the rule makes it of its arguments' joint gradients: a join of the pieces
  // themselves repeats each argument as often as there are pieces, and so once more at every level. Empty: one piece,
  // or none.
  Gradient joint = {};

  bool is_public() const { return pieces.empty(); }
};

// The gradient that is at least every piece in every cell.
Gradient joint_gradient(const std::vector<Gradient>& pieces);
Gradient joint_of(const RowFunction& f);

// Pieces beyond this many are joined: they only make a bound tighter.
constexpr std::size_t most_pieces = 24;

// Drops pieces that are there already, and joins what is still too many.
void keep_few_pieces(RowFunction& f);

// f with |d f / d cell| <= constants: then |f| itself is a Lipschitz statistic, and its smooth bound is the universal
// rule (docs/theory/calculus.md, "Leaves"). Empty when a partial derivative has no constant bound, the cell's
// coordinate is not the value (ln, discrete), the expression is no number, or no cell moves it.
BoundPtr lipschitz_value(const ExprPtr& expr, const std::vector<Gradient>& pieces, const PrivateColumns& columns);

// The largest |value| that stated bounds allow; infinity without them.
double stated_magnitude(const Range& range);

// Derives row functions of typed expressions. Refuses what is not continuous in a private cell, or has no bound. Where
// SQL says NULL the function is 0, as a sum has it. Proof: row_function.md.
class Differentiator {
 public:
  explicit Differentiator(const PrivateColumns& columns) : columns_(columns) {}
  Result<RowFunction> derive(const ExprPtr& expr) const;  // a number, or a date in days
  // A predicate as a function with values in [0, 1] that agrees with it on the grid (soften.hpp).
  Result<RowFunction> derive_predicate(const ExprPtr& predicate) const;
  const PrivateColumns& columns() const { return columns_; }
  bool is_public(const Expr& expr) const { return !reads_private_cell(expr, columns_); }

 private:
  Result<RowFunction> derive_call(const ExprPtr& expr) const;
  const PrivateColumns& columns_;
};

}  // namespace tacit
