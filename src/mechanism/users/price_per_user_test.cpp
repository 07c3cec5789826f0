#include "mechanism/users/price_per_user.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tacit {
namespace {

// The inequality of price_per_user.md, in wider arithmetic.
TEST(PricePerUser, TwoUsersCostAtMostTheWhole) {
  for (const double epsilon : {1e-9, 0.01, 0.5, 1.0, 3.0, 10.0, 200.0}) {
    for (const double delta : {0.0, 1e-300, 1e-12, 1e-6, 0.3}) {
      const UserPrice each = price_per_user({Epsilon(epsilon), Delta(delta)}, 2);
      EXPECT_LE(2.0L * each.epsilon.value(), epsilon);
      const long double both = static_cast<long double>(each.delta.value()) *
                               (1.0L + std::exp(static_cast<long double>(each.epsilon.value())));
      EXPECT_LE(both, static_cast<long double>(delta)) << epsilon;
      EXPECT_GE(both, static_cast<long double>(delta) * (1.0L - 0x1p-39L) - 1e-300L) << "little is given away";
    }
  }
}

TEST(PricePerUser, OneUserCostsAllOfIt) {
  const UserPrice each = price_per_user({Epsilon(0.7), Delta(1e-7)}, 1);
  EXPECT_EQ(each.epsilon.value(), 0.7);
  EXPECT_EQ(each.delta.value(), 1e-7);
}

// The loss of two steps at the price of one, for a mechanism that spends all of it: a value that is shown with
// probability 1 - exp(-e) (1 - d), e and d per user, and so on from there.
TEST(PricePerUser, IsNotMoreThanTwoStepsNeed) {
  const UserPrice whole{Epsilon(2.0), Delta(0.01)};
  const UserPrice each = price_per_user(whole, 2);
  const auto step = [&](double p) { return std::min(1.0, std::exp(each.epsilon.value()) * p + each.delta.value()); };
  const double p = 0.001;
  EXPECT_LE(step(step(p)), std::exp(whole.epsilon.value()) * p + whole.delta.value());
  EXPECT_GE(step(step(p)), (std::exp(whole.epsilon.value()) * p + whole.delta.value()) * (1.0 - 1e-9));
}

}  // namespace
}  // namespace tacit
