#include "base/decimal.hpp"

#include <algorithm>
#include <charconv>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr int max_scale = 38;

enum class Direction { exact, down, up, half_away };

Int128 divide(Int128 units, Int128 divisor, Direction direction) {
  const Int128 quotient = units / divisor;
  const Int128 remainder = units % divisor;
  if (remainder == 0) return quotient;
  const Int128 away = units < 0 ? quotient - 1 : quotient + 1;
  switch (direction) {
    case Direction::down: return units < 0 ? away : quotient;
    case Direction::up: return units < 0 ? quotient : away;
    case Direction::half_away: {
      const Int128 magnitude = remainder < 0 ? -remainder : remainder;
      return magnitude >= divisor - magnitude ? away : quotient;
    }
    case Direction::exact: break;
  }
  TACIT_CHECK(false, "divide: a remainder has a direction");
}

std::optional<Decimal> change_scale(const Decimal& value, int scale, Direction direction) {
  if (scale < 0 || scale > max_scale) return std::nullopt;
  if (scale >= value.scale) {
    const auto units = checked_multiply(value.units, power_of_ten(scale - value.scale));
    if (!units) return std::nullopt;
    return Decimal{*units, scale};
  }
  const Int128 divisor = power_of_ten(value.scale - scale);
  if (direction == Direction::exact && value.units % divisor != 0) return std::nullopt;
  return Decimal{divide(value.units, divisor, direction), scale};
}

struct Aligned {
  Int128 a;
  Int128 b;
  int scale;
};

std::optional<Aligned> align(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale, b.scale);
  const auto left = change_scale(a, scale, Direction::exact);
  const auto right = change_scale(b, scale, Direction::exact);
  if (!left || !right) return std::nullopt;
  return Aligned{left->units, right->units, scale};
}

Decimal without_trailing_zeros(Decimal value) {
  while (value.scale > 0 && value.units % 10 == 0) {
    value.units /= 10;
    --value.scale;
  }
  return value;
}

// [+-] digits [. digits] [e [+-] digits], at least one digit in front of the e.
struct Spelling {
  std::string digits;        // of both sides of the point, behind a minus sign if there is one
  std::size_t fraction = 0;  // how many of them stand after it
  int exponent = 0;
};

constexpr std::size_t longest_spelling = 200;
constexpr int largest_exponent = 1000;

bool only_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool take_sign(std::string_view& text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  return negative;
}

std::optional<Spelling> read_spelling(std::string_view text) {
  if (text.size() > longest_spelling) return std::nullopt;
  Spelling spelling;
  if (take_sign(text)) spelling.digits = "-";
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    text = text.substr(0, e);
    const bool negative = take_sign(exponent);
    if (exponent.empty() || !only_digits(exponent)) return std::nullopt;
    const auto parsed = std::from_chars(exponent.data(), exponent.data() + exponent.size(), spelling.exponent);
    if (parsed.ec != std::errc() || spelling.exponent > largest_exponent) return std::nullopt;
    if (negative) spelling.exponent = -spelling.exponent;
  }
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (whole.empty() && fraction.empty()) return std::nullopt;
  if (!only_digits(whole) || !only_digits(fraction)) return std::nullopt;
  spelling.digits.append(whole).append(fraction);
  spelling.fraction = fraction.size();
  return spelling;
}

}  // namespace

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  // Integer parts first, so that aligning the fractions cannot overflow.
  const Int128 whole_a = a.units / power_of_ten(a.scale);
  const Int128 whole_b = b.units / power_of_ten(b.scale);
  if (whole_a != whole_b) return whole_a < whole_b ? std::strong_ordering::less : std::strong_ordering::greater;
  const auto fractions = align({a.units % power_of_ten(a.scale), a.scale}, {b.units % power_of_ten(b.scale), b.scale});
  TACIT_CHECK(fractions.has_value(), "fractions below one fit 38 digits");
  if (fractions->a == fractions->b) return std::strong_ordering::equal;
  return fractions->a < fractions->b ? std::strong_ordering::less : std::strong_ordering::greater;
}

bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == std::strong_ordering::equal; }

std::string to_string(const Decimal& value) {
  std::string text = to_string(value.units);
  if (value.scale == 0) return text;
  const bool negative = text.front() == '-';
  if (negative) text.erase(0, 1);
  const auto scale = static_cast<std::size_t>(value.scale);
  if (text.size() <= scale) text.insert(0, scale + 1 - text.size(), '0');
  text.insert(text.size() - scale, 1, '.');
  return negative ? "-" + text : text;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  const auto spelling = read_spelling(text);
  if (!spelling) return std::nullopt;
  std::string digits = spelling->digits;
  long scale = static_cast<long>(spelling->fraction) - spelling->exponent;
  // Zeros at the end of a fraction carry no value: they go where they would not fit.
  const std::size_t shortest = digits.starts_with('-') ? 2 : 1;
  auto units = parse_int128(digits);
  while ((!units || scale > max_scale) && scale > 0 && digits.size() > shortest && digits.back() == '0') {
    digits.pop_back();
    --scale;
    units = parse_int128(digits);
  }
  if (!units) return std::nullopt;
  if (*units == 0) return Decimal{0, static_cast<int>(std::clamp<long>(scale, 0, max_scale))};
  if (scale > max_scale || scale < -max_scale) return std::nullopt;
  if (scale >= 0) return Decimal{*units, static_cast<int>(scale)};
  const auto scaled = checked_multiply(*units, power_of_ten(static_cast<int>(-scale)));
  return scaled ? std::optional(Decimal{*scaled, 0}) : std::nullopt;
}

std::optional<Decimal> rescale(const Decimal& value, int scale) { return change_scale(value, scale, Direction::exact); }
std::optional<Decimal> rescale_down(const Decimal& value, int scale) {
  return change_scale(value, scale, Direction::down);
}
std::optional<Decimal> rescale_up(const Decimal& value, int scale) { return change_scale(value, scale, Direction::up); }
std::optional<Decimal> rescale_half_away(const Decimal& value, int scale) {
  return change_scale(value, scale, Direction::half_away);
}

std::optional<Decimal> add(const Decimal& a, const Decimal& b) {
  const auto aligned = align(a, b);
  if (!aligned) return std::nullopt;
  const auto sum = checked_add(aligned->a, aligned->b);
  return sum ? std::optional(Decimal{*sum, aligned->scale}) : std::nullopt;
}

std::optional<Decimal> subtract(const Decimal& a, const Decimal& b) {
  const auto aligned = align(a, b);
  if (!aligned) return std::nullopt;
  const auto difference = checked_subtract(aligned->a, aligned->b);
  return difference ? std::optional(Decimal{*difference, aligned->scale}) : std::nullopt;
}

std::optional<Decimal> multiply(const Decimal& a, const Decimal& b) {
  const Decimal left = without_trailing_zeros(a);
  const Decimal right = without_trailing_zeros(b);
  if (left.scale + right.scale > max_scale) return std::nullopt;
  const auto product = checked_multiply(left.units, right.units);
  return product ? std::optional(Decimal{*product, left.scale + right.scale}) : std::nullopt;
}

std::optional<Decimal> negate(const Decimal& a) { return subtract(Decimal{0, a.scale}, a); }

double to_double(const Decimal& value) {
  const std::string text = to_string(value);
  double nearest = 0.0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), nearest);
  TACIT_CHECK(parsed.ec == std::errc(), "the text of a decimal is a double");
  return nearest;
}

int digits(Int128 units) {
  int count = 1;
  for (units /= 10; units != 0; units /= 10) ++count;
  return count;
}

}  // namespace tacit
