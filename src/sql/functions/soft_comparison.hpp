#pragma once

#include "sql/expr.hpp"

namespace tacit {

// Conditions on doubles without a jump, as numbers in [0, 1]; 0 where x is NULL or NaN. Only Tacit itself writes them.
//
//   sigmoid_of:  1 / (1 + e^{-steepness (x - center)}): x > center for a steepness above 0, x < center for one below 0.
//   sech_of:   2 / (e^t + e^{-t}), t = steepness (x - center): x = center.
//
// Where they are nearer than 2^-57 to 0 or 1 the engine is told 0 or 1 and computes no exponential: nothing overflows
// or underflows. REQUIRES a column of doubles, 1e-9 <= |steepness| <= 1e9, and a finite center.
ExprPtr sigmoid_of(ExprPtr x, double center, double steepness);
ExprPtr sech_of(ExprPtr x, double center, double steepness);

// |computed - exact| of either, for exact real arithmetic on the stored double.
constexpr double sigmoid_rounding = 0x1p-50;
constexpr double sech_rounding = 0x1p-49;

}  // namespace tacit
