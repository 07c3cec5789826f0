#include "engine/duckdb/open_duckdb.hpp"

#include <fmt/format.h>

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

// What is known of the database from its opening on.
struct OpenedFacts {
  DuckdbLibrary library;
  std::string identity;
  std::string database;           // the name it is attached by
  std::string source_database;    // where the tables are that are files
  std::set<std::string> sources;  // their names
  std::set<std::string> schemas;  // of the database, as it spells them
  duckdb_engine::FileStates files;
};

class DuckdbEngine final : public Engine {
 public:
  DuckdbEngine(std::unique_ptr<Connection> connection, std::shared_ptr<const OpenedFacts> facts)
      : connection_(std::move(connection)), facts_(std::move(facts)) {}

  const Dialect& dialect() const override { return duckdb_dialect(); }
  EngineVersion version() const override {
    const DuckdbLibrary& library = facts_->library;
    EngineVersion version{"DuckDB " + library.version, library.is_named ? library.path : ""};
    if (!library.is_tested) {
      version.untested =
          fmt::format("{} is newer than the versions Tacit was tested with ({})", version.name, tested_duckdb_versions);
    }
    return version;
  }
  std::string identity() const override { return facts_->identity; }
  Result<Catalog> catalog() override { return duckdb_engine::read_catalog(*connection_); }
  Result<Catalog> catalog_of(const std::vector<TableName>& tables) override {
    std::vector<duckdb_engine::StoredTable> stored;
    for (const TableName& table : tables) {
      if (!table.schema.empty() && !facts_->schemas.contains(table.schema)) return catalog();
      const std::string schema = table.schema.empty() ? duckdb_engine::default_schema : table.schema;
      const bool is_source = schema == duckdb_engine::default_schema && facts_->sources.contains(table.name);
      stored.push_back({is_source ? facts_->source_database : facts_->database, {schema, table.name}});
    }
    return duckdb_engine::read_catalog_of(*connection_, stored);
  }

  // Nobody can write to an attached file or to a table loaded from one: the connection is one snapshot all its life.
  Status begin_snapshot(const std::vector<TableName>&) override { return connection_->check_usable(); }
  void end_snapshot() override {}

  std::string state_of(const TableName& table) override {
    if (table.schema == duckdb_engine::default_schema) {
      const std::string state = facts_->files.of_source(table.name);
      if (!state.empty()) return state;
    }
    const std::string state = facts_->files.of_database();
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
  std::shared_ptr<const OpenedFacts> facts_;
};

class DuckdbInstance final : public EngineInstance {
 public:
  DuckdbInstance(std::shared_ptr<duckdb_engine::Instance> instance, std::shared_ptr<const OpenedFacts> facts)
      : instance_(std::move(instance)), facts_(std::move(facts)) {}

  Result<std::unique_ptr<Engine>> connect() override {
    TACIT_TRY(auto connection, Connection::open(instance_));
    return std::make_unique<DuckdbEngine>(std::move(connection), facts_);
  }

 private:
  std::shared_ptr<duckdb_engine::Instance> instance_;
  std::shared_ptr<const OpenedFacts> facts_;
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
    if (trouble == duckdb_engine::ErrorKind::interrupted) return fail(connection.explain(attached.error()));
    return fail(duckdb_engine::open_failure(trouble, path));
  }
  return {};
}

Status attach_source_database(Connection& connection) {
  const auto attached =
      connection.execute(fmt::format("ATTACH ':memory:' AS {}", quote_name(duckdb_engine::source_database)));
  if (!attached) return fail(connection.explain(attached.error()));
  return {};
}

