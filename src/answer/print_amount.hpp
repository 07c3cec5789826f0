#pragma once

#include <string>

namespace tacit {

// Epsilons and deltas for people, six significant digits. A budget never looks larger than it is: what is spent is
// rounded up, what is left is rounded down. JSON carries every digit.
std::string print_spent(double amount);
std::string print_left(double amount);

// A size of noise or an error: four significant digits, without an exponent up to 10^15.
std::string print_size(double size);

}  // namespace tacit
