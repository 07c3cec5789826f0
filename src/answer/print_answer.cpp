#include "answer/print_answer.hpp"

#include "answer/csv.hpp"
#include "answer/explanation_text.hpp"
#include "answer/json.hpp"
#include "answer/table.hpp"
#include "answer/terminal_text.hpp"
#include "base/check.hpp"

namespace tacit {

std::string print_answer(const Answer& answer, Format format) {
  for (const auto& row : answer.rows.rows)
    TACIT_CHECK(row.size() == answer.rows.columns.size(), "every row of an answer has one cell per column");
  switch (format) {
    case Format::table: return print_answer_table(answer);
    case Format::csv: return print_answer_csv(answer);
    case Format::json: return print_answer_json(answer);
  }
  TACIT_CHECK(false, "every format has a printer");
}

std::string print_explanation(const Explanation& explanation, Format format) {
  return format == Format::json ? print_explanation_json(explanation) : print_explanation_text(explanation);
}

std::string print_failure(const Failure& failure, Format format) {
  return format == Format::json ? print_failure_json(failure) : printable(to_line(failure)) + '\n';
}

}  // namespace tacit
