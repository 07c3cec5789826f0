#pragma once

#include <compare>

namespace tacit {

// A double that means one thing. Arithmetic goes through value(), where the direction of rounding is chosen by name.
template <class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}
  constexpr double value() const { return value_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double value_ = 0.0;
};

using Epsilon = Quantity<struct EpsilonTag>;    // privacy loss per unit of distance
using Delta = Quantity<struct DeltaTag>;        // probability that the loss is exceeded
using Beta = Quantity<struct BetaTag>;          // smoothness of a sensitivity bound
using Distance = Quantity<struct DistanceTag>;  // between two databases

}  // namespace tacit
