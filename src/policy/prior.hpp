#pragma once

#include <string_view>

#include "base/result.hpp"

namespace tacit {

// What the attacker believes before the answer, in the words of the policy:
//   uniform         every value of the column's declared domain is equally likely
//   uniform(a, b)   real, a < b
//   normal(m, s)    real, standard deviation s > 0
// Checks the text; it is read again where the numbers are needed.
Status check_prior(std::string_view text);

// Whether a (well-formed) prior is about numbers: it has arguments.
bool is_prior_of_numbers(std::string_view text);

}  // namespace tacit
