#include "bench/bench_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "bench/suite.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> usage_error(std::string what, std::string hint) {
  return fail({FailureCode::usage, std::move(what), "command line", std::move(hint)});
}

// Options as the parser leaves them: words.
struct Words {
  std::string results = "bench/results";
  std::string scale = "1";
  std::string repetitions = "7";
  std::string database;
  std::string scales = "1";
  std::string engines = "duckdb";
  std::string runs = "1000000";
  std::string data = "build/bench-data";
  std::string anchor;
};

struct Parser {
  Words words;
  CLI::App app{"Measures what Tacit's privacy costs. Run it in the source folder: queries and policies are in bench/.",
               "tacit-bench"};
  CLI::App* rows = app.add_subcommand("rows", "Rows-model queries against the plain ones");
  CLI::App* verify = app.add_subcommand("verify", "`policy check --verify` on 10 million rows");
  CLI::App* noise = app.add_subcommand("noise", "Noisy cells per second");
  CLI::App* metric = app.add_subcommand("metric", "The paper's TPC-H queries under its metric");
  CLI::App* users = app.add_subcommand("users", "TPC-H with people who own many rows");

  Parser() {
    app.require_subcommand(1);
    for (CLI::App* suite : {rows, verify})
      suite->add_option("--db", words.database, "Work in this PostgreSQL database instead of DuckDB")->type_name("URL");
    for (CLI::App* suite : {rows, verify, noise})
      suite->add_option("--scale", words.scale, "1 is 6 million rows (verify: 10 million)")->type_name("S");
    for (CLI::App* suite : {rows, verify, noise, metric, users}) {
      suite->add_option("--results", words.results, "Where the JSON goes (default: bench/results)")->type_name("DIR");
      suite->add_option("--repetitions", words.repetitions, "At least 5 (default: 7)")->type_name("N");
    }
    for (CLI::App* suite : {metric, users}) {
      suite->add_option("--sf", words.scales, "TPC-H scale factors (default: 1)")->type_name("S,S");
      suite->add_option("--engine", words.engines, "duckdb (default), postgresql or both")->type_name("NAME,NAME");
      suite->add_option("--db", words.database, "The PostgreSQL database (default: $TACIT_POSTGRES_URL)")
          ->type_name("URL");
      suite->add_option("--data", words.data, "Where the data is kept (default: build/bench-data)")->type_name("DIR");
    }
    users
        ->add_option("--runs", words.runs, "Answers to draw for each published error, time allowing (default: 1000000)")
        ->type_name("N");
    metric->add_option("--anchor", words.anchor, "The SQL of the paper's authors, to be timed beside ours")
        ->type_name("DIR");
  }
};

bool read_scale(const std::string& word, double& scale) {
  return CLI::detail::lexical_cast(word, scale) && scale > 0.0 && scale <= 1000.0;
}

Result<int> read_repetitions(const std::string& word) {
  int repetitions = 0;
  if (CLI::detail::lexical_cast(word, repetitions) && repetitions >= 5) return repetitions;
  return usage_error(fmt::format("--repetitions must be a whole number from 5 on, not `{}`", word),
                     "write --repetitions 7");
}

Result<std::size_t> read_runs(const std::string& word) {
  std::size_t runs = 0;
  if (!word.starts_with('-') && CLI::detail::lexical_cast(word, runs) && runs >= 100 && runs <= 100'000'000)
    return runs;
  return usage_error(fmt::format("--runs must be a whole number from 100 on, not `{}`", word), "write --runs 1000000");
}

Result<BenchOptions> read_options(const Words& words) {
  BenchOptions options{.results_directory = words.results};
  if (!words.database.empty()) options.database_url = words.database;
  if (!read_scale(words.scale, options.scale))
    return usage_error(fmt::format("--scale must be a number above 0, not `{}`", words.scale), "write --scale 0.1");
  TACIT_TRY(options.repetitions, read_repetitions(words.repetitions));
  return options;
}

// What the two TPC-H suites have in common.
template <class Options>
Result<Options> read_tpch_options(const Words& words) {
  Options options{.results_directory = words.results};
  options.scales.clear();
  for (const std::string& word : CLI::detail::split(words.scales, ',')) {
    double scale = 0.0;
    if (!read_scale(word, scale))
      return usage_error(fmt::format("--sf must be numbers above 0, not `{}`", words.scales), "write --sf 0.1,1");
    options.scales.push_back(scale);
  }
  options.engines = CLI::detail::split(words.engines, ',');
  for (const std::string& engine : options.engines) {
    if (engine != "duckdb" && engine != "postgresql")
      return usage_error(fmt::format("there is no engine `{}`", engine), "write --engine duckdb,postgresql");
  }
  TACIT_TRY(options.repetitions, read_repetitions(words.repetitions));
  options.data_directory = words.data;
  // scripts/with-postgres.sh sets it. NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here does
  const char* const server = std::getenv("TACIT_POSTGRES_URL");
  if (!words.database.empty()) {
    options.database_url = words.database;
  } else if (server != nullptr) {
    options.database_url = server;
  }
  return options;
}

Result<std::string> run_suite(const Parser& parser) {
  const Words& words = parser.words;
  if (parser.metric->parsed()) {
    TACIT_TRY(MetricBenchOptions options, read_tpch_options<MetricBenchOptions>(words));
    options.anchor_directory = words.anchor;
    return run_metric_suite(options);
  }
  if (parser.users->parsed()) {
    TACIT_TRY(UsersBenchOptions options, read_tpch_options<UsersBenchOptions>(words));
    TACIT_TRY(options.draws, read_runs(words.runs));
    return run_users_suite(options);
  }
  TACIT_TRY(const BenchOptions options, read_options(words));
  if (parser.rows->parsed()) return run_rows_suite(options);
  if (parser.verify->parsed()) return run_verify_suite(options);
  return run_noise_suite(options);
}

}  // namespace

Result<std::string> run_bench_command(int argc, const char* const* argv) {
  Parser parser;
  try {
    parser.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto named = parser.app.get_subcommands();
    return named.empty() ? parser.app.help() : named.front()->help("tacit-bench");
  } catch (const CLI::ParseError& error) {
    const bool has_suite = !parser.app.get_subcommands().empty();
    return usage_error(has_suite ? error.what() : "tacit-bench needs one of rows, verify, noise, metric and users",
                       "see tacit-bench --help");
  }
  return run_suite(parser);
}

}  // namespace tacit
