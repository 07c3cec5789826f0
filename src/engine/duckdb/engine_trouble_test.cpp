#include "engine/duckdb/engine_trouble.hpp"

#include <gtest/gtest.h>

#include "base/check.hpp"

namespace tacit::duckdb_engine {
namespace {

TEST(EngineTrouble, IsToldFromTheBeginningOfTheMessage) {
  EXPECT_EQ(classify("INTERRUPT Error: Interrupted!"), ErrorKind::interrupted);
  EXPECT_EQ(classify("Out of Memory Error: failed to allocate data of size 16.0 MiB"), ErrorKind::out_of_memory);
  EXPECT_EQ(classify("Out of Memory Error: failed to offload data block of size 128.0 KiB"), ErrorKind::disk_full);
  EXPECT_EQ(classify("IO Error: Could not write file \"x\": No space left on device"), ErrorKind::disk_full);
  EXPECT_EQ(classify("IO Error: Could not set lock on file \"x\": Conflicting lock is held"), ErrorKind::locked);
  EXPECT_EQ(
      classify("IO Error: Trying to read a database file with version number 99, but we can only read version 64"),
      ErrorKind::other_version);
  EXPECT_EQ(classify("IO Error: Corrupt database file"), ErrorKind::unreadable);
  EXPECT_EQ(classify("Conversion Error: could not convert 'IO Error' to INTEGER"), ErrorKind::other);
  EXPECT_EQ(classify("Conversion Error: could not convert 'INTERRUPT Error' to INTEGER"), ErrorKind::other);
  EXPECT_EQ(classify(""), ErrorKind::other);
}

TEST(EngineTrouble, IsNotToldFromThePath) {
  const std::string path = "/data/newer version/Could not set lock/x.duckdb";
  EXPECT_EQ(classify("IO Error: Corrupt database file \"" + path + "\"", path), ErrorKind::unreadable);
}

TEST(EngineTrouble, HasASentenceForEach) {
  for (const ErrorKind trouble :
       {ErrorKind::out_of_memory, ErrorKind::disk_full, ErrorKind::locked, ErrorKind::other_version,
        ErrorKind::unreadable, ErrorKind::no_such_name, ErrorKind::access_forbidden, ErrorKind::other}) {
    EXPECT_FALSE(statement_failure(trouble).what.empty());
    EXPECT_EQ(statement_failure(trouble).code, FailureCode::engine);
    EXPECT_EQ(open_failure(trouble, "a/file").where, "a/file");
    EXPECT_FALSE(open_failure(trouble, "a/file").hint.empty());
  }
  EXPECT_THROW((void)statement_failure(ErrorKind::interrupted), InvariantBroken);
}

}  // namespace
}  // namespace tacit::duckdb_engine
