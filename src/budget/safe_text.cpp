#include "budget/safe_text.hpp"

#include <algorithm>
#include <cstdint>

namespace tacit {
namespace {

struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;
  bool valid = false;
};

// The character that starts `text` (not empty). Overlong forms, surrogates and codes past U+10FFFF are not valid; an
// invalid one is one byte long.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {bytes, code, true};
}

bool breaks_lines_or_columns(char32_t code) {
  return (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029;
}

bool controls_a_terminal(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

constexpr std::string_view replacement = "\xEF\xBF\xBD";

}  // namespace

std::string safe_text(std::string_view text) {
  std::string safe;
  safe.reserve(std::min(text.size(), most_recorded_bytes));
  while (!text.empty()) {
    const Character character = first_character(text);
    std::string_view kept = text.substr(0, character.bytes);
    if (character.valid && breaks_lines_or_columns(character.code)) {
      kept = " ";
    } else if (!character.valid || controls_a_terminal(character.code)) {
      kept = replacement;
    }
    if (safe.size() + kept.size() > most_recorded_bytes) break;
    safe += kept;
    text.remove_prefix(character.bytes);
  }
  return safe;
}

}  // namespace tacit
