#include "mechanism/mechanism_plan.hpp"

#include <cmath>
#include <limits>

namespace tacit {

Epsilon price_of(const MechanismPlan& plan) {
  if (plan.eta == 0.0) return plan.epsilon;
  return Epsilon(std::nextafter(plan.epsilon.value() + plan.eta, std::numeric_limits<double>::infinity()));
}

}  // namespace tacit
