#include "bench/suite.hpp"
#include "commands.hpp"
#include "streams.hpp"

namespace tacit {

Status run(const BenchCommand& command, Interruption&) {
  const BenchOptions options{command.results_directory, command.scale, command.repetitions};
  TACIT_TRY(const std::string table,
            command.suite == BenchSuite::rows ? run_rows_suite(options) : run_noise_suite(options));
  return write_output(table);
}

}  // namespace tacit
