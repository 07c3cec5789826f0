#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "bench/scratch_folder.hpp"
#include "bench/suite.hpp"
#include "bench/tpch_data.hpp"
#include "bench/users_parts.hpp"
#include "sample.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

struct Definitions {
  std::vector<NamedQuery> tables;
  std::vector<NamedQuery> races;
  std::vector<NamedQuery> tpch;
  std::vector<PublishedError> published_errors;
  std::vector<PublishedRace> published_races;
  std::vector<NamedQuery> peers;
  std::vector<PeerError> peer_errors;
  std::vector<NamedQuery> demo;
};

Result<std::vector<NamedQuery>> read_queries(const fs::path& file) {
  TACIT_TRY(const std::string text, read_whole_file(file.string()));
  return read_named_queries(text);
}

Result<Definitions> read_definitions(const fs::path& folder) {
  Definitions definitions;
  TACIT_TRY(definitions.tables, read_queries(folder / "tables.sql"));
  TACIT_TRY(definitions.races, read_queries(folder / "r2t.sql"));
  TACIT_TRY(definitions.tpch, read_queries(folder / "tpch22.sql"));
  TACIT_TRY(const std::string errors, read_whole_file((folder / "published.csv").string()));
  TACIT_TRY(definitions.published_errors, read_published_errors(errors));
  TACIT_TRY(const std::string races, read_whole_file((folder / "r2t.csv").string()));
  TACIT_TRY(definitions.published_races, read_published_races(races));
  TACIT_TRY(definitions.peers, read_queries(folder / "peers.sql"));
  TACIT_TRY(const std::string peers, read_whole_file((folder / "peers.csv").string()));
  TACIT_TRY(definitions.peer_errors, read_peer_errors(peers));
  TACIT_TRY(definitions.demo, read_queries(folder / "demo.sql"));
  return definitions;
}

// The sample database is DuckDB's.
Result<std::vector<Measurement>> run_demo(const fs::path& scratch, const std::vector<NamedQuery>& queries,
                                          const DrawLimits& limits) {
  TACIT_TRY(const SampleDatabase sample, create_sample_database((scratch / "demo").string()));
  TACIT_TRY(Connection demo, open_policy(sample.policy_path));
  TACIT_TRY(const auto tables, open_duckdb_file((scratch / "demo" / "sample.duckdb").string(), true));
  return measure_demo(demo, *tables, queries, limits);
}

void append(std::vector<Measurement>& all, std::vector<Measurement> more) {
  for (Measurement& measurement : more) all.push_back(std::move(measurement));
}

Result<std::string> run_at(const UsersBenchOptions& options, const Definitions& definitions, const std::string& engine,
                           double scale) {
  const ScratchFolder scratch;
  if (scratch.path().empty()) {
    return fail(
        {FailureCode::engine, "no temporary directory could be made", "", "free some disk space and try again"});
  }
  TACIT_TRY(UsersSite site, open_users_site(options, engine, scale, scratch.path()));
  const DrawLimits limits{options.draws, options.draw_seconds};
  std::vector<Measurement> all;
  const auto progress = [&](std::string_view part) {
    fmt::print(stderr, "{} at scale factor {:g}: {}\n", engine, scale, part);
  };
  progress("1 of 5, published tables (a few minutes)");
  TACIT_TRY(auto tables, measure_published_tables(site, definitions.tables, definitions.published_errors, limits));
  append(all, std::move(tables));
  progress("2 of 5, join queries (some ten minutes)");
  TACIT_TRY(auto races, measure_races(site, definitions.races, definitions.published_races, limits));
  append(all, std::move(races));
  progress("3 of 5, TPC-H (a few minutes)");
  TACIT_TRY(auto tpch, measure_tpch(site, definitions.tpch, options.repetitions, limits));
  append(all, std::move(tpch));
  progress("4 of 5, without any option (a few minutes)");
  TACIT_TRY(auto defaults, measure_defaults(site, definitions.peers, definitions.peer_errors, limits));
  append(all, std::move(defaults));
  if (engine == "duckdb") {
    progress("5 of 5, the demo's questions (a minute)");
    TACIT_TRY(auto demo, run_demo(scratch.path(), definitions.demo, limits));
    append(all, std::move(demo));
  }
  const Figures summary = summarize_users(all);
  TACIT_TRY_STATUS(write_results(options.results_directory, "users", engine, scale, all, summary));
  return fmt::format("{} at scale factor {:g}\n{}{}", engine, scale, print_measurements(all),
                     print_measurements({{"all", summary}}));
}

}  // namespace

Result<std::string> run_users_suite(const UsersBenchOptions& options) {
  const fs::path definitions_folder(options.definitions_directory);
  TACIT_TRY(const Definitions definitions, read_definitions(definitions_folder / "users"));
  std::string text;
  for (const double scale : options.scales) {
    TACIT_TRY(const bool has_data, make_tpch_csv({definitions_folder / "metric", options.data_directory}, scale));
    if (!has_data) {
      return text +
             "The command tpchgen-cli, which makes the TPC-H data, is not installed: nothing is measured. "
             "scripts/bench.sh installs it.\n";
    }
    for (const std::string& engine : options.engines) {
      if (engine == "postgresql" && !options.database_url) {
        text += "No PostgreSQL database is named (--db), so that engine is left out.\n";
        continue;
      }
      TACIT_TRY(const std::string table, run_at(options, definitions, engine, scale));
      text += table;
    }
  }
  return text;
}

}  // namespace tacit
