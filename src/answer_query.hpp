#pragma once

#include <optional>
#include <string>
#include <variant>

#include "answer/answer.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "database.hpp"

namespace tacit {

struct Question {
  std::string sql;
  std::optional<std::string> analyst;  // may be left out when the policy lists one
  std::optional<Epsilon>
      epsilon;  // the command line's word wins over OPTIONS(...), which wins over the policy's default
  std::optional<Delta> delta;
};

// The whole flow (docs/architecture.md, "The flow"), one call a line. EXPLAIN (PRIVACY) gives an Explanation and spends
// nothing.
Result<std::variant<Answer, Explanation>> answer_query(Connection& connection, const Question& question);

// What `answer_query` would do and cost. With `analyze` (owner only) the exact values and times too.
Result<Explanation> explain_query(Connection& connection, const Question& question, bool analyze);

}  // namespace tacit
