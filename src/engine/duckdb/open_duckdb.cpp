#include "engine/duckdb/open_duckdb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

#include "duckdb/library.hpp"
#include "engine/duckdb/add_sources.hpp"
#include "engine/duckdb/check_file.hpp"
#include "engine/duckdb/connection.hpp"
#include "engine/duckdb/database_identity.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/file_states.hpp"
#include "engine/duckdb/private_directory.hpp"
#include "engine/duckdb/read_catalog.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"
#include "sql/dialects/dialects.hpp"

namespace tacit {
namespace {

using duckdb_engine::Connection;

class DuckdbEngine final : public Engine {
 public:
  DuckdbEngine(std::unique_ptr<Connection> connection, DuckdbLibrary library, const Policy& policy,
               const std::string& file, duckdb_engine::FileStates files)
      : connection_(std::move(connection)),
        library_(std::move(library)),
        identity_(database_identity(policy, file)),
        database_(file.empty() ? duckdb_engine::own_database : duckdb_engine::attached_database),
        files_(std::move(files)) {
    for (const TablePolicy& table : policy.tables) {
      if (table.source) sources_.insert(table.name.name);
    }
  }

  const Dialect& dialect() const override { return duckdb_dialect(); }
  EngineVersion version() const override {
    EngineVersion version{"DuckDB " + library_.version, library_.is_named ? library_.path : ""};
    if (!library_.is_tested) {
      version.untested =
          fmt::format("{} is newer than the versions Tacit was tested with ({})", version.name, tested_duckdb_versions);
    }
    return version;
  }
  std::string identity() const override { return identity_; }
  Result<Catalog> catalog() override { return duckdb_engine::read_catalog(*connection_); }
  Result<Catalog> catalog_of(const std::vector<TableName>& tables) override {
    std::vector<duckdb_engine::StoredTable> stored;
    for (const TableName& table : tables) {
      const std::string schema = table.schema.empty() ? duckdb_engine::default_schema : table.schema;
      const bool is_source = schema == duckdb_engine::default_schema && sources_.contains(table.name);
      stored.push_back({is_source ? "temp" : database_, {schema, table.name}});
    }
    return duckdb_engine::read_catalog_of(*connection_, stored);
  }

  // Nobody can write to an attached file or to a table loaded from one: the connection is one snapshot all its life.
  Status begin_snapshot(const std::vector<TableName>&) override { return connection_->check_usable(); }
  void end_snapshot() override {}

  std::string state_of(const TableName& table) override {
    if (table.schema == duckdb_engine::default_schema) {
      const std::string state = files_.of_source(table.name);
      if (!state.empty()) return state;
    }
    const std::string state = files_.of_database();
    return !state.empty() && duckdb_engine::is_stored_table(*connection_, table) ? state : "";
  }

  Result<std::vector<std::vector<Value>>> read_public(const PublicQuery& query) override {
    return read(query.sql, query.columns);
  }

  Result<std::vector<std::vector<Value>>> read_for_owner(const OwnerQuery& query) override {
    return read(query.sql, query.columns);
  }

  Result<ExactRows> run(const EngineQuery& query) override {
    auto outcome = connection_->select(query.sql);
    if (!outcome) return fail(connection_->explain(outcome.error()));
    return duckdb_engine::read_exact_rows(*outcome, query.keys, query.cell_scales);
  }

  Status measure(const std::string& sql) override {
    const auto outcome = connection_->select(sql);
    if (!outcome) return fail(connection_->explain(outcome.error()));
    return {};
  }

  void cancel() override { connection_->cancel(); }

 private:
  Result<std::vector<std::vector<Value>>> read(const std::string& sql, const std::vector<SqlType>& columns) {
    auto outcome = connection_->select(sql);
    if (!outcome) return fail(connection_->explain(outcome.error()));
    return duckdb_engine::read_values(*outcome, columns);
  }

