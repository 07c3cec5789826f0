#pragma once

#include <string>

namespace tacit {

// A TOML string, or key, that reads back as `text`: without quotes or escapes where it can do without.
// REQUIRES: the text is UTF-8.
std::string toml_string(const std::string& text);
std::string toml_key(const std::string& text);

}  // namespace tacit
