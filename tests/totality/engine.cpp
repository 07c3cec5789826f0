#include "totality/engine.hpp"

#include <gtest/gtest.h>
#include <libpq-fe.h>

#include "sql/dialects/dialects.hpp"
#include "sql/print_expression.hpp"
#include "support/plain_duckdb.hpp"
#include "support/postgres_server.hpp"

namespace tacit::totality {
namespace {

class DuckDb final : public Engine {
 public:
  DuckDb() {
    EXPECT_EQ(ask("SET threads = 1").error, "");
    ask("SET error_on_division_by_zero = false");  // as our connections have it; before 2.0 there was no such setting
  }

  const Dialect& dialect() const override { return duckdb_dialect(); }
  void lock_down() override {}

  Answer ask(const std::string& sql) override {
    auto [cells, error] = duckdb_.ask(sql);
    return {std::move(cells), std::move(error)};
  }

 private:
  tacit::testing::PlainDuckDb duckdb_;
};

class Postgres final : public Engine {
 public:
  Postgres() {
    auto& server = tacit::testing::PostgresServer::shared();
    connection_ = PQconnectdb(server.url(server.create_database("totality")).c_str());
    EXPECT_EQ(PQstatus(connection_), CONNECTION_OK) << PQerrorMessage(connection_);
    for (const char* setting :
         {"TimeZone = 'UTC'", "DateStyle = 'ISO, YMD'", "IntervalStyle = 'postgres'", "extra_float_digits = 3",
          "standard_conforming_strings = on", "jit = off", "search_path = pg_catalog"}) {
      EXPECT_EQ(ask(std::string("SET ") + setting).error, "");
    }
  }
  ~Postgres() override { PQfinish(connection_); }

  const Dialect& dialect() const override { return postgres_dialect(); }
  void lock_down() override { EXPECT_EQ(ask("SET default_transaction_read_only = on").error, ""); }

  // The extended protocol, as the engine uses it.
  Answer ask(const std::string& sql) override {
    Answer answer;
    PGresult* result = PQexecParams(connection_, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) answer.error = PQerrorMessage(connection_);
    for (int row = 0; row < PQntuples(result); ++row) {
      auto& cells = answer.cells.emplace_back();
      for (int column = 0; column < PQnfields(result); ++column) {
        cells.push_back(PQgetisnull(result, row, column) != 0
                            ? std::nullopt
                            : std::optional<std::string>(PQgetvalue(result, row, column)));
      }
    }
    PQclear(result);
    return answer;
  }

 private:
  PGconn* connection_ = nullptr;
};

}  // namespace

std::string Engine::value(const std::string& sql) {
  const Answer answer = ask(sql);
  EXPECT_EQ(answer.error, "") << sql;
  if (answer.cells.empty() || answer.cells[0].empty()) return "(no row)";
  return answer.cells[0][0].value_or("NULL");
}

std::string Engine::type_of(const std::string& expression) const {
  return &dialect() == &duckdb_dialect() ? "typeof(" + expression + ")" : "upper(pg_typeof(" + expression + ")::text)";
}

std::string Engine::type_name(const SqlType& type) const {
  if (type.kind == TypeKind::timestamp && &dialect() == &postgres_dialect()) return "TIMESTAMP WITHOUT TIME ZONE";
  return dialect().computed_type_name(type);
}

std::unique_ptr<Engine> new_engine(const Dialect& dialect) {
  if (&dialect == &duckdb_dialect()) return std::make_unique<DuckDb>();
  return std::make_unique<Postgres>();
}

}  // namespace tacit::totality
