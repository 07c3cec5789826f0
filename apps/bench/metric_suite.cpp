#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "bench/metric_measurement.hpp"
#include "bench/scratch_folder.hpp"
#include "bench/suite.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr PolicyVariant variants[] = {PolicyVariant::dependencies, PolicyVariant::no_dependencies,
                                      PolicyVariant::bounds};

struct Definitions {
  std::vector<NamedQuery> queries;
  std::vector<ReferenceFigures> published;
  std::string policy;
  std::string bounds;
};

Result<Definitions> read_definitions(const fs::path& folder) {
  Definitions definitions;
  TACIT_TRY(const std::string queries, read_whole_file((folder / "queries.sql").string()));
  TACIT_TRY(definitions.queries, read_named_queries(queries));
  TACIT_TRY(const std::string published, read_whole_file((folder / "reference.csv").string()));
  TACIT_TRY(definitions.published, read_reference_figures(published));
  TACIT_TRY(definitions.policy, read_whole_file((folder / "policy.toml").string()));
  TACIT_TRY(definitions.bounds, read_whole_file((folder / "bounds.toml").string()));
  return definitions;
}

Status open_policies(MetricSite& site, const Definitions& definitions, const std::string& url, const fs::path& folder) {
  for (const PolicyVariant variant : variants) {
    const fs::path file = folder / fmt::format("{}.toml", variant_name(variant));
    std::ofstream(file) << write_variant(variant, definitions.policy, definitions.bounds, url);
    TACIT_TRY(Connection opened, open_policy(file.string()));
    site.policies.push_back({variant, std::move(opened)});
  }
  return {};
}

Result<MetricSite> open_site(const MetricBenchOptions& options, const Definitions& definitions,
                             const std::string& engine, double scale, const fs::path& scratch) {
  const TpchFolders folders{options.definitions_directory, options.data_directory};
  const bool has_anchor = fs::is_directory(options.anchor_directory);
  MetricSite site;
  site.engine = engine;
  site.scale = scale;
  if (engine == "duckdb") {
    TACIT_TRY(const std::string file, load_tpch_into_duckdb(folders, scale));
    if (has_anchor) {
      TACIT_TRY(site.anchor, open_duckdb_anchor(folders, scale, file));
    }
    TACIT_TRY(site.tables, open_duckdb_file(file, true));
    site.schema = "main";
    TACIT_TRY_STATUS(open_policies(site, definitions, "duckdb:" + file, scratch));
    return site;
  }
  const std::string& url = options.database_url.value();
  TACIT_TRY(site.schema, load_tpch_into_postgres(folders, scale, url));
  if (has_anchor) {
    TACIT_TRY(site.anchor, open_postgres_anchor(scale, site.schema, url));
  }
  TACIT_TRY(site.tables, open_postgres_schema(url, site.schema));
  TACIT_TRY_STATUS(open_policies(site, definitions, url_with_schema(url, site.schema), scratch));
  return site;
}

Result<std::string> run_at(const MetricBenchOptions& options, const Definitions& definitions, const std::string& engine,
                           double scale) {
  const ScratchFolder scratch;
  if (scratch.path().empty()) {
    return fail(
        {FailureCode::engine, "no temporary directory could be made", "", "free some disk space and try again"});
  }
  TACIT_TRY(MetricSite site, open_site(options, definitions, engine, scale, scratch.path()));
  std::vector<Measurement> measurements;
  for (const NamedQuery& query : definitions.queries) {
    TACIT_TRY(Measurement measurement,
              measure_metric_query(site, query, read_anchor_query(options.anchor_directory, query.name),
                                   find_reference(definitions.published, query.name, scale), options.repetitions));
    measurements.push_back(std::move(measurement));
  }
  const Figures summary = summarize_metric(measurements);
  TACIT_TRY_STATUS(write_results(options.results_directory, "metric", engine, scale, measurements, summary));
  return fmt::format("{} at scale factor {:g}\n{}{}", engine, scale, print_measurements(measurements),
                     print_measurements({{"all", summary}}));
}

}  // namespace

Result<std::string> run_metric_suite(const MetricBenchOptions& options) {
  TACIT_TRY(const Definitions definitions, read_definitions(options.definitions_directory));
  std::string text;
  if (!fs::is_directory(options.anchor_directory))
    text += "The authors' SQL is not here (--anchor names its folder), so it is not measured.\n";
  for (const double scale : options.scales) {
    TACIT_TRY(const bool has_data, make_tpch_csv({options.definitions_directory, options.data_directory}, scale));
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
