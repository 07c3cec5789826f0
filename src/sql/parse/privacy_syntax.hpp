#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "sql/parse/check_text.hpp"
#include "sql/parse/tokens.hpp"

namespace tacit {

// One entry of OPTIONS(name = value).
struct WrittenOption {
  std::string name;   // lower case
  std::string value;  // the tokens of the value, joined
  bool is_number = false;
  int position = 0;
};

// What the text says beyond PostgreSQL's grammar.
struct PrivacySyntax {
  std::vector<WrittenOption> options;
  std::set<int> star_calls;  // byte of the name of each count(*, ...) whose star was taken out
  // Byte of the table in FROM ..., table USING (columns): the columns.
  std::map<int, std::vector<std::string>> comma_using = {};
  std::map<int, std::string> reserved_tables = {};  // byte of a table called by a reserved word: that word
};

// PostgreSQL's grammar does not know six forms. Each is taken out of `sql` by overwriting bytes with blanks, so that
// every position stays what the analyst sees:
//   1. SELECT WITH ANONYMIZATION [OPTIONS(...)], SELECT WITH DIFFERENTIAL_PRIVACY [OPTIONS(...)]
//        ->  SELECT                              (outermost SELECT only)
//   2. ANON_SUM(x CLAMPED BETWEEN a AND b)       ->  ANON_SUM(x ,               a ,   b)
//   3. ANON_COUNT(* CLAMPED BETWEEN a AND b)     ->  ANON_COUNT(                a ,   b), the call noted as a star call
//   4. COUNT(*, contribution_bounds_per_group => (a, b))
//        ->  COUNT(   contribution_bounds_per_group => (a, b)), the call noted as a star call
//   5. FROM a, b x USING (c)                     ->  FROM a, b x          , the columns noted at b
//   6. FROM a, Order o                           ->  FROM a, _rder o      , the name noted; also Group
Result<PrivacySyntax> take_privacy_syntax(std::string& sql, const std::vector<SqlToken>& tokens,
                                          const TextPositions& positions);

}  // namespace tacit
