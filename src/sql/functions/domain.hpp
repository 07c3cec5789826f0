#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sql/expr.hpp"

namespace tacit {

// The expression to evaluate as a group key, so that its value lies in finite_domain(e) or in a row that a lookup in
// that domain drops: a bare column with declared bounds and no declared domain is NULL outside them, everything else is
// read as is.
ExprPtr key_operand(ExprPtr e);

// Every non-NULL value that key_operand(e) can take, in ascending order (text by bytes), known from the query text and
// the policy alone; empty when there is no such list of at most `at_most` values. Values have the type e->type.
//   1. boolean: false, true; 2. a column with a declared domain: that domain (rows outside it are dropped by the
//   caller);
//   3. literals; 4. CASE, COALESCE, NULLIF, LEAST, GREATEST: the union over the branches;
//   5. integers, decimals and dates with a stated range; 6. EXTRACT and date_trunc over stated ranges; 7. substring of
//   one of these: the parts of its values. (A stored value outside a declared domain may have such a part, and counts.)
std::optional<std::vector<Value>> finite_domain(const Expr& e, std::size_t at_most);

}  // namespace tacit
