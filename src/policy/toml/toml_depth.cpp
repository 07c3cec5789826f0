#include "policy/toml/toml_depth.hpp"

namespace tacit {
namespace {

constexpr int max_dots = 31;

// The end of the string that opens at `at`: just past its closing quotes, or of its line, or of the text.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const bool multiline = text.substr(at, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
  for (std::size_t i = at + (multiline ? 3 : 1); i < text.size(); ++i) {
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (multiline && text[i] == quote && text.substr(i, 3) == text.substr(at, 3)) {
      // Up to two quotes may stand before the three that close.
      i += 3;
      for (int extra = 0; extra < 2 && i < text.size() && text[i] == quote; ++extra) ++i;
      return i;
    } else if (!multiline && text[i] == quote) {
      return i + 1;
    } else if (!multiline && text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::optional<TomlPlace> place_of_too_long_key(std::string_view text) {
  int dots = 0;
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      for (; i < end && i < text.size(); ++i) {
        if (text[i] != '\n') continue;
        ++line;
        line_start = i + 1;
      }
      continue;
    }
    if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
      continue;
    }
    if (c == '.' && ++dots > max_dots) return TomlPlace{line, static_cast<int>(i - line_start) + 1};
    if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}' || c == '\n') dots = 0;
    if (c == '\n') {
      ++line;
      line_start = i + 1;
    }
    ++i;
  }
  return std::nullopt;
}

}  // namespace tacit
