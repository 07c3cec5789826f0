#pragma once

#include <string>

#include "answer/answer.hpp"
#include "base/result.hpp"

namespace tacit {

// docs/output.md, "JSON": one object on one line, ASCII only (other characters as \uXXXX, so nothing can steer a
// terminal).
//   1. Integers up to 2^53 are numbers, larger ones and all decimals are strings; a double is a number, or one of the
//      strings "inf", "-inf", "nan".
//   2. Dates and timestamps are ISO 8601 strings; NULL is null; bytes that are not UTF-8 become U+FFFD.
//   3. `noise` has one entry a cell: null for key columns; `scale` and `interval95` only where they may be told.
std::string print_answer_json(const Answer& answer);

// The same for an explanation: `columns` has the expected error of every aggregate column. `sensitivity`,
// `analyze.sensitivity` and `analyze.error_*` are there when the answer has one aggregate column; `analyze.initial` is
// a number for an answer of one cell, otherwise an array of rows.
std::string print_explanation_json(const Explanation& explanation);

std::string print_failure_json(const Failure& failure);

}  // namespace tacit
