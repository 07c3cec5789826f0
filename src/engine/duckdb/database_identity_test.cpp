#include "engine/duckdb/database_identity.hpp"

#include "engine/engine_fixture.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

using DatabaseIdentityTest = EngineTest;

TEST_F(DatabaseIdentityTest, IsTheFilesPlaceBesideThePolicy) {
  EXPECT_EQ(database_identity(policy, "shop.duckdb"), "duckdb:shop.duckdb");
  EXPECT_EQ(database_identity(policy, "./data/../shop.duckdb"), "duckdb:shop.duckdb");
  EXPECT_EQ(database_identity(policy, at("data/shop.duckdb")), "duckdb:data/shop.duckdb");
  EXPECT_EQ(database_identity(policy, "../shop.duckdb"), "duckdb:../shop.duckdb");
  EXPECT_EQ(database_identity(policy, "/somewhere/else.duckdb"), "duckdb:/somewhere/else.duckdb");
}

TEST_F(DatabaseIdentityTest, StaysWhenTheFolderIsMoved) {
  fs::create_directory(folder / "first");
  prepare("first/shop.duckdb", {"CREATE TABLE t(a INTEGER)"});
  policy.directory = at("first");
  policy.engine.url = "duckdb:shop.duckdb";
  const std::string before = open()->identity();
  fs::rename(folder / "first", folder / "second");
  policy.directory = at("second");
  EXPECT_EQ(open()->identity(), before);
  fs::create_directory_symlink(folder / "second", folder / "link");
  policy.directory = at("link");
  EXPECT_EQ(open()->identity(), before);
}

TEST_F(DatabaseIdentityTest, AddingASourceKeepsAnInMemoryDatabasesLedger) {
  EXPECT_EQ(database_identity(policy, ""), "duckdb:");
  add_table("ward", "wards.csv");
  EXPECT_EQ(database_identity(policy, ""), "duckdb:");
}

TEST_F(DatabaseIdentityTest, WorksFromTheWorkingDirectory) {
  policy.directory = "";
  EXPECT_EQ(database_identity(policy, "shop.duckdb"), "duckdb:shop.duckdb");
}

}  // namespace
}  // namespace tacit
