#include "sensitivity/metric/derivative/leaves/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/piecewise.hpp"

namespace tacit {
namespace {

// (r/rate)^r e^{rate s - r} up to the knee r/rate. Where its value at the knee is above the cap it is anchored where it
// meets the cap, so that no constant overflows.
Piece below_knee(double r, double rate, double knee, double cap) {
  const long double log_at_knee = r * std::log(static_cast<long double>(knee));
  const long double log_cap = std::log(static_cast<long double>(cap));
  if (log_at_knee <= log_cap) return {0.0, Piece::Form::exponential, std::pow(knee, r), rate, knee};
  const auto meets_cap = static_cast<double>(knee + (log_cap - log_at_knee) / rate);
  return {0.0, Piece::Form::exponential, cap, rate, meets_cap};
}

}  // namespace

LeafPtr power_leaf(double r, double rate, double cap) {
  TACIT_CHECK(std::isfinite(r) && r >= 0.0, "the exponent of a power bound is a finite number of at least 0");
  TACIT_CHECK(cap >= 0.0, "the cap of a power is at least 0");
  rate = usable_rate(rate);
  if (r == 0.0) return constant_leaf(std::min(1.0, cap));
  if (rate == 0.0 || cap == 0.0) {
    TACIT_CHECK(std::isfinite(cap), "a power without rate has a finite cap");
    return constant_leaf(cap);
  }
  const double top = std::min(cap, largest_bound);
  if (r > 1000.0) return constant_leaf(top);  // beyond what doubles can follow
  const double knee = r / rate;
  std::vector<Piece> pieces = {below_knee(r, rate, knee, top), {knee, Piece::Form::power, 1.0, r}};
  const auto formula = [=](const std::string& s) {
    const std::string bound = fmt::format("({0}^{1} if {0} >= {2}, else {2}^{1} e^({3} {0} - {1}))", s, r, knee, rate);
    return std::isinf(cap) ? bound : fmt::format("min({}, {})", bound, cap);
  };
  const double floor = floor_below(pieces.front().factor);
  return piecewise_leaf(std::move(pieces), {.floor = floor, .cap = top, .supremum = cap}, formula);
}

}  // namespace tacit
