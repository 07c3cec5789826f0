#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacit {

// The widest integer an engine returns exactly (DuckDB HUGEINT, DECIMAL(38)).
// __extension__ quiets -Wpedantic, and goes with a typedef only.
__extension__ typedef __int128 Int128;            // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 UInt128;  // NOLINT(modernize-use-using)

std::string to_string(Int128 value);

// Digits with an optional sign and nothing else; empty when out of range or malformed.
std::optional<Int128> parse_int128(std::string_view text);

// 10^exponent for 0 <= exponent <= 38.
Int128 power_of_ten(int exponent);

// Exact arithmetic that says so when the result does not fit.
std::optional<Int128> checked_add(Int128 a, Int128 b);
std::optional<Int128> checked_subtract(Int128 a, Int128 b);
std::optional<Int128> checked_multiply(Int128 a, Int128 b);

}  // namespace tacit
