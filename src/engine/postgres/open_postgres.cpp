#include "engine/postgres/open_postgres.hpp"

#include <fmt/format.h>

#include <mutex>

#include "engine/postgres/connect.hpp"
#include "engine/postgres/connection.hpp"
#include "engine/postgres/load_libpq.hpp"
#include "engine/postgres/read_catalog.hpp"
#include "engine/postgres/read_rows.hpp"
#include "engine/postgres/snapshot.hpp"
#include "sql/dialects/dialects.hpp"

namespace tacit {
namespace {

using postgres_engine::Connection;
using postgres_engine::newest_tested;
using postgres_engine::oldest_served;

using KnownTablesPtr = std::shared_ptr<const postgres_engine::KnownTables>;

// The first catalog that a connection read. Questions of every connection are planned by it, so every snapshot is
// compared with it, however the database looks when the connection is made.
class FirstCatalog {
 public:
  KnownTablesPtr get() const {
    const std::lock_guard lock(mutex_);
    return tables_;
  }
  void set_if_none(KnownTablesPtr tables) {
    const std::lock_guard lock(mutex_);
    if (!tables_) tables_ = std::move(tables);
  }

 private:
  mutable std::mutex mutex_;
  KnownTablesPtr tables_;
};

class PostgresEngine final : public Engine {
 public:
  PostgresEngine(std::unique_ptr<Connection> connection, std::shared_ptr<FirstCatalog> first)
      : connection_(std::move(connection)), first_(std::move(first)), known_(first_->get()) {}

  const Dialect& dialect() const override { return postgres_dialect(); }
  EngineVersion version() const override {
    const int number = connection_->facts().version;
    EngineVersion version{fmt::format("PostgreSQL {}.{}", number / 10000, number % 10000)};
    if (number / 10000 > newest_tested) {
      version.untested = fmt::format("{} is newer than the versions Tacit was tested with ({} to {})", version.name,
                                     oldest_served, newest_tested);
    }
    return version;
  }
  std::string identity() const override { return connection_->facts().identity; }

  Result<Catalog> catalog() override {
    TACIT_TRY_STATUS(read_known_tables());
    Catalog catalog;
    catalog.search_path = connection_->facts().search_path;
    for (const auto& [name, known] : *known_) catalog.tables.push_back(known.table);
    return catalog;
  }

  Status begin_snapshot(const std::vector<TableName>& tables) override {
    if (!known_) TACIT_TRY_STATUS(read_known_tables());
    return postgres_engine::begin_snapshot(*connection_, *known_, tables);
  }

  // What a server holds can change and change back.
  std::string state_of(const TableName&) override { return ""; }
  void end_snapshot() override { connection_->end(); }

  Result<std::vector<std::vector<Value>>> read_public(const PublicQuery& query) override {
    return read(query.sql, query.columns);
  }

  Result<std::vector<std::vector<Value>>> read_for_owner(const OwnerQuery& query) override {
    return read(query.sql, query.columns);
  }

  Result<ExactRows> run(const EngineQuery& query) override {
    postgres_engine::ExactRowsCollector collector(query.keys, query.cell_scales);
    TACIT_TRY_STATUS(select(
        query.sql, [&](const PGresult& answer) { collector.take(answer); }, query.tables));
    return collector.finish();
  }

  Status measure(const std::string& sql) override {
    return select(sql, [](const PGresult&) {});
  }

  void cancel() override { connection_->cancel(); }

 private:
  Status read_known_tables() {
    TACIT_TRY(auto tables, postgres_engine::read_known_tables(*connection_));
    known_ = std::make_shared<const postgres_engine::KnownTables>(std::move(tables));
    first_->set_if_none(known_);
    return {};
  }

  Status select(const std::string& sql, const postgres_engine::AnswerSink& sink,
                const std::vector<TableName>& tables = {}) {
    TACIT_TRY_STATUS(connection_->revive());
    const auto done = connection_->select(sql, sink);
    if (!done) return fail(connection_->explain(done.error(), tables));
    return {};
  }

  Result<std::vector<std::vector<Value>>> read(const std::string& sql, const std::vector<SqlType>& columns) {
    postgres_engine::ValuesCollector collector(columns);
    TACIT_TRY_STATUS(select(sql, [&](const PGresult& answer) { collector.take(answer); }));
    return collector.finish();
  }

  std::unique_ptr<Connection> connection_;
  std::shared_ptr<FirstCatalog> first_;
  KnownTablesPtr known_;  // as catalog() last told, or else the first; null: neither yet
};

class PostgresInstance final : public EngineInstance {
 public:
  PostgresInstance(std::string url, const postgres_engine::Limits& limits, std::string where,
                   postgres_engine::ServerFacts facts, std::shared_ptr<FirstCatalog> first)
      : url_(std::move(url)),
        limits_(limits),
        where_(std::move(where)),
        facts_(std::move(facts)),
        first_(std::move(first)) {}

  Result<std::unique_ptr<Engine>> connect() override {
    TACIT_TRY(auto connection, Connection::open(url_, limits_, where_, facts_));
    return std::make_unique<PostgresEngine>(std::move(connection), first_);
  }

 private:
  const std::string url_;
  const postgres_engine::Limits limits_;
  const std::string where_;
  const postgres_engine::ServerFacts facts_;
  const std::shared_ptr<FirstCatalog> first_;
};

}  // namespace

Result<OpenedEngine> open_postgres(const Policy& policy) {
  const std::string where = fmt::format("{}:{}", policy.path, policy.engine.place.line);
  for (const TablePolicy& table : policy.tables) {
    if (!table.source) continue;
    return fail({FailureCode::usage, fmt::format("table `{}` has a `source`, a file", to_string(table.name)),
                 fmt::format("{}:{}", policy.path, table.place.line),
                 "a PostgreSQL server reads its own tables: remove `source`, or use url = \"duckdb:\""});
  }
  TACIT_TRY_STATUS(postgres_engine::load_libpq());
  const postgres_engine::Limits limits{policy.engine.timeout_seconds, policy.engine.threads};
  TACIT_TRY(auto connection, Connection::open(policy.engine.url, limits, where));
  const auto first = std::make_shared<FirstCatalog>();
  auto instance = std::make_shared<PostgresInstance>(policy.engine.url, limits, where, connection->facts(), first);
  return OpenedEngine{std::move(instance), std::make_unique<PostgresEngine>(std::move(connection), first)};
}

}  // namespace tacit
