#pragma once

#include <string>
#include <string_view>

namespace tacit {

// Case of the letters A to Z only; every other character stays. Engines, their locales and their versions of Unicode
// disagree on the others.
enum class LetterCase { lower, upper };
inline constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz";

std::string ascii_lower(std::string_view text);

}  // namespace tacit
