#include "sensitivity/metric/derivative/leaves/magnitude.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/piecewise.hpp"

namespace tacit {

LeafPtr magnitude_leaf(double rate, double cap) {
  TACIT_CHECK(cap >= 0.0, "the cap of a magnitude is at least 0");
  rate = usable_rate(rate);
  if (rate == 0.0) {
    TACIT_CHECK(std::isfinite(cap), "a magnitude without rate has a finite cap");
    return constant_leaf(cap);
  }
  const double knee = 1.0 / rate;
  std::vector<Piece> pieces = {{0.0, Piece::Form::exponential, knee, rate, knee}, {knee, Piece::Form::power, 1.0, 1.0}};
  const auto formula = [rate, knee, cap](const std::string& s) {
    const std::string bound = fmt::format("({0} if {0} >= {1}, else {1} e^({2} {0} - 1))", s, knee, rate);
    return std::isinf(cap) ? bound : fmt::format("min({}, {})", bound, cap);
  };
  return piecewise_leaf(std::move(pieces), {.floor = 0.0, .cap = cap, .supremum = cap}, formula);
}

}  // namespace tacit
