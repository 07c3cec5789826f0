// Engines' libraries are loaded at run time. DuckDB: from the policy's library, the environment's, or the one Tacit was
// built with.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/world.hpp"
#include "duckdb/library.hpp"

namespace tacit::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* count_sql = "SELECT count(*) AS n FROM visit";

std::string with_library(const World& world, const std::string& file) {
  return world.changed_policy("library.toml", "[engine]\n", "[engine]\nlibrary = \"" + file + "\"\n");
}

Finished count(const std::string& policy) { return tacit({"query", "-p", policy, "--analyst", "ana", count_sql}); }

// The one that scripts/setup.sh or scripts/test-versions.sh fetched; empty: they did not.
std::string fetched(const std::string& version) {
  const fs::path library = fs::path(TACIT_SOURCE_DIR) / "build/deps" / ("duckdb-" + version) / "lib/libduckdb.so";
  return fs::exists(library) ? library.string() : "";
}

void expect_refused(const Finished& finished, const std::string& sentence) {
  EXPECT_EQ(finished.exit_code, 5) << finished.out;
  EXPECT_NE(finished.err.find(sentence), std::string::npos) << finished.err;
}

TEST(DuckdbLibrary, IsShown) {
  EXPECT_NE(tacit({"--version"}).out.find("\nDuckDB "), std::string::npos);
  const World world;
  const Finished checked = tacit({"policy", "check", world.policy()});
  EXPECT_NE(checked.out.find("; DuckDB " + load_duckdb()->version), std::string::npos) << checked.out << checked.err;
}

TEST(DuckdbLibrary, IsTakenFromThePolicysFolder) {
  const World world;
  fs::create_symlink(load_duckdb()->path, world.path("own.so"));
  const std::string policy = with_library(world, "own.so");
  const Finished answer = count(policy);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const Finished checked = tacit({"policy", "check", policy});
  EXPECT_NE(checked.out.find(" from " + world.path("own.so")), std::string::npos) << checked.out << checked.err;
}

TEST(DuckdbLibrary, RefusesWhatIsNone) {
  const World world;
  expect_refused(count(with_library(world, "absent.so")), "(library under [engine]) names a file that is not there");
  expect_refused(count(with_library(world, "policy.toml")), "names a file that is not a library for this machine");
  expect_refused(count(with_library(world, TACIT_OTHER_LIBRARY)), "names a library that is not DuckDB");
  const std::string postgres =
      world.changed_policy("postgres.toml", "duckdb:visits.duckdb\"", "postgresql://nowhere/x\"\nlibrary = \"own.so\"");
  EXPECT_EQ(count(postgres).exit_code, 2);
}

// libpq is loaded at run time too, and only for a server. The loader takes an empty file for a library that is broken.
TEST(PostgresLibrary, IsNeededForAServerAlone) {
  const World world;
  world.write("libpq.so.5", "");
  const std::string server = world.changed_policy("server.toml", "duckdb:visits.duckdb", "postgresql://nowhere/x");
  setenv("LD_LIBRARY_PATH", fs::path(world.policy()).parent_path().c_str(), 1);
  const Finished embedded = count(world.policy());
  const Finished refused = count(server);
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(embedded.exit_code, 0) << embedded.err;
  expect_refused(refused, "PostgreSQL's client library cannot be loaded");
}

TEST(DuckdbLibrary, AnotherVersionAnswersToo) {
  int versions = 0;
  for (const char* version : {"1.4", "1.5", "2.0"}) {
    const std::string library = fetched(version);
    if (library.empty()) continue;
    ++versions;
    // The file is one of the DuckDB that this test runs on. Files of 1.5 are as 1.4 writes them.
    const World world;
    const std::string policy = with_library(world, library);
    const Finished answer = count(policy);
    const std::string own = load_duckdb()->version;
    if (own < "2" || std::string(version) >= "2") {
      EXPECT_EQ(answer.exit_code, 0) << version << ": " << answer.err;
    } else {
      expect_refused(answer, "the database was written by a DuckDB whose format this one does not read");
      EXPECT_NE(answer.err.find("`library` under [engine]"), std::string::npos) << answer.err;
    }
  }
  EXPECT_GT(versions, 0) << "there is no other version: run scripts/setup.sh test";
}

}  // namespace
}  // namespace tacit::cli
