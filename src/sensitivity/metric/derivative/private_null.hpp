#pragma once

#include <set>

#include "base/result.hpp"
#include "sensitivity/metric/derivative/cell.hpp"
#include "sql/expr.hpp"

namespace tacit {

// Which private cells decide whether an expression is NULL. A sum leaves a NULL out, as if it were 0, so a value that
// becomes NULL jumps to 0: a slope that does not know of it is wrong (private_null.md).
struct PrivateNulls {
  std::set<const Column*> discrete;  // discrete columns: NULL is one of their values
  bool by_condition = false;         // a CASE whose private condition picks between NULL and something else

  bool none() const { return discrete.empty() && !by_condition; }
};

PrivateNulls private_nulls(const Expr& expr, const PrivateColumns& columns);

// What of it the call's own rule does not see: empty where NULL and 0 give the same (a product, a sign, ...), else what
// its arguments bring. REQUIRES a call.
PrivateNulls nulls_that_jump(const Expr& expr, const PrivateColumns& columns);

// Whether the call is NULL wherever an argument that it reads is, and does not go on with something else: LEAST and
// COALESCE leave a NULL out.
bool passes_nulls_on(const Expr& expr);

// The refusal of an expression that may be NULL depending on private cells where that would be a jump.
tl::unexpected<Failure> refuse_private_null(const Expr& expr);

}  // namespace tacit
