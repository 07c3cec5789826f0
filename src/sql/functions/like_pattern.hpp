#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

// One thing that a LIKE pattern asks for.
struct PatternPart {
  enum class Kind {
    character,      // this one
    any_character,  // _
    any_text,       // %
  };
  Kind kind = Kind::character;
  std::string_view character;  // one of UTF-8, within the text that was read; empty for the other kinds
};

std::size_t count_characters(std::string_view text);

// Reads a pattern; `escape` is one character or empty. A run of wildcards is brought to one form: %_%_ is __%, as many
// characters or more. So two % never touch. Empty when the pattern ends in its escape character.
std::optional<std::vector<PatternPart>> read_like_pattern(std::string_view pattern, std::string_view escape);

int count_any_text(const std::vector<PatternPart>& parts);
bool has_any_character(const std::vector<PatternPart>& parts);
bool has_literal_wildcard(const std::vector<PatternPart>& parts);  // a % or _ that stands for itself
// DuckDB's optimizer narrows a LIKE without ESCAPE to the texts between the part before the first wildcard and that
// part with its last byte plus one, and fails where this is not UTF-8, as for 'п%р'. A part and one % is safe.
bool breaks_prefix_search(const std::vector<PatternPart>& parts);
// Whether one of these asks for ESCAPE.
bool needs_escape(const std::vector<PatternPart>& parts);

// The pattern with the backslash as its escape, used only before % _ and itself.
std::string to_escaped_pattern(const std::vector<PatternPart>& parts);
// The pattern with no escape. REQUIRES: not has_literal_wildcard.
std::string to_plain_pattern(const std::vector<PatternPart>& parts);
// A regular expression of RE2 that matches the same whole texts, where . matches every character.
std::string to_re2(const std::vector<PatternPart>& parts);

}  // namespace tacit
