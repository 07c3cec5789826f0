#include "sensitivity/derivative/leaves/reciprocal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sensitivity/derivative/leaves/piecewise.hpp"

namespace tacit {

LeafPtr reciprocal_leaf(double r, double x0, double rate) {
  TACIT_CHECK(std::isfinite(r) && r > 0.0, "the exponent of a reciprocal bound is a finite number above 0");
  TACIT_CHECK(x0 > 0.0, "a reciprocal is bounded from a number above 0 on");
  rate = usable_rate(rate);
  x0 = std::min(x0, largest_bound);
  const double x1 = std::pow(largest_bound, -1.0 / r);  // left of it the function is above 1e300
  const long double at_x0 = std::pow(static_cast<long double>(x0), -static_cast<long double>(r));
  const double top = x0 < x1 ? largest_bound : std::max(rounded_up(at_x0), 1e-300);
  x0 = std::max(x0, x1);
  if (rate == 0.0 || r > 1000.0) return constant_leaf(top);
  const Piece falls{x0, Piece::Form::exponential, top, -rate, x0};
  Piece power{x0, Piece::Form::power, 1.0, -r};
  // r ln(s/x0) - rate (s-x0) starts at 0 and is concave: where it is positive the exponential is the larger one, which
  // is one stretch from x0 on.
  const double highest = std::max(x0, r / rate);  // there it is largest, so the stretch ends to its right
  power.from = first_double(highest, std::numeric_limits<double>::max(),
                            [&](double s) { return exact_value(power, s) >= exact_value(falls, s); });
  std::vector<Piece> pieces = {{.factor = top}, falls, power};
  const auto formula = [=](const std::string& s) {
    return fmt::format("max(max({0}, {1})^-{2}, {3} e^(-{4} max({0} - {1}, 0)))", s, x0, r, top, rate);
  };
  return piecewise_leaf(std::move(pieces), {.floor = floor_below(top), .cap = top, .supremum = top}, formula);
}

}  // namespace tacit
