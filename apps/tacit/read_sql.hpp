#pragma once

#include <string>

#include "base/result.hpp"
#include "command_line.hpp"

namespace tacit {

// The text of the question: the argument itself, a file, or standard input for "-".
// Fails (usage) when it cannot be read or is blank.
Result<std::string> read_sql(const AskOptions& ask);

}  // namespace tacit
