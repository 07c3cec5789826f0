#include "support/test_database.hpp"

#include <gtest/gtest.h>

#include "support/plain_duckdb.hpp"
#include "support/policy_head.hpp"
#include "support/postgres_server.hpp"

namespace tacit::testing {

TestDatabase::TestDatabase(EngineKind kind) : kind_(kind) {
  if (kind == EngineKind::postgres) database_ = PostgresServer::shared().create_database();
}

std::string TestDatabase::url() const {
  return kind_ == EngineKind::duckdb ? "duckdb:test.duckdb" : PostgresServer::shared().url(database_);
}

void TestDatabase::run(const std::vector<std::string>& statements) const {
  if (kind_ == EngineKind::duckdb) return PlainDuckDb(folder_.file("test.duckdb")).run_all(statements);
  try {
    PostgresServer::shared().run(database_, statements);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

std::string TestDatabase::write_policy(const std::string& text) const {
  folder_.write("policy.toml", engine_section(url()) + text);
  return folder_.file("policy.toml");
}

}  // namespace tacit::testing
