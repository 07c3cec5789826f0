#include "sql/functions/like_pattern.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tacit {
namespace {

using Kind = PatternPart::Kind;

// One character of UTF-8 from the front.
std::string_view take_character(std::string_view& text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) ++length;
  const std::string_view character = text.substr(0, length);
  text.remove_prefix(length);
  return character;
}

bool is_wildcard(std::string_view character) { return character == "%" || character == "_"; }

bool has(const std::vector<PatternPart>& parts, Kind kind) {
  return std::any_of(parts.begin(), parts.end(), [&](const PatternPart& part) { return part.kind == kind; });
}

// RE2 takes the backslash before any ASCII character that is neither a letter nor a digit.
bool is_plain_in_re2(std::string_view character) {
  const char c = character[0];
  return character.size() > 1 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

template <class Character>
std::string write(const std::vector<PatternPart>& parts, std::string_view any_character, std::string_view any_text,
                  const Character& character) {
  std::string text;
  for (const PatternPart& part : parts) {
    switch (part.kind) {
      case Kind::character: text += character(part.character); break;
      case Kind::any_character: text += any_character; break;
      case Kind::any_text: text += any_text; break;
    }
  }
  return text;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_character(text);
  return count;
}

std::optional<std::vector<PatternPart>> read_like_pattern(std::string_view pattern, std::string_view escape) {
  std::vector<PatternPart> parts;
  while (!pattern.empty()) {
    std::string_view character = take_character(pattern);
    if (!escape.empty() && character == escape) {
      if (pattern.empty()) return std::nullopt;
      parts.push_back({Kind::character, take_character(pattern)});
    } else if (!is_wildcard(character)) {
      parts.push_back({Kind::character, character});
    } else {
      const bool follows_any_text = !parts.empty() && parts.back().kind == Kind::any_text;
      if (follows_any_text) parts.pop_back();
      if (character == "_") parts.push_back({Kind::any_character, {}});
      if (character == "%" || follows_any_text) parts.push_back({Kind::any_text, {}});
    }
  }
  return parts;
}

int count_any_text(const std::vector<PatternPart>& parts) {
  return static_cast<int>(
      std::count_if(parts.begin(), parts.end(), [](const PatternPart& part) { return part.kind == Kind::any_text; }));
}

bool has_any_character(const std::vector<PatternPart>& parts) { return has(parts, Kind::any_character); }

bool has_literal_wildcard(const std::vector<PatternPart>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const PatternPart& part) { return is_wildcard(part.character); });
}

bool breaks_prefix_search(const std::vector<PatternPart>& parts) {
  const auto wildcard =
      std::find_if(parts.begin(), parts.end(), [](const PatternPart& part) { return part.kind != Kind::character; });
  if (wildcard == parts.begin() || wildcard == parts.end()) return false;
  if (wildcard->kind == Kind::any_text && wildcard + 1 == parts.end()) return false;
  const auto last = static_cast<unsigned char>((wildcard - 1)->character.back());
  return last == 0x7FU || last == 0xBFU;
}

bool needs_escape(const std::vector<PatternPart>& parts) {
  return has_literal_wildcard(parts) || breaks_prefix_search(parts);
}

std::string to_escaped_pattern(const std::vector<PatternPart>& parts) {
  return write(parts, "_", "%", [](std::string_view character) {
    const bool is_escaped = is_wildcard(character) || character == "\\";
    return (is_escaped ? "\\" : "") + std::string(character);
  });
}

std::string to_plain_pattern(const std::vector<PatternPart>& parts) {
  TACIT_CHECK(!has_literal_wildcard(parts), "a wildcard that stands for itself needs an escape");
  return write(parts, "_", "%", [](std::string_view character) { return std::string(character); });
}

std::string to_re2(const std::vector<PatternPart>& parts) {
  return write(parts, ".", ".*", [](std::string_view character) {
    return (is_plain_in_re2(character) ? "" : "\\") + std::string(character);
  });
}

}  // namespace tacit
