#include <cstdlib>

#include "base/check.hpp"
#include "bench/suite.hpp"
#include "commands.hpp"
#include "streams.hpp"

namespace tacit {

namespace {

Result<std::string> run_suite(BenchSuite suite, const BenchOptions& options) {
  switch (suite) {
    case BenchSuite::rows: return run_rows_suite(options);
    case BenchSuite::verify: return run_verify_suite(options);
    case BenchSuite::noise: return run_noise_suite(options);
  }
  TACIT_CHECK(false, "every suite is run");
}

}  // namespace

Status run(const BenchCommand& command, Interruption&) {
  const BenchOptions options{command.results_directory, command.scale, command.repetitions, command.database_url};
  TACIT_TRY(const std::string table, run_suite(command.suite, options));
  return write_output(table);
}

Status run(const BenchMetricCommand& command, Interruption&) {
  MetricBenchOptions options{command.results_directory, command.scales, command.engines, command.repetitions};
  options.database_url = command.database_url;
  const char* const server = std::getenv("TACIT_POSTGRES_URL");  // scripts/with-postgres.sh sets it
  if (!options.database_url && server != nullptr) options.database_url = server;
  options.data_directory = command.data_directory;
  options.anchor_directory = command.anchor_directory;
  TACIT_TRY(const std::string table, run_metric_suite(options));
  return write_output(table);
}

}  // namespace tacit
