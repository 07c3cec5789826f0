#pragma once

#include <string>
#include <vector>

#include "answer/answer.hpp"

namespace tacit {

// Every sentence that belongs to the answer beside its numbers: what the price does not show, then where the groups
// come from, what was left out, what was inferred. The table prints them below, json as `notes`, csv on standard error.
std::vector<std::string> answer_notes(const Answer& answer);

// One line each: "note: ...".
std::string print_notes(const Answer& answer);

}  // namespace tacit
