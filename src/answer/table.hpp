#pragma once

#include <string>

#include "answer/answer.hpp"

namespace tacit {

// The rows as aligned columns. A noisy column is followed by its 95% intervals; a double is shown with as many digits
// as its interval makes meaningful (csv and json carry all of them). NULL is (null).
std::string print_rows_table(const NoisyRows& rows);

// The rows, then what was spent and is left, the noise of each column, and the notes.
std::string print_answer_table(const Answer& answer);

}  // namespace tacit
