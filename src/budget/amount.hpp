#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "base/units.hpp"
#include "budget/ledger.hpp"

namespace tacit {

// Money of the ledger as whole numbers, so that sums are exact: epsilon in units of 1e-9, delta in units of 1e-18.
//
// A double means the shortest decimal that reads back as it: 0.1 is one tenth, as its writer meant. That decimal is
// then rounded in the safe direction: what is charged up, what is allowed down. The decimal and the double differ by at
// most one part in 2^53, and so does a sum of charges from the sum of the doubles.
//
// 0 <= both fields <= most_units: a sum of two amounts fits std::int64_t only if it is below that too; add through
// sum_saturating.
struct Amount {
  std::int64_t epsilon_units = 0;
  std::int64_t delta_units = 0;
  friend bool operator==(const Amount&, const Amount&) = default;
};

inline constexpr int epsilon_digits = 9;
inline constexpr int delta_digits = 18;
inline constexpr std::int64_t most_units = 9'000'000'000'000'000'000;  // epsilon 9e9, delta 9

// The price of a question. Refuses (usage) an epsilon that is not positive and finite or is beyond most_units, and a
// delta outside [0, 1).
Result<Amount> charge_rounded_up(Epsilon epsilon, Delta delta);
// What the owner adds. Refuses (usage) what is negative or not finite; cuts at most_units.
Result<Amount> grant_rounded_down(Epsilon epsilon, Delta delta);
// What a policy allows. What is not a positive number allows nothing; cuts at most_units.
Amount allowance_rounded_down(const Allowance& allowance);

Amount sum_saturating(const Amount& a, const Amount& b);     // cuts at most_units
Amount rest_of(const Amount& allowed, const Amount& spent);  // allowed - spent, at least 0
Amount smaller_of(const Amount& a, const Amount& b);         // each field by itself

// Back to doubles. The decimal that the double means is not below (up) or not above (down) the amount; for amounts of
// at most 15 digits it is the amount.
double to_double_rounded_up(std::int64_t units, int digits);  // units * 10^-digits
double to_double_rounded_down(std::int64_t units, int digits);
Allowance to_allowance_rounded_up(const Amount& amount);
Allowance to_allowance_rounded_down(const Amount& amount);
Remaining to_remaining_rounded_down(const Amount& amount);

}  // namespace tacit
