#pragma once

#include <optional>

#include "sensitivity/metric/derivative/cell.hpp"
#include "sql/expr.hpp"

namespace tacit {

// The value of a monotone function of one column, built from + - negate, multiplication by constants, conversions and
// clamps, at a given point; empty when the expression is anything else, whatever the point. On an interval such a
// function takes its largest magnitude at an end. Computed in doubles and then moved away from zero by more than they
// can be off: the magnitude is never below the exact one. Proof: affine.md.
std::optional<double> monotone_value(const Expr& expr, const Column& column, double x);

}  // namespace tacit
