#include "answer/print_amount.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace tacit {
namespace {

constexpr int shown_digits = 6;

// The decimal of six digits nearest to `amount` that is not on the wrong side of it. `direction` is +1 (up) or -1.
std::string print_towards(double amount, double direction) {
  std::string text = fmt::format("{:.{}g}", amount, shown_digits);
  if (amount == 0.0 || !std::isfinite(amount)) return text;
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(amount))) - (shown_digits - 1));
  const double nearest = std::strtod(text.c_str(), nullptr);
  for (int steps = 0; steps <= 2; ++steps) {
    text = fmt::format("{:.{}g}", nearest + direction * steps * unit, shown_digits);
    if ((std::strtod(text.c_str(), nullptr) - amount) * direction >= 0) return text;
  }
  return fmt::format("{}", amount);  // so small that a unit of the sixth digit underflows
}

}  // namespace

std::string print_spent(double amount) { return print_towards(amount, +1.0); }
std::string print_left(double amount) { return print_towards(amount, -1.0); }

std::string print_size(double size) {
  const double magnitude = std::fabs(size);
  if (magnitude < 1e4 || magnitude >= 1e15) return fmt::format("{:.4g}", size);
  const double unit = std::pow(10.0, std::floor(std::log10(magnitude)) - 3);
  return fmt::format("{:.0f}", std::round(size / unit) * unit);
}

}  // namespace tacit
