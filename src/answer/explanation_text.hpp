#pragma once

#include <string>

#include "answer/answer.hpp"

namespace tacit {

// For people, in the order of their questions: what is protected, what it costs, how wrong the answer will be, what
// runs, why that noise suffices.
std::string print_explanation_text(const Explanation& explanation);

// The first three of them only.
std::string print_explanation_summary(const Explanation& explanation);

}  // namespace tacit
