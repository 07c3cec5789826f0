#include "answer/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace tacit {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return r.first <= c && c <= r.last; });
}

// Controls, line separators, marks that turn the direction of text, invisible fillers and tags.
constexpr std::array<Range, 11> unsafe{{{0x0000, 0x001F},
                                        {0x007F, 0x009F},
                                        {0x00AD, 0x00AD},
                                        {0x061C, 0x061C},
                                        {0x180E, 0x180E},
                                        {0x200B, 0x200B},
                                        {0x200E, 0x200F},
                                        {0x2028, 0x202E},
                                        {0x2060, 0x206F},
                                        {0xFEFF, 0xFEFF},
                                        {0xE0000, 0xE007F}}};

constexpr std::array<Range, 22> zero_width{
    {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2}, {0x05C4, 0x05C5},
     {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x093C, 0x093C}, {0x0941, 0x0948},
     {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
     {0x200C, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};

constexpr std::array<Range, 16> double_width{{{0x1100, 0x115F},
                                              {0x2329, 0x232A},
                                              {0x2E80, 0x303E},
                                              {0x3041, 0x4DBF},
                                              {0x4E00, 0xA4CF},
                                              {0xA960, 0xA97F},
                                              {0xAC00, 0xD7A3},
                                              {0xF900, 0xFAFF},
                                              {0xFE10, 0xFE19},
                                              {0xFE30, 0xFE6F},
                                              {0xFF00, 0xFF60},
                                              {0xFFE0, 0xFFE6},
                                              {0x1F300, 0x1F64F},
                                              {0x1F680, 0x1F6FF},
                                              {0x1F900, 0x1F9FF},
                                              {0x20000, 0x3FFFD}}};

struct Decoded {
  char32_t character;
  std::size_t bytes;
};

// The first character of the text; empty when its bytes are not UTF-8 (overlong forms and surrogates included).
std::optional<Decoded> decode_first(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return Decoded{lead, 1};
  const std::size_t length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return std::nullopt;
  char32_t character = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return std::nullopt;
    character = (character << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (character < least[length] || character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF))
    return std::nullopt;
  return Decoded{character, length};
}

std::string spelt_out(char32_t character) {
  switch (character) {
    case U'\n': return "\\n";
    case U'\r': return "\\r";
    case U'\t': return "\\t";
    default: return fmt::format("\\u{{{:x}}}", static_cast<unsigned>(character));
  }
}

std::string spell_out_controls(std::string_view text, bool keep_line_breaks) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const auto first = decode_first(text);
    if (!first) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    if (is_in(unsafe, first->character) && !(keep_line_breaks && first->character == U'\n'))
      safe += spelt_out(first->character);
    else
      safe += text.substr(0, first->bytes);
    text.remove_prefix(first->bytes);
  }
  return safe;
}

}  // namespace

std::string printable(std::string_view text) { return spell_out_controls(text, false); }
std::string printable_lines(std::string_view text) { return spell_out_controls(text, true); }

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const auto first = decode_first(text);
    if (first && is_in(double_width, first->character)) {
      width += 2;
    } else if (!first || !is_in(zero_width, first->character)) {
      ++width;
    }
    text.remove_prefix(first ? first->bytes : 1);
  }
  return width;
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ').append(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text).append(width > used ? width - used : 0, ' ');
}

std::string indented(std::string_view text, std::size_t blanks) {
  std::string block;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) block.append(blanks, ' ').append(line);
    block += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return block;
}

}  // namespace tacit
