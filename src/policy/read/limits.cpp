#include "policy/read/limits.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"

namespace tacit {
namespace {

struct Measured {
  double number;
  std::string_view unit;
};

std::optional<Measured> split(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.')) ++end;
  const auto number = parse_decimal(text.substr(0, end));
  if (!number) return std::nullopt;
  std::string_view unit = text.substr(end);
  if (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  return Measured{to_double(*number), unit};
}

template <std::size_t N>
std::optional<double> measure(std::string_view text, const std::array<std::pair<std::string_view, double>, N>& units) {
  const auto measured = split(text);
  if (!measured) return std::nullopt;
  for (const auto& [unit, size] : units) {
    if (unit == measured->unit) return measured->number * size;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> parse_duration(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 4> units = {
      {{"ms", 0.001}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}}};
  constexpr double week = 7 * 24 * 3600.0;
  const auto seconds = measure(text, units);
  return seconds && *seconds >= 0.001 && *seconds <= week ? seconds : std::nullopt;
}

std::optional<std::size_t> parse_memory(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 8> units = {{{"KB", 1e3},
                                                                                {"MB", 1e6},
                                                                                {"GB", 1e9},
                                                                                {"TB", 1e12},
                                                                                {"KiB", 1024.0},
                                                                                {"MiB", 1048576.0},
                                                                                {"GiB", 1073741824.0},
                                                                                {"TiB", 1099511627776.0}}};
  const auto bytes = measure(text, units);
  if (!bytes || *bytes < 1e6 || *bytes > 1e15) return std::nullopt;
  return static_cast<std::size_t>(std::floor(*bytes));
}

}  // namespace tacit
