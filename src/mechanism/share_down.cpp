#include "mechanism/share_down.hpp"

#include <cmath>

#include "base/check.hpp"

namespace tacit {

Epsilon share_down(Epsilon total, std::size_t parts) {
  TACIT_CHECK(parts > 0, "epsilon is shared among at least one aggregate");
  const auto count = static_cast<double>(parts);
  double share = total.value() / count;
  // fma is exact up to one final rounding, so its sign is the sign of count * share - total.
  while (std::fma(count, share, -total.value()) > 0.0) share = std::nextafter(share, 0.0);
  return Epsilon(share);
}

}  // namespace tacit
