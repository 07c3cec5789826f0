#pragma once

#include <string>

#include "answer/answer.hpp"
#include "base/result.hpp"

namespace tacit {

enum class Format { table, csv, json };

std::string print_answer(const Answer& answer, Format format);
std::string print_explanation(const Explanation& explanation, Format format);  // csv prints as table

// One line for table and csv; an object for json.
std::string print_failure(const Failure& failure, Format format);

}  // namespace tacit
