#include "engine/postgres/open_postgres.hpp"

#include <fmt/format.h>

#include "engine/postgres/connect.hpp"
#include "engine/postgres/connection.hpp"
#include "engine/postgres/read_catalog.hpp"
#include "engine/postgres/read_rows.hpp"
#include "engine/postgres/snapshot.hpp"
#include "sql/dialects/dialects.hpp"

namespace tacit {
namespace {

using postgres_engine::Connection;
using postgres_engine::newest_tested;
using postgres_engine::oldest_served;

class PostgresEngine final : public Engine {
 public:
  explicit PostgresEngine(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

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
    TACIT_TRY(known_, postgres_engine::read_known_tables(*connection_));
    Catalog catalog;
    catalog.search_path = connection_->facts().search_path;
    for (const auto& [name, known] : *known_) catalog.tables.push_back(known.table);
    return catalog;
  }

  Status begin_snapshot(const std::vector<TableName>& tables) override {
    if (!known_) {
      TACIT_TRY(known_, postgres_engine::read_known_tables(*connection_));
    }
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
  std::optional<postgres_engine::KnownTables> known_;  // as catalog() last told
};

}  // namespace

Result<std::unique_ptr<Engine>> open_postgres(const Policy& policy) {
  const std::string where = fmt::format("{}:{}", policy.path, policy.engine.place.line);
  for (const TablePolicy& table : policy.tables) {
    if (!table.source) continue;
    return fail({FailureCode::usage, fmt::format("table `{}` has a `source`, a file", to_string(table.name)),
                 fmt::format("{}:{}", policy.path, table.place.line),
                 "a PostgreSQL server reads its own tables: remove `source`, or use url = \"duckdb:\""});
  }
  const postgres_engine::Limits limits{policy.engine.timeout_seconds, policy.engine.threads};
  TACIT_TRY(auto connection, Connection::open(policy.engine.url, limits, where));
  return std::make_unique<PostgresEngine>(std::move(connection));
}

}  // namespace tacit
