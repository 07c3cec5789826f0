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

template <class Options>
void fill(Options& options, const BenchTpchCommand& command) {
  options.results_directory = command.results_directory;
  options.scales = command.scales;
  options.engines = command.engines;
  options.repetitions = command.repetitions;
  options.data_directory = command.data_directory;
  options.database_url = command.database_url;
  const char* const server = std::getenv("TACIT_POSTGRES_URL");  // scripts/with-postgres.sh sets it
  if (!options.database_url && server != nullptr) options.database_url = server;
}

Result<std::string> run_suite(const BenchTpchCommand& command) {
  switch (command.suite) {
    case TpchSuite::metric: {
      MetricBenchOptions options;
      fill(options, command);
      options.anchor_directory = command.anchor_directory;
      return run_metric_suite(options);
    }
    case TpchSuite::users: {
      UsersBenchOptions options;
      fill(options, command);
      options.draws = command.draws;
      return run_users_suite(options);
    }
  }
  TACIT_CHECK(false, "every suite is run");
}

}  // namespace

Status run(const BenchCommand& command, Interruption&) {
  const BenchOptions options{command.results_directory, command.scale, command.repetitions, command.database_url};
  TACIT_TRY(const std::string table, run_suite(command.suite, options));
  return write_output(table);
}

Status run(const BenchTpchCommand& command, Interruption&) {
  TACIT_TRY(const std::string table, run_suite(command));
  return write_output(table);
}

}  // namespace tacit
