#include "engine/duckdb/connection.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/check.hpp"
#include "engine/duckdb/private_directory.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

class LockedDown : public ::testing::Test {
 protected:
  LockedDown()
      : files(*PrivateDirectory::make()),
        connection(*Connection::open(*Instance::open({}, *PrivateDirectory::make()))) {
    // Not in the engine's own directory: that one it may use.
    allowed = (files.path() / "allowed.csv").string();
    forbidden = (files.path() / "forbidden.csv").string();
    std::ofstream(allowed) << "a\n1\n";
    std::ofstream(forbidden) << "a\n2\n";
    EXPECT_TRUE(connection->execute("CREATE TEMP VIEW v AS SELECT * FROM read_csv(" + quote_text(allowed) +
                                    ", auto_detect = false, header = true, columns = {'a': 'INTEGER'})"));
    EXPECT_TRUE(connection->execute("CREATE TEMP TABLE t(a INTEGER)"));
    EXPECT_TRUE(connection->lock_down({allowed}));
  }
  PrivateDirectory files;
  std::unique_ptr<Connection> connection;
  std::string allowed;
  std::string forbidden;
};

TEST_F(LockedDown, ReadsTheFilesItMay) {
  auto outcome = connection->select("SELECT a FROM v");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(read_values(*outcome, {SqlType::integer()}).at(0).at(0), Value(Decimal{1, 0}));
}

TEST_F(LockedDown, OpensNoOtherFile) {
  const std::string file = quote_text(forbidden);
  for (const std::string& sql :
       std::vector<std::string>{"SELECT * FROM read_csv(" + file + ")", "SELECT * FROM read_text(" + file + ")",
                                "SELECT * FROM " + file, "SELECT * FROM read_blob(" + file + ")",
                                "SELECT * FROM read_json(" + file + ")", "SELECT * FROM read_parquet(" + file + ")",
                                "SELECT * FROM glob('/*')", "SELECT * FROM sniff_csv(" + file + ")",
                                "SELECT * FROM read_text('/etc/passwd')", "FROM 'https://example.org/x.csv'"}) {
    EXPECT_FALSE(connection->select(sql)) << sql;
  }
}

// Even below the check that only SELECT runs.
TEST_F(LockedDown, WritesLoadsAndChangesNothing) {
  const std::string target = (files.path() / "out").string();
  EXPECT_TRUE(connection->select("SELECT 1"));  // settings are locked by the first
  for (const std::string& sql : std::vector<std::string>{
           "COPY t TO " + quote_text(target), "COPY t FROM " + quote_text(forbidden), "ATTACH " + quote_text(target),
           "EXPORT DATABASE " + quote_text(target), "INSTALL httpfs", "LOAD httpfs", "LOAD " + quote_text(target),
           "SET threads = 1", "SET memory_limit = '1GB'", "SET enable_external_access = true",
           "SET lock_configuration = false", "RESET allowed_paths", "SET temp_directory = '/tmp'",
           "PRAGMA enable_profiling = 'json'", "CREATE PERSISTENT SECRET s (TYPE http)"}) {
    EXPECT_FALSE(connection->execute(sql)) << sql;
  }
  EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(LockedDown, RunsOneSelectAndNothingElse) {
  for (const char* sql : {"CREATE TEMP TABLE u(a INTEGER)", "INSERT INTO t VALUES (1)", "DROP TABLE t", "BEGIN",
                          "COMMIT", "SET threads = 1", "EXPLAIN SELECT 1", "CALL duckdb_tables()"}) {
    try {
      EXPECT_FALSE(connection->select(sql)) << sql;
    } catch (const InvariantBroken&) {
    }
  }
  EXPECT_FALSE(connection->select("SELECT 1; DROP TABLE t"));
  EXPECT_FALSE(connection->select(""));
  EXPECT_TRUE(connection->select("SELECT * FROM t"));
}

TEST_F(LockedDown, ChangesNothingInsideTheSnapshot) {
  ASSERT_TRUE(connection->select("SELECT 1"));
  EXPECT_FALSE(connection->execute("CREATE TABLE memory.main.u(a INTEGER)"));
}

TEST(SqlText, DoublesQuotes) {
  EXPECT_EQ(quote_name("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(quote_text("it's"), "'it''s'");
  EXPECT_EQ(quote_text(""), "''");
}

}  // namespace
}  // namespace tacit::duckdb_engine