// The engine's own schema first: a macro stored in the database would otherwise answer before the built-in function of
// its name, and the SQL we print would mean something else. A view still finds the macros beside it, DuckDB looks there
// first.
Status set_search_path(Connection& connection, OpenedFacts& facts) {
  // With every schema: DuckDB looks for `schema.table` in the databases that the path names with this schema.
  auto schemas =
      connection.execute(fmt::format("SELECT schema_name FROM duckdb_schemas() WHERE database_name = '{}' AND "
                                     "schema_name <> '{}'",
                                     facts.database, duckdb_engine::default_schema));
  if (!schemas) return fail(connection.explain(schemas.error()));
  const bool has_both = facts.database != facts.source_database && !facts.sources.empty();
  std::string path = "system.main";
  if (has_both) path += fmt::format(",{}.main", quote_name(facts.source_database));
  path += fmt::format(",{}.main", quote_name(facts.database));
  facts.schemas.insert(duckdb_engine::default_schema);
  for (const auto& row : duckdb_engine::read_values(*schemas, {SqlType::text()})) {
    const auto& schema = std::get<std::string>(row[0]);
    facts.schemas.insert(schema);
    path += fmt::format(",{}.{}", quote_name(facts.database), quote_name(schema));
  }
  const bool is_attached = facts.database != duckdb_engine::own_database;
  return connection.set_search_path(path, is_attached ? fmt::format("DETACH {}", duckdb_engine::own_database) : "");
}

// As a statement: DuckDB 1.4.4 forgets it when it is part of the configuration.
Status limit_spilling(Connection& connection, std::optional<std::size_t> bytes) {
  if (!bytes) return {};
  const auto limited = connection.execute(fmt::format("SET max_temp_directory_size = '{}B'", *bytes));
  if (!limited) return fail(connection.explain(limited.error()));
  return {};
}

Result<DuckdbLibrary> load_library(const Policy& policy) {
  if (!policy.engine.library) return load_duckdb();
  const std::string path =
      std::filesystem::absolute(policy.resolve(*policy.engine.library)).lexically_normal().string();
  return load_duckdb(path, fmt::format("{}:{} (library under [engine])", policy.path, policy.engine.place.line));
}

}  // namespace

Result<OpenedEngine> open_duckdb(const Policy& policy, const std::string& file,
                                 std::optional<std::size_t> spilled_bytes) {
  OpenedFacts facts;
  TACIT_TRY(facts.library, load_library(policy));
  facts.identity = database_identity(policy, file);
  facts.database = file.empty() ? duckdb_engine::own_database : duckdb_engine::attached_database;
  facts.source_database = file.empty() ? duckdb_engine::own_database : duckdb_engine::source_database;
  for (const TablePolicy& table : policy.tables) {
    if (table.source) facts.sources.insert(table.name.name);
  }
  TACIT_TRY(PrivateDirectory directory, PrivateDirectory::make());
  const duckdb_engine::Limits limits{policy.engine.timeout_seconds, policy.engine.memory_bytes, policy.engine.threads,
                                     spilled_bytes};
  TACIT_TRY(auto instance, duckdb_engine::Instance::open(limits, std::move(directory)));
  TACIT_TRY(auto connection, Connection::open(instance));
  TACIT_TRY_STATUS(limit_spilling(*connection, spilled_bytes));
  facts.files = duckdb_engine::FileStates::before_opening(policy, file.empty() ? "" : path_of(policy, file));
  if (!file.empty()) TACIT_TRY_STATUS(attach_file(*connection, policy, file));
  if (!file.empty() && !facts.sources.empty()) TACIT_TRY_STATUS(attach_source_database(*connection));
  TACIT_TRY_STATUS(set_search_path(*connection, facts));
  if (!facts.sources.empty()) TACIT_TRY_STATUS(connection->use_all_threads());
  TACIT_TRY(const auto readable_files, duckdb_engine::add_sources(*connection, policy, facts.source_database));
  TACIT_TRY_STATUS(connection->lock_down(readable_files));
  const auto shared = std::make_shared<const OpenedFacts>(std::move(facts));
  return OpenedEngine{std::make_shared<DuckdbInstance>(std::move(instance), shared),
                      std::make_unique<DuckdbEngine>(std::move(connection), shared)};
}

}  // namespace tacit
