#include "sensitivity/grid.hpp"

#include <cmath>

#include "base/check.hpp"
#include "base/decimal.hpp"

namespace tacit {

double step_of(const Grid& grid) {
  if (grid.base == Grid::Base::binary) return std::ldexp(1.0, -grid.exponent);
  TACIT_CHECK(grid.exponent >= -38 && grid.exponent <= 38, "a decimal grid has a step of at most 38 digits");
  return grid.exponent >= 0 ? to_double(Decimal{1, grid.exponent})
                            : to_double(Decimal{power_of_ten(-grid.exponent), 0});
}

}  // namespace tacit