  std::unique_ptr<Connection> connection_;
  DuckdbLibrary library_;
  std::string identity_;
  std::string database_;           // the name it is attached by
  std::set<std::string> sources_;  // tables that are files
  duckdb_engine::FileStates files_;
};

bool is_duckdb_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 12> beginning{};  // a checksum, then the magic word
  return file.read(beginning.data(), beginning.size()) && std::string_view(&beginning[8], 4) == "DUCK";
}

std::string path_of(const Policy& policy, const std::string& file) {
  return std::filesystem::absolute(policy.resolve(file)).lexically_normal().string();
}

Status attach_file(Connection& connection, const Policy& policy, const std::string& file) {
  const std::string path = path_of(policy, file);
  const std::string named_at = fmt::format("{}:{} (url under [engine])", policy.path, policy.engine.place.line);
  TACIT_TRY_STATUS(check_file(path, "the database", named_at));
  if (!is_duckdb_file(path)) {
    return fail({FailureCode::engine, "the file is not a DuckDB database", path,
                 "a Parquet or CSV file is named as the `source` of a table, under url = \"duckdb:\""});
  }
  const std::string name = quote_name(duckdb_engine::attached_database);
  const auto attached =
      connection.execute(fmt::format("ATTACH {} AS {} (READ_ONLY, TYPE duckdb)", quote_text(path), name));
  if (!attached) {
    const auto trouble = duckdb_engine::classify(attached.error().text, path);
    if (trouble == duckdb_engine::Trouble::interrupted) return fail(connection.explain(attached.error()));
    return fail(duckdb_engine::open_failure(trouble, path));
  }
  return {};
}

// The engine's own schema first: a macro stored in the database would otherwise answer before the built-in function of
// its name, and the SQL we print would mean something else. A view still finds the macros beside it, DuckDB looks there
// first.
Status set_search_path(Connection& connection, bool is_attached) {
  const std::string database = is_attached ? duckdb_engine::attached_database : duckdb_engine::own_database;
  // With every schema: DuckDB looks for `schema.table` in the databases that the path names with this schema.
  auto schemas =
      connection.execute(fmt::format("SELECT schema_name FROM duckdb_schemas() WHERE database_name = '{}' AND "
                                     "schema_name <> '{}'",
                                     database, duckdb_engine::default_schema));
  if (!schemas) return fail(connection.explain(schemas.error()));
  std::string path = fmt::format("system.main,{}.main", quote_name(database));
  for (const auto& row : duckdb_engine::read_values(*schemas, {SqlType::text()})) {
    path += fmt::format(",{}.{}", quote_name(database), quote_name(std::get<std::string>(row[0])));
  }
  std::string sql = "SET search_path = " + quote_text(path);
  if (is_attached) sql += fmt::format("; DETACH {}", duckdb_engine::own_database);
  const auto done = connection.execute(sql);
  if (!done) return fail(connection.explain(done.error()));
  return {};
}

Result<DuckdbLibrary> load_library(const Policy& policy) {
  if (!policy.engine.library) return load_duckdb();
  const std::string path =
      std::filesystem::absolute(policy.resolve(*policy.engine.library)).lexically_normal().string();
  return load_duckdb(path, fmt::format("{}:{} (library under [engine])", policy.path, policy.engine.place.line));
}

}  // namespace

Result<std::unique_ptr<Engine>> open_duckdb(const Policy& policy, const std::string& file,
                                            std::optional<std::size_t> spilled_bytes) {
  TACIT_TRY(auto library, load_library(policy));
  TACIT_TRY(PrivateDirectory directory, PrivateDirectory::make());
  const duckdb_engine::Limits limits{policy.engine.timeout_seconds, policy.engine.memory_bytes, policy.engine.threads,
                                     spilled_bytes};
  TACIT_TRY(auto connection, Connection::open(limits, std::move(directory)));
  auto files = duckdb_engine::FileStates::before_opening(policy, file.empty() ? "" : path_of(policy, file));
  if (!file.empty()) TACIT_TRY_STATUS(attach_file(*connection, policy, file));
  TACIT_TRY_STATUS(set_search_path(*connection, !file.empty()));
  const bool has_sources = std::any_of(policy.tables.begin(), policy.tables.end(),
                                       [](const TablePolicy& table) { return table.source.has_value(); });
  if (has_sources) TACIT_TRY_STATUS(connection->use_all_threads());
  TACIT_TRY(const auto readable_files, duckdb_engine::add_sources(*connection, policy));
  TACIT_TRY_STATUS(connection->lock_down(readable_files));
  return std::make_unique<DuckdbEngine>(std::move(connection), std::move(library), policy, file, std::move(files));
}

}  // namespace tacit
