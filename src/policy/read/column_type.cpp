#include "policy/read/column_type.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace tacit {
namespace {

constexpr int max_precision = 38;

std::optional<int> read_small_number(std::string_view text) {
  int number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// What stands between "decimal(" and ")".
std::optional<SqlType> decimal_of(std::string_view arguments) {
  const auto comma = arguments.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto precision = read_small_number(arguments.substr(0, comma));
  const auto scale = read_small_number(arguments.substr(comma + 1));
  if (!precision || !scale || *precision < 1 || *precision > max_precision || *scale < 0 || *scale > *precision) {
    return std::nullopt;
  }
  return SqlType::decimal(*precision, *scale);
}

}  // namespace

std::optional<SqlType> parse_column_type(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (c != ' ') name.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  static const std::array<std::pair<std::string_view, SqlType>, 8> types = {{
      {"boolean", SqlType::boolean()},
      {"smallint", SqlType::integer(16)},
      {"integer", SqlType::integer(32)},
      {"bigint", SqlType::integer(64)},
      {"double", SqlType::real()},
      {"text", SqlType::text()},
      {"date", SqlType::date()},
      {"timestamp", SqlType::timestamp()},
  }};
  for (const auto& [known, type] : types) {
    if (name == known) return type;
  }
  constexpr std::string_view decimal = "decimal(";
  if (!name.starts_with(decimal) || !name.ends_with(')')) return std::nullopt;
  return decimal_of(std::string_view(name).substr(decimal.size(), name.size() - decimal.size() - 1));
}

}  // namespace tacit
