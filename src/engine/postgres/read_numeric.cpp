#include "engine/postgres/read_numeric.hpp"

#include <cstdint>

#include "base/check.hpp"
#include "engine/postgres/network_order.hpp"

namespace tacit::postgres_engine {
namespace {

constexpr int digits_per_group = 4;
constexpr int most_digits = 38;

int group_at(std::string_view bytes, int index) {
  constexpr std::size_t header = 8;
  return network_order<std::int16_t>(bytes, header + 2 * static_cast<std::size_t>(index));
}

// Groups of base 10000, the first counting 10000^weight; trailing zeros are no part of them.
std::optional<Int128> magnitude(std::string_view bytes, int groups, int weight, int scale) {
  while (groups > 0 && group_at(bytes, groups - 1) == 0) --groups;
  if (groups == 0) return 0;
  const int last = digits_per_group * (weight - groups + 1) + scale;  // the last group counts 10^last units
  if (last <= -digits_per_group || last > most_digits) return std::nullopt;
  std::optional<Int128> units = 0;
  for (int i = 0; i + 1 < groups && units; ++i) {
    units = checked_multiply(*units, power_of_ten(digits_per_group));
    if (units) units = checked_add(*units, group_at(bytes, i));
  }
  // A part of the last group may stand behind the scale: it has to be zero.
  const int group = group_at(bytes, groups - 1);
  const int behind = last < 0 ? -last : 0;
  const int cut = static_cast<int>(power_of_ten(behind));
  if (!units || group % cut != 0) return std::nullopt;
  units = checked_multiply(*units, power_of_ten(digits_per_group - behind));
  if (units) units = checked_add(*units, group / cut);
  if (units && last > 0) units = checked_multiply(*units, power_of_ten(last));
  return units;
}

}  // namespace

std::optional<Int128> read_numeric(std::string_view bytes, int scale) {
  constexpr std::size_t header = 8;
  constexpr std::uint16_t negative = 0x4000;
  TACIT_CHECK(bytes.size() >= header, "a numeric has a header");
  const int groups = network_order<std::int16_t>(bytes, 0);
  const int weight = network_order<std::int16_t>(bytes, 2);
  const auto sign = network_order<std::uint16_t>(bytes, 4);
  TACIT_CHECK(groups >= 0 && bytes.size() == header + 2 * static_cast<std::size_t>(groups), "a numeric is whole");
  if (sign != 0 && sign != negative) return std::nullopt;  // NaN, Infinity, -Infinity
  const auto units = magnitude(bytes, groups, weight, scale);
  if (!units || *units >= power_of_ten(most_digits)) return std::nullopt;
  return sign == negative ? -*units : *units;
}

}  // namespace tacit::postgres_engine
