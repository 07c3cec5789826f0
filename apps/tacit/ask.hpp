#pragma once

#include <string>
#include <variant>

#include "answer_query.hpp"
#include "base/result.hpp"
#include "command_line.hpp"
#include "interruption.hpp"

namespace tacit {

using Reply = std::variant<Answer, Explanation>;

Result<Question> read_question(const AskOptions& ask);

// answer_query and explain_query with a person waiting: a progress line, and Ctrl-C cancels the engine's statement.
Result<Reply> ask(Connection& opened, const Question& question, Interruption& interruption);
Result<Explanation> explain(Connection& opened, const Question& question, bool analyze, Interruption& interruption);

std::string print_reply(const Reply& reply, Format format);

}  // namespace tacit
