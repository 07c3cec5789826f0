#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

// Several expressions brought to one type. An untyped literal takes the type of its neighbours. Exact numbers stay
// exact; a double makes all of them doubles; a timestamp makes dates timestamps; all other mixtures are refused.
// `what` names the construct in messages: "`=`", "CASE".

// For one result: every expression gets the same engine type.
Result<std::vector<ExprPtr>> to_common_type(std::vector<ExprPtr> values, std::string_view what, int position);

// For a comparison: exact numbers only get the same scale, and literals are moved to the type of the column beside
// them, so that the engine can use its indexes and zone maps on a bare column.
Result<std::vector<ExprPtr>> to_comparable(std::vector<ExprPtr> values, std::string_view what, int position);

// Two numbers for arithmetic, read as numeric_operand reads them; untyped literals become numbers. Types still differ.
struct NumberPair {
  ExprPtr left;
  ExprPtr right;
  bool is_real() const { return left->type.kind == TypeKind::real || right->type.kind == TypeKind::real; }
};
Result<NumberPair> to_numbers(ExprPtr left, ExprPtr right, std::string_view what, int position);
// One number; an untyped literal is read as a decimal.
Result<ExprPtr> to_number(ExprPtr value, std::string_view what, int position);
Result<ExprPtr> to_text(ExprPtr value, std::string_view what, int position);

}  // namespace tacit
