#include "answer/answer_notes.hpp"

#include <fmt/format.h>

#include "answer/print_amount.hpp"
#include "answer/terminal_text.hpp"

namespace tacit {

std::vector<std::string> answer_notes(const Answer& answer) {
  std::vector<std::string> notes;
  if (answer.eta > 0.0) {
    notes.push_back(fmt::format("the loss is at most {} times the distance, and {:.2g} for rounding; both were charged",
                                print_spent(answer.epsilon.value()), answer.eta));
  }
  notes.insert(notes.end(), answer.account_notes.begin(), answer.account_notes.end());
  notes.insert(notes.end(), answer.notes.begin(), answer.notes.end());
  return notes;
}

std::string print_notes(const Answer& answer) {
  std::string text;
  for (const std::string& note : answer_notes(answer)) text += "note: " + printable(note) + '\n';
  return text;
}

}  // namespace tacit
