#pragma once

#include <string>

#include "answer/answer.hpp"

namespace tacit {

// RFC 4180: a header line, CRLF, fields quoted where they must be. A noisy column `n` becomes three: n, n_lo, n_hi (the
// ends of its 95% interval, empty where there is none). NULL is an empty field, an empty text is "". Control characters
// other than tab and line breaks, which RFC 4180 has no place for, are spelt out as on a terminal.
// What was spent is in `tacit ledger show` and in the json and table formats.
std::string print_answer_csv(const Answer& answer);

}  // namespace tacit
