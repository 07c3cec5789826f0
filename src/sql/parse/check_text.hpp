#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tacit {

constexpr std::size_t longest_query_bytes = 64UL * 1024;

// Refuses text that no later stage should have to think about, in this order: 1. longer than `longest_query_bytes`,
// 2. with a NUL, 3. not UTF-8. Reads nothing past the first wrong byte.
Status check_text(std::string_view sql);

// Where a byte of a UTF-8 text is for a person: the character, counted from 1.
class TextPositions {
 public:
  explicit TextPositions(std::string_view text);
  int of_byte(int offset) const;  // 0 when `offset` is outside the text (the grammar's "unknown")

 private:
  std::vector<int> character_of_byte_;
};

}  // namespace tacit
