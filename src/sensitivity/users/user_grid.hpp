#pragma once

#include <optional>

#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

// Numbers of a query in steps of a grid. All of it is public: types, literals, declared bounds.

// Doubles hold it exactly, and so do 64-bit integers and decimals of 18 digits. Below 2^60.
Int128 largest_steps(const Grid& grid);
constexpr Int128 largest_squared_steps = (Int128{1} << 30) - 1;  // of values whose squares are added up

Grid exact_grid(const SqlType& type);            // the steps of integers and decimals
Grid binary_grid(double farther, int bits);      // the finest power of two with at most 2^bits steps to `farther`
Grid inferred_grid(const Expr& number);          // where nothing is stated: at least 2^-20, at most the type's range
Grid inferred_square_grid(const SqlType& type);  // the same for values below 2^30 steps

// The number that a literal is; empty for anything else, NaN and infinities.
std::optional<double> point_of(const Expr& expr);
// That number rounded down or up to the grid; empty where it does not fit.
std::optional<Int128> steps_down(const Expr& literal, const Grid& grid);
std::optional<Int128> steps_up(const Expr& literal, const Grid& grid);

struct RealEnds {
  double lo;
  double hi;
};
// The ends of the expression's range where both are stated; rounded outward to steps.
std::optional<RealEnds> stated_ends(const Expr& expr);
std::optional<UserBounds> stated_steps(const Expr& expr, const Grid& grid);
// The expression's range, stated or not, at most `limit` in magnitude.
UserBounds row_limits(const Expr& expr, const Grid& grid, Int128 limit);

std::string in_units(Int128 steps, const Grid& grid);  // for people

}  // namespace tacit
