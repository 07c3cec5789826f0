#include "noise/grid_value.hpp"

#include <cmath>

#include "base/check.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

Decimal on_decimal_grid(Int128 units, int exponent) {
  TACIT_CHECK(exponent >= -38 && exponent <= 38, "a decimal grid has a step of at most 38 digits");
  if (exponent >= 0) return {units, exponent};
  const auto scaled = checked_multiply(units, power_of_ten(-exponent));
  if (scaled) return {clamp_to_release(*scaled), 0};
  return {units < 0 ? -largest_release : largest_release, 0};
}

}  // namespace

Value value_on_grid(Int128 units, const Grid& grid, const SqlType& type) {
  if (grid.base == Grid::Base::binary) return std::ldexp(static_cast<double>(units), -grid.exponent);
  const Decimal number = on_decimal_grid(units, grid.exponent);
  if (type.kind == TypeKind::real) return to_double(number);
  return number;
}

}  // namespace tacit
