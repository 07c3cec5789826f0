#pragma once

#include <duckdb.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/postgres_server.hpp"

namespace tacit::testing {

enum class EngineKind { duckdb, postgres };
inline constexpr EngineKind every_engine[] = {EngineKind::duckdb, EngineKind::postgres};

inline std::string name_of(EngineKind kind) { return kind == EngineKind::duckdb ? "duckdb" : "postgres"; }

// An empty database on one of the engines, in a folder of its own for policy and ledger; gone with the object.
class TestDatabase {
 public:
  explicit TestDatabase(EngineKind kind) : kind_(kind) {
    std::string pattern = (std::filesystem::temp_directory_path() / "tacit-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    if (kind == EngineKind::postgres) database_ = PostgresServer::shared().create_database();
  }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;
  ~TestDatabase() { std::filesystem::remove_all(folder_); }

  EngineKind kind() const { return kind_; }
  const std::filesystem::path& folder() const { return folder_; }
  std::string url() const {
    return kind_ == EngineKind::duckdb ? "duckdb:test.duckdb" : PostgresServer::shared().url(database_);
  }

  // Each statement alone; one that fails fails the test.
  void run(const std::vector<std::string>& statements) const {
    if (kind_ == EngineKind::duckdb) return run_in_duckdb(statements);
    try {
      PostgresServer::shared().run(database_, statements);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }

  // Writes `text` with this database's url as [engine] in front, and gives the file's path.
  std::string write_policy(const std::string& text) const {
    const std::filesystem::path path = folder_ / "policy.toml";
    std::ofstream(path) << "[engine]\nurl = \"" << url() << "\"\n" << text;
    return path.string();
  }

 private:
  void run_in_duckdb(const std::vector<std::string>& statements) const {
    duckdb_database database = nullptr;
    duckdb_connection connection = nullptr;
    ASSERT_EQ(duckdb_open((folder_ / "test.duckdb").c_str(), &database), DuckDBSuccess);
    ASSERT_EQ(duckdb_connect(database, &connection), DuckDBSuccess);
    for (const std::string& sql : statements) {
      duckdb_result result;
      EXPECT_EQ(duckdb_query(connection, sql.c_str(), &result), DuckDBSuccess) << duckdb_result_error(&result) << "\n"
                                                                               << sql;
      duckdb_destroy_result(&result);
    }
    duckdb_disconnect(&connection);
    duckdb_close(&database);
  }

  EngineKind kind_;
  std::filesystem::path folder_;
  std::string database_;  // PostgreSQL's name of it
};

}  // namespace tacit::testing
