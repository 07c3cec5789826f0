#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sql/parse/check_text.hpp"

namespace tacit {

// A token of the SQL text as PostgreSQL's scanner sees it; comments are left out.
struct SqlToken {
  enum class Kind { word, quoted_name, number, string, symbol };
  Kind kind = Kind::symbol;
  bool reserved = false;  // a word that cannot be a column's name
  int start = 0;          // bytes, [start, end)
  int end = 0;
  std::string text;  // words in lower case, the rest as written
};

struct TokenLimits {
  std::size_t operator_work = 1'000'000;  // sum of squared runs of operator signs: what they cost the scanner
  std::size_t tokens = 10'000;
  int nesting = 100;  // of ( and [ and CASE
  int chain = 300;    // operators, joins, UNIONs that lean on each other: each is a level of the tree
};

// Refuses text without a token and text that would cost the grammar time or stack, in the order of TokenLimits.
// Never recurses.
Result<std::vector<SqlToken>> scan_tokens(const std::string& sql, const TextPositions& positions,
                                          const TokenLimits& limits = {});

// What PostgreSQL's scanner or parser says about the analyst's own text, as one of our refusals.
tl::unexpected<Failure> refuse_syntax(std::string_view message, int position);

}  // namespace tacit
