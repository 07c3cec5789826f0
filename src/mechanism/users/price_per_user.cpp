#include "mechanism/users/price_per_user.hpp"

#include <cmath>

#include "base/check.hpp"

namespace tacit {

UserPrice price_per_user(const UserPrice& whole, int users) {
  TACIT_CHECK(whole.epsilon.value() > 0.0 && whole.delta.value() >= 0.0,
              "a price has an epsilon, and no delta below 0");
  TACIT_CHECK(users == 1 || users == 2, "a neighbour is one user away, or two");
  if (users == 1) return whole;
  constexpr double allowance = 1.0 - 0x1p-40;  // for the roundings of exp, a sum and a quotient
  const double epsilon = whole.epsilon.value() / 2.0;
  return {Epsilon(epsilon), Delta(whole.delta.value() / (1.0 + std::exp(epsilon)) * allowance)};
}

}  // namespace tacit
