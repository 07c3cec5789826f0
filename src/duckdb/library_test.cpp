#include "duckdb/library.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(DuckdbLibraryTest, ReadsVersions) {
  const auto version = parse_duckdb_version("v1.4.4");
  ASSERT_TRUE(version);
  EXPECT_EQ(version->major, 1);
  EXPECT_EQ(version->minor, 4);
  EXPECT_EQ(parse_duckdb_version("v12.30.0-dev17")->minor, 30);
  EXPECT_EQ(parse_duckdb_version("2.0.0")->major, 2);
  for (const char* text : {"", "v", "v1", "vx.1", "v1.x", "3d1c2ab"}) EXPECT_FALSE(parse_duckdb_version(text)) << text;
}

// The order matters: a process keeps the first library it has loaded.
TEST(DuckdbLibraryTest, RefusesWhatIsNotDuckdbThenKeepsOne) {
  const auto absent = load_duckdb("/nowhere/libduckdb.so", "shop.toml:2 (library under [engine])");
  ASSERT_FALSE(absent);
  EXPECT_EQ(to_line(absent.error()),
            "error: shop.toml:2 (library under [engine]) names a file that is not there ; /nowhere/libduckdb.so ; name "
            "libduckdb.so, or the native library of DuckDB's JDBC driver");
  const auto text = load_duckdb(TACIT_SOURCE_DIR "/README.md", "the policy");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().what, "the policy names a file that is not a library for this machine");

  const auto library = load_duckdb();
  ASSERT_TRUE(library) << to_line(library.error());
  EXPECT_TRUE(library->is_tested) << library->version;
  EXPECT_TRUE(load_duckdb(library->path));
  const auto other = load_duckdb(TACIT_SOURCE_DIR "/README.md", "the policy");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().what.find("is loaded already"), std::string::npos);
}

}  // namespace
}  // namespace tacit
