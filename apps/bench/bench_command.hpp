#pragma once

#include <string>

#include "base/result.hpp"

namespace tacit {

// Runs the suite that the words of the command line name and gives what is to be printed: its table, or the help.
// Words that are wrong fail with FailureCode::usage.
Result<std::string> run_bench_command(int argc, const char* const* argv);

}  // namespace tacit
