#include "ask.hpp"

#include "progress_line.hpp"
#include "read_sql.hpp"

namespace tacit {
namespace {

template <class T>
Result<T> with_charge_hint(Result<T> result, const Interruption& interruption) {
  if (!result && interruption.requested() && result.error().code == FailureCode::engine)
    result.error().hint = "what was charged stays charged; see tacit ledger show";
  return result;
}

}  // namespace

Result<Question> read_question(const AskOptions& ask) {
  TACIT_TRY(std::string sql, read_sql(ask));
  return Question{std::move(sql), ask.analyst, ask.epsilon, ask.delta};
}

Result<Reply> ask(Connection& opened, const Question& question, Interruption& interruption) {
  const ProgressLine progress("asking the database");
  const Interruption::Watch watch(interruption, *opened.engine);
  return with_charge_hint(answer_query(opened, question), interruption);
}

Result<Explanation> explain(Connection& opened, const Question& question, bool analyze, Interruption& interruption) {
  const ProgressLine progress(analyze ? "running both statements" : "explaining");
  const Interruption::Watch watch(interruption, *opened.engine);
  return explain_query(opened, question, analyze);
}

std::string print_reply(const Reply& reply, Format format) {
  if (const auto* answer = std::get_if<Answer>(&reply)) return print_answer(*answer, format);
  return print_explanation(std::get<Explanation>(reply), format);
}

}  // namespace tacit
