#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// Which groups of private keys are shown, from how many users each has. A user counts in at most k groups. Guarantee
// and proof of both rules: group_selection.md. Drawing: noise/users/select_groups.hpp.
//
// Preconditions of everything here
//   1. epsilon > 0 and finite.
//   2. 0 < delta < 1.
//   3. k >= 1.

// The chance that a group is shown, or the chance that it is hidden: whichever is given without loss of digits.
struct ShowChance {
  double chance = 0.0;
  bool of_hiding = false;

  double showing() const { return of_hiding ? 1.0 - chance : chance; }
};

// The rule that shows most groups at (epsilon, delta): with e = epsilon / k and d = 1 - (1 - delta)^(1/k)
//
//   p(n) = d (exp(n e) - 1) / (exp(e) - 1)                          for n <= c,
//   1 - p(n) = max(0, (1 - p(c) + a) exp(-(n - c) e) - a)           beyond, a = d / (exp(e) - 1),
//   c = 1 + floor(ln(1 + tanh(e/2) (1/d - 1)) / e).
//
// e and d are taken a little smaller than they are, so that rounding cannot break the guarantee.
class OptimalSelection {
 public:
  OptimalSelection(Epsilon epsilon, Delta delta, int groups_per_user);

  ShowChance chance(Int128 users) const;  // users >= 0; a group without users is never shown

  // The least number of users whose group is shown with at least this probability, 0 < probability <= 1; most_users
  // where there is none below.
  Int128 users_for(double probability) const;
  static constexpr Int128 most_users = Int128{1} << 60;

 private:
  long double epsilon_ = 0.0L;  // of one group
  long double delta_ = 0.0L;
  long double turn_ = 0.0L;            // c
  long double hidden_at_turn_ = 1.0L;  // 1 - p(c)
  long double floor_ = 0.0L;           // a
  bool without_epsilon_ = false;       // epsilon too small to count on: p(n) = d
};

// The noisy number of users (noise of scale k / epsilon on it, before any rounding) must reach
//
//   tau = 1 - ln(2 d) k / epsilon,   d = min(1 - (1 - delta)^(1/k), 1/2).
//
// Rounded up. After rounding the noisy number to integers compare with rounded_threshold.
double selection_threshold_up(Epsilon epsilon, Delta delta, int groups_per_user);
double rounded_threshold(double tau);  // ceil(tau + 1/2)

}  // namespace tacit
