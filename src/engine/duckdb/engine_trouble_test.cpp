#include "engine/duckdb/engine_trouble.hpp"

#include <gtest/gtest.h>

#include "base/check.hpp"

namespace tacit::duckdb_engine {
namespace {

TEST(EngineTrouble, IsToldFromTheBeginningOfTheMessage) {
  EXPECT_EQ(classify("INTERRUPT Error: Interrupted!"), Trouble::interrupted);
  EXPECT_EQ(classify("Out of Memory Error: failed to allocate data of size 16.0 MiB"), Trouble::out_of_memory);
  EXPECT_EQ(classify("Out of Memory Error: failed to offload data block of size 128.0 KiB"), Trouble::disk_full);
  EXPECT_EQ(classify("IO Error: Could not write file \"x\": No space left on device"), Trouble::disk_full);
  EXPECT_EQ(classify("IO Error: Could not set lock on file \"x\": Conflicting lock is held"), Trouble::locked);
  EXPECT_EQ(
      classify("IO Error: Trying to read a database file with version number 99, but we can only read version 64"),
      Trouble::other_version);
  EXPECT_EQ(classify("IO Error: Corrupt database file"), Trouble::unreadable);
  EXPECT_EQ(classify("Conversion Error: could not convert 'IO Error' to INTEGER"), Trouble::other);
  EXPECT_EQ(classify("Conversion Error: could not convert 'INTERRUPT Error' to INTEGER"), Trouble::other);
  EXPECT_EQ(classify(""), Trouble::other);
}

TEST(EngineTrouble, IsNotToldFromThePath) {
  const std::string path = "/data/newer version/Could not set lock/x.duckdb";
  EXPECT_EQ(classify("IO Error: Corrupt database file \"" + path + "\"", path), Trouble::unreadable);
}

TEST(EngineTrouble, HasASentenceForEach) {
  for (const Trouble trouble :
       {Trouble::out_of_memory, Trouble::disk_full, Trouble::locked, Trouble::other_version, Trouble::unreadable,
        Trouble::no_such_name, Trouble::access_forbidden, Trouble::other}) {
    EXPECT_FALSE(statement_failure(trouble).what.empty());
    EXPECT_EQ(statement_failure(trouble).code, FailureCode::engine);
    EXPECT_EQ(open_failure(trouble, "a/file").where, "a/file");
    EXPECT_FALSE(open_failure(trouble, "a/file").hint.empty());
  }
  EXPECT_THROW((void)statement_failure(Trouble::interrupted), InvariantBroken);
}

}  // namespace
}  // namespace tacit::duckdb_engine
