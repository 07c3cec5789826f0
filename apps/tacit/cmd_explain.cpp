#include "answer_query.hpp"
#include "ask.hpp"
#include "commands.hpp"
#include "progress_line.hpp"
#include "streams.hpp"

namespace tacit {

Status run(const ExplainCommand& command, Interruption& interruption) {
  TACIT_TRY(const Question question, read_question(command.ask));
  TACIT_TRY(Connection opened, open_policy(command.ask.policy));
  TACIT_TRY(const Explanation explanation, explain(opened, question, command.analyze, interruption));
  return write_output(print_explanation(explanation, command.ask.format));
}

}  // namespace tacit
