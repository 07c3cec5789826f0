#include "bench/users_site.hpp"

#include <fmt/format.h>

#include <fstream>

#include "bench/metric_queries.hpp"
#include "bench/tpch_data.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr const char* users[] = {"customer", "supplier", "orders", "supplier_alone", "both"};
constexpr const char* users_with_facts[] = {"customer", "supplier"};

Result<Connection> open_parts(const fs::path& definitions, const std::vector<std::string>& parts,
                              const std::string& url, const fs::path& file) {
  std::string text = fmt::format("[engine]\nurl = \"{}\"\nthreads = {}\ntimeout = \"1h\"\n", url, bench_threads);
  for (const std::string& part : parts) {
    TACIT_TRY(const std::string more, read_whole_file((definitions / (part + ".toml")).string()));
    text += more;
  }
  std::ofstream(file) << text;
  return open_policy(file.string());
}

}  // namespace

Result<UsersSite> open_users_site(const UsersBenchOptions& options, const std::string& engine, double scale,
                                  const fs::path& scratch) {
  const fs::path definitions = fs::path(options.definitions_directory) / "users";
  const TpchFolders folders{fs::path(options.definitions_directory) / "metric", options.data_directory};
  UsersSite site;
  site.engine = engine;
  site.scale = scale;
  std::string url;
  if (engine == "duckdb") {
    TACIT_TRY(const std::string file, load_tpch_with_keys_into_duckdb(folders, definitions / "keys.sql", scale));
    TACIT_TRY(site.tables, open_duckdb_file(file, true));
    site.schema = "main";
    url = "duckdb:" + file;
  } else {
    TACIT_TRY(site.schema, load_tpch_into_postgres(folders, scale, options.database_url.value()));
    TACIT_TRY(site.tables, open_postgres_schema(*options.database_url, site.schema));
    url = url_with_schema(*options.database_url, site.schema);
  }
  for (const std::string user : users) {
    TACIT_TRY(Connection opened, open_parts(definitions, {"defaults", user}, url, scratch / (user + ".toml")));
    site.policies.emplace(user, std::move(opened));
  }
  for (const std::string user : users_with_facts) {
    TACIT_TRY(Connection opened,
              open_parts(definitions, {"defaults", user, "facts"}, url, scratch / (user + "-facts.toml")));
    site.with_facts.emplace(user, std::move(opened));
  }
  return site;
}

}  // namespace tacit
