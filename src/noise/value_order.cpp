#include "noise/value_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

namespace tacit {
namespace {

// The nearest double. Both operands of the short way are exact doubles, so its one rounding is the right one.
double nearest_double(const Decimal& number) {
  constexpr Int128 exact_in_double = Int128{1} << 53;
  static constexpr std::array<double, 23> powers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (number.units >= -exact_in_double && number.units <= exact_in_double && number.scale <= 22) {
    return static_cast<double>(number.units) / powers[static_cast<std::size_t>(number.scale)];
  }
  return to_double(number);
}

std::weak_ordering compare_doubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) <=> static_cast<int>(std::isnan(b));
  return a < b ? std::weak_ordering::less : a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

std::weak_ordering compare_decimals(const Decimal& a, const Decimal& b) {
  if (a.scale == b.scale) return a.units <=> b.units;
  return a <=> b;
}

bool is_number(const Value& value) {
  return std::holds_alternative<Decimal>(value) || std::holds_alternative<double>(value);
}

double as_double(const Value& number) {
  const auto* decimal = std::get_if<Decimal>(&number);
  return decimal != nullptr ? nearest_double(*decimal) : std::get<double>(number);
}

std::size_t hash_value(const Value& value) {
  return std::visit(
      [&](const auto& v) -> std::size_t {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Null>) {
          return 0x6e756c6c;
        } else if constexpr (std::is_same_v<T, Decimal> || std::is_same_v<T, double>) {
          const double number = as_double(value);
          if (std::isnan(number)) return 0x6e616e;
          return std::hash<double>{}(number == 0.0 ? 0.0 : number);
        } else if constexpr (std::is_same_v<T, Date>) {
          return std::hash<std::int32_t>{}(v.days);
        } else if constexpr (std::is_same_v<T, Timestamp>) {
          return std::hash<std::int64_t>{}(v.microseconds);
        } else {
          return std::hash<T>{}(v);
        }
      },
      value);
}

}  // namespace

std::weak_ordering compare_values(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b) && a.index() != b.index()) return compare_doubles(as_double(a), as_double(b));
  if (a.index() != b.index()) return a.index() <=> b.index();
  return std::visit(
      [&](const auto& left) -> std::weak_ordering {
        using T = std::decay_t<decltype(left)>;
        const T& right = std::get<T>(b);
        if constexpr (std::is_same_v<T, Null>) {
          return std::weak_ordering::equivalent;
        } else if constexpr (std::is_same_v<T, double>) {
          return compare_doubles(left, right);
        } else if constexpr (std::is_same_v<T, Decimal>) {
          return compare_decimals(left, right);
        } else {
          return left <=> right;
        }
      },
      a);
}

bool same_group(std::span<const Value> a, std::span<const Value> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Value& left, const Value& right) { return std::is_eq(compare_values(left, right)); });
}

std::size_t hash_group(std::span<const Value> row) {
  std::size_t hash = row.size();
  // An odd multiplier and a rotation: the order of the keys matters.
  for (const Value& value : row) hash = std::rotl(hash * 0x9e3779b97f4a7c15ULL ^ hash_value(value), 27);
  return hash;
}

Value group_name(Value value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return value;
  if (std::isnan(*number)) return std::numeric_limits<double>::quiet_NaN();
  return *number == 0.0 ? 0.0 : *number;
}

}  // namespace tacit
