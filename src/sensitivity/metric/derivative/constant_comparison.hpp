#pragma once

#include <optional>

#include "sensitivity/metric/derivative/row_function.hpp"
#include "sql/functions/function_traits.hpp"

namespace tacit {

// The private column that an expression is, apart from conversions that keep the order of its values and tell them
// apart; null for anything else.
const PrivateColumn* bare_column(const Expr& expr, const Differentiator& differentiator);

// The value of a public expression that has one possible value; empty otherwise, and for NULL.
std::optional<Decimal> constant_value(const Expr& expr, const Differentiator& differentiator);

// `x < 3`: a bare private column and a constant; `3 > x` is turned round.
struct ConstantComparison {
  const PrivateColumn* column = nullptr;
  Meaning relation = Meaning::other;  // of the column with the value: less
  Decimal value;
};

// Empty where the call has other operands. The relation may be any function of two arguments.
std::optional<ConstantComparison> constant_comparison(const Call& call, const Differentiator& differentiator);

}  // namespace tacit
