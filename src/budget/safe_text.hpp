#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

inline constexpr std::size_t most_recorded_bytes = 4000;

// Text that anybody may print again: valid UTF-8 of at most most_recorded_bytes, cut on a character border.
// Line breaks and tabs become spaces; other control characters, marks that turn the direction of writing, and bytes
// that are not UTF-8 become U+FFFD. Reads no further than it keeps.
std::string safe_text(std::string_view text);

}  // namespace tacit
