#include "base/int128.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tacit {

std::string to_string(Int128 value) {
  if (value == 0) return "0";
  // Negating the unsigned image is defined for the smallest value too.
  UInt128 magnitude = value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
  std::string digits;
  for (; magnitude != 0; magnitude /= 10) digits.push_back(static_cast<char>('0' + static_cast<int>(magnitude % 10)));
  if (value < 0) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Int128> parse_int128(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Int128 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto scaled = checked_multiply(value, 10);
    if (!scaled) return std::nullopt;
    const auto next = negative ? checked_subtract(*scaled, c - '0') : checked_add(*scaled, c - '0');
    if (!next) return std::nullopt;
    value = *next;
  }
  return value;
}

Int128 power_of_ten(int exponent) {
  TACIT_CHECK(exponent >= 0 && exponent <= 38, "power_of_ten: exponent within 0..38");
  Int128 result = 1;
  for (int i = 0; i < exponent; ++i) result *= 10;
  return result;
}

std::optional<Int128> checked_add(Int128 a, Int128 b) {
  Int128 result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<Int128> checked_subtract(Int128 a, Int128 b) {
  Int128 result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<Int128> checked_multiply(Int128 a, Int128 b) {
  Int128 result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

}  // namespace tacit
