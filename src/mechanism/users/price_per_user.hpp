#pragma once

#include "base/units.hpp"

namespace tacit {

struct UserPrice {
  Epsilon epsilon;
  Delta delta;
};

// What an answer may cost per user added or removed, so that neighbours that differ by `users` of them (1 or 2) cost at
// most `whole`:
//
//   users = 2:  epsilon / 2  and  delta / (1 + e^(epsilon / 2)), rounded down
//
// Preconditions: 1. epsilon > 0 and delta >= 0; 2. users is 1 or 2; 3. the database between the two neighbours is one
// that the answer's proof speaks of. Proof: price_per_user.md.
UserPrice price_per_user(const UserPrice& whole, int users);

}  // namespace tacit
