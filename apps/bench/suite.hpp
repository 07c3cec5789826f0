#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"

namespace tacit {

struct BenchOptions {
  std::string results_directory;                 // where <suite>-<engine>-sf<scale>.json goes; created when missing
  double scale = 1.0;                            // 1 is 6 million rows
  int repetitions = 7;                           // at least 5
  std::optional<std::string> database_url = {};  // a PostgreSQL database to work in; empty: a DuckDB of our own
};

// Answers a set of rows-model queries over a generated table, each interleaved with the plain query in one run, and
// measures Tacit's own path on a small table. Writes the suite's JSON (DESIGN 4.5) and gives a readable table.
Result<std::string> run_rows_suite(const BenchOptions& options);

// `policy check --verify` over 10 million rows times the scale.
Result<std::string> run_verify_suite(const BenchOptions& options);

// Noisy cells per second, one core, through the same path as answers.
Result<std::string> run_noise_suite(const BenchOptions& options);

}  // namespace tacit
