#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tacit {

// An SQL identifier as PostgreSQL reads it, on every engine: unquoted letters fold to lower case (ASCII only), "quoted"
// text is kept and "" inside quotes is one quote. At most 63 bytes: PostgreSQL's grammar cuts longer names, so no query
// could ever name them.
struct Identifier {
  std::string name;        // folded
  std::size_t length = 0;  // bytes of text it took
  bool quoted = false;
};

// Reads the identifier at the front of `text`; what follows it is the caller's.
Result<Identifier> read_identifier(std::string_view text);

bool starts_identifier(char c);  // a letter, _, " or a byte of a non-ASCII character

// Text that read_identifier reads back as `name`: quoted only where needed.
std::string print_identifier(std::string_view name);

}  // namespace tacit
