#pragma once

#include <optional>
#include <string_view>

#include "policy/toml/toml_tree.hpp"

namespace tacit {

// Where a dotted key has more than 32 parts, if anywhere. The TOML library builds one nested table a part and takes
// them down recursively, so a line of a million dots would exhaust the stack; such text must not reach it.
//
// A small lexer: strings and comments are skipped, dots are counted from one separator to the next. It reads every
// valid prefix of a document as the library does, and the library stops at the first thing that is not valid.
std::optional<TomlPlace> place_of_too_long_key(std::string_view text);

}  // namespace tacit
