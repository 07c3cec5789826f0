#include "policy/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tacit {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result.append(1, '\\').append(1, c);
    } else if (is_control(c)) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      result.push_back(c);
    }
  }
  return result;
}

}  // namespace

std::string toml_string(const std::string& text) {
  const bool has_control = std::any_of(text.begin(), text.end(), is_control);
  const bool needs_escapes = has_control || text.find_first_of("\"\\") != std::string::npos;
  if (needs_escapes && !has_control && text.find('\'') == std::string::npos) return fmt::format("'{}'", text);
  return fmt::format("\"{}\"", escaped(text));
}

std::string toml_key(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), is_bare);
  return is_plain ? text : toml_string(text);
}

}  // namespace tacit
