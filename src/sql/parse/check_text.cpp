#include "sql/parse/check_text.hpp"

#include <fmt/format.h>

namespace tacit {
namespace {

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Bytes of the well-formed character that starts at `at` (Unicode 15, table 3-7), 0 when it is malformed.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : static_cast<unsigned char>(0);
  };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_continuation(byte(1)) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    return is_continuation(byte(1)) && is_continuation(byte(2)) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond_unicode = first == 0xF4 && byte(1) > 0x8F;
    const bool whole = is_continuation(byte(1)) && is_continuation(byte(2)) && is_continuation(byte(3));
    return whole && !overlong && !beyond_unicode ? 4 : 0;
  }
  return 0;
}

}  // namespace

Status check_text(std::string_view sql) {
  if (sql.size() > longest_query_bytes) {
    return refuse(
        fmt::format("the query is {} bytes long, more than the {} that Tacit reads", sql.size(), longest_query_bytes),
        "send a shorter query");
  }
  int character = 1;
  for (std::size_t at = 0; at < sql.size(); ++character) {
    if (sql[at] == '\0') return refuse("the query contains a NUL character", "remove it", character);
    const std::size_t length = character_length(sql, at);
    if (length == 0) return refuse("the query is not valid UTF-8", "send the text encoded as UTF-8", character);
    at += length;
  }
  return {};
}

TextPositions::TextPositions(std::string_view text) {
  character_of_byte_.reserve(text.size() + 1);
  int character = 0;
  for (const char byte : text) {
    if (!is_continuation(static_cast<unsigned char>(byte))) ++character;
    character_of_byte_.push_back(character);
  }
  character_of_byte_.push_back(character + 1);
}

int TextPositions::of_byte(int offset) const {
  if (offset < 0 || static_cast<std::size_t>(offset) >= character_of_byte_.size()) return 0;
  return character_of_byte_[static_cast<std::size_t>(offset)];
}

}  // namespace tacit
