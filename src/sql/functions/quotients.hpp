#pragma once

#include "sql/functions/common_type.hpp"

namespace tacit {

// The exact halves of a / b; see divide.cpp.
Result<ExprPtr> bind_integer_quotient(const NumberPair& pair, int position);
Result<ExprPtr> bind_decimal_quotient(const NumberPair& pair, int position);

// How the quotient t of two whole numbers of units is computed (decimal_quotient.cpp).
struct DecimalQuotient {
  int shift = 0;           // exponent of ten that the dividend is multiplied with
  bool is_narrow = false;  // 64 bits hold dividend and divisor
  int digits = 0;          // of t
};

// The one pair of 64-bit integers whose quotient does not fit: (-2^63) / (-1). Engines raise an error for it.
bool may_be_smallest_by_minus_one(const Expr& dividend, const Expr& divisor);

}  // namespace tacit
