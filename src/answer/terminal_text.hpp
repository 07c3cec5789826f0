#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

// Text on its way to a terminal. Key values and names come from data and queries; a control character among them could
// move the cursor, recolour or hide other text, or turn its direction around. Those are spelt out instead: \n, \t, \r,
// \u{1b} for a character, \x80 for a byte that is not UTF-8. All other characters stay.
std::string printable(std::string_view text);        // one line
std::string printable_lines(std::string_view text);  // line breaks stay

// Columns the text takes on a terminal: East Asian wide characters two, combining marks none.
// REQUIRES: the text is printable.
std::size_t display_width(std::string_view text);

std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);

// Every line of the text with that many blanks before it; ends with a line break.
std::string indented(std::string_view text, std::size_t blanks);

}  // namespace tacit
