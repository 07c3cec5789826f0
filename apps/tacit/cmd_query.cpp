#include "answer/answer_notes.hpp"
#include "answer_query.hpp"
#include "ask.hpp"
#include "commands.hpp"
#include "streams.hpp"

namespace tacit {

Status run(const QueryCommand& command, Interruption& interruption) {
  TACIT_TRY(const Question question, read_question(command.ask));
  TACIT_TRY(Connection opened, open_policy(command.ask.policy));
  TACIT_TRY(const auto reply, ask(opened, question, interruption));
  const auto* answer = std::get_if<Answer>(&reply);
  if (answer != nullptr && command.ask.format == Format::csv) write_message(print_notes(*answer));
  return write_output(print_reply(reply, command.ask.format));
}

}  // namespace tacit
