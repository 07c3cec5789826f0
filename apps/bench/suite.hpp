#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tacit {

struct BenchOptions {
  std::string results_directory;                 // where <suite>-<engine>-sf<scale>.json goes; created when missing
  double scale = 1.0;                            // 1 is 6 million rows
  int repetitions = 7;                           // at least 5
  std::optional<std::string> database_url = {};  // a PostgreSQL database to work in; empty: a DuckDB of our own
};

struct MetricBenchOptions {
  std::string results_directory;
  std::vector<double> scales = {1.0};                  // TPC-H scale factors: 1 is 6 million rows of lineitem
  std::vector<std::string> engines = {"duckdb"};       // duckdb, postgresql
  int repetitions = 7;                                 // at least 5
  std::optional<std::string> database_url = {};        // of PostgreSQL; empty: that engine is left out
  std::string definitions_directory = "bench/metric";  // queries, policy, published figures
  std::string data_directory = "build/bench-data";     // kept for the next run
  std::string anchor_directory = {};                   // the authors' SQL; what is missing there is not measured
};

struct UsersBenchOptions {
  std::string results_directory;
  std::vector<double> scales = {1.0};
  std::vector<std::string> engines = {"duckdb"};
  int repetitions = 7;                              // of each time; at least 5
  std::size_t draws = 1'000'000;                    // of the noise, from one run of the engine
  double draw_seconds = 60.0;                       // a query's draws end after this; R2T's and TPC-H's after a tenth
  std::optional<std::string> database_url = {};     // of PostgreSQL; empty: that engine is left out
  std::string definitions_directory = "bench";      // its folders metric (the tables) and users
  std::string data_directory = "build/bench-data";  // kept for the next run
};

// Answers a set of rows-model queries over a generated table, each interleaved with the plain query in one run, and
// measures Tacit's own path on a small table. Writes the suite's JSON and gives a readable table.
Result<std::string> run_rows_suite(const BenchOptions& options);

// `policy check --verify` over 10 million rows times the scale.
Result<std::string> run_verify_suite(const BenchOptions& options);

// Noisy cells per second, one core, through the same path as answers.
Result<std::string> run_noise_suite(const BenchOptions& options);

// The TPC-H queries of Laud et al. 2020 under their metric: plain, private, and the authors' SQL in one run; the error
// beside the published ones. Fails when a plain answer is not the published one. One JSON an engine and scale factor.
// Where tpchgen-cli is missing, or PostgreSQL, a sentence says so instead.
Result<std::string> run_metric_suite(const MetricBenchOptions& options);

// The users model on TPC-H: Tables 3 and 4 of Wilson et al. 2020 and R2T's queries beside the published errors, and the
// 22 queries with customer or supplier as user, answered or refused. One JSON an engine and scale factor.
Result<std::string> run_users_suite(const UsersBenchOptions& options);

}  // namespace tacit
