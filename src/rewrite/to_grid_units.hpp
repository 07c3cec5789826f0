#pragma once

#include <string>

#include "sql/dialect.hpp"

namespace tacit {

// A double as a whole number of steps 2^-exponent, half to even. Where it is an error that a product underflows:
// with a step of 2 or more that product would be 0.
std::string to_grid_units(const std::string& sql, int exponent, const Dialect& dialect);

}  // namespace tacit
