#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/int128.hpp"

namespace tacit {

// An exact decimal number: units * 10^-scale, 0 <= scale <= 38. Values compare by magnitude, not by spelling:
// 1.0 and 1.00 are equal.
struct Decimal {
  Int128 units = 0;
  int scale = 0;
};

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
bool operator==(const Decimal& a, const Decimal& b);

std::string to_string(const Decimal& value);  // always `scale` digits after the point

// "12", "-0.050", ".5", "1e3", "1.5E-2"; empty when malformed, longer than 200 characters, or when the number is no
// Decimal.
std::optional<Decimal> parse_decimal(std::string_view text);

// The same number with another scale; empty when digits would be lost or it does not fit.
std::optional<Decimal> rescale(const Decimal& value, int scale);
// The nearest number of that scale in the named direction; empty when it does not fit.
std::optional<Decimal> rescale_down(const Decimal& value, int scale);
std::optional<Decimal> rescale_up(const Decimal& value, int scale);
// Half away from zero, as PostgreSQL rounds numeric.
std::optional<Decimal> rescale_half_away(const Decimal& value, int scale);

// Empty when the exact result does not fit.
std::optional<Decimal> add(const Decimal& a, const Decimal& b);
std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
std::optional<Decimal> negate(const Decimal& a);

double to_double(const Decimal& value);  // nearest
int digits(Int128 units);                // decimal digits of |units|, at least 1

}  // namespace tacit
