#pragma once

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

// A literal of text (or NULL) read as a value of the type, as PostgreSQL reads '...'::type. Malformed text is refused:
// casts of text happen here, at binding, and nowhere else.
Result<ExprPtr> cast_literal(const Expr& literal, const SqlType& target, int position);

// A number that keeps its own digits: '12' an integer, '0.055' a decimal of scale 3. NULL becomes an integer NULL.
Result<ExprPtr> number_from_literal(const Expr& literal, int position);

// Exact number to its literal type: integer(32), integer(64), integer(128) or decimal(p, s).
ExprPtr exact_literal(const Decimal& value, bool is_integer, int position);

}  // namespace tacit
