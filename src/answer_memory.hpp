#pragma once

#include "base/result.hpp"
#include "plan_query.hpp"

namespace tacit {

// The memory that Tacit's own copy of an answer may take where [engine] memory says nothing.
inline constexpr std::size_t default_answer_memory = std::size_t{1} << 30;

// About what an answer of so many groups takes while it is made: its keys, the exact and the noisy cells, and the text
// that is printed.
double answer_bytes(const PlannedQuery& planned, std::size_t groups);

// Refuses an answer that would not fit planned.answer_memory. Follows from the plan and the public list of groups.
Status check_answer_memory(const PlannedQuery& planned, std::size_t groups);

}  // namespace tacit
