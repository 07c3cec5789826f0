#pragma once

#include <optional>

#include "sql/functions/common_type.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {

// Engine types of exact arithmetic, chosen from ranges that are proved, so that the engine's own overflow checks can
// never fire. DuckDB computes a decimal of up to 18 digits in 64 bits and raises an error when the result has more;
// an operand of more than 18 digits makes it compute in 128 bits, eight times slower. Casts cost more than the
// arithmetic itself. Hence: operands keep their type unless the result needs more than 18 digits, then one is widened.

// 64 bits when they hold every value, else 128; empty beyond 38 digits.
std::optional<SqlType> integer_type(const ExactRange& range);

// The types DuckDB gives to a + b (and a - b) and to a * b for decimals.
SqlType engine_sum_type(const SqlType& a, const SqlType& b);
SqlType engine_product_type(const SqlType& a, const SqlType& b);

// An integer or decimal as a decimal, in the fewest digits its range needs; empty when 38 do not hold it.
std::optional<ExprPtr> as_decimal(ExprPtr number);
// A decimal widened so that the engine computes in 128 bits.
ExprPtr widened(ExprPtr decimal);
bool is_wide(const SqlType& decimal);  // more than 18 digits

// rule(x) of an exact number whose result has the operand's own type (abs, negate): widened where the range needs it.
Result<ExprPtr> call_same_type(const FunctionRule& rule, ExprPtr number, const ExactRange& range, int position);

}  // namespace tacit
