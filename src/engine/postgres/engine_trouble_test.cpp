#include "engine/postgres/engine_trouble.hpp"

#include <gtest/gtest.h>

namespace tacit::postgres_engine {
namespace {

std::string what(const std::string& sqlstate, bool is_lost = false) {
  const Failure failure = statement_failure({.sqlstate = sqlstate, .is_lost = is_lost}, {});
  EXPECT_EQ(failure.code, FailureCode::engine);
  EXPECT_FALSE(failure.hint.empty());
  return failure.what;
}

TEST(PostgresTrouble, IsToldFromTheSqlstate) {
  EXPECT_EQ(what("40001"), "the server gave up the snapshot because the data was changed or cleaned up meanwhile");
  EXPECT_EQ(what("40P01"), "the server gave up the query in a deadlock");
  EXPECT_EQ(what("57014"), "the server's administrator stopped the query");
  EXPECT_EQ(what("57P01", true), "the server ended the connection");
  EXPECT_EQ(what("57P02", true), "the server crashed");
  EXPECT_EQ(what("25P03", true), "the server ended the connection because the question took too long");
  EXPECT_EQ(what("53100"), "the server ran out of disk space");
  EXPECT_EQ(what("53200"), "the server ran out of memory");
  EXPECT_EQ(what("53999"), "the server ran out of resources");
  EXPECT_EQ(what("55P03"), "a table the query reads is locked by somebody who changes it");
  EXPECT_EQ(what("22003"), "a number is out of its type's range in the server");
  EXPECT_EQ(what("22012"), "a division by zero happened in the server");
  EXPECT_EQ(what("22P02"), "a value does not fit an operation in the server");
  EXPECT_EQ(what("42P01"), "the server does not find a table that the query reads");
  EXPECT_EQ(what("42703"), "the server does not find a column that the query reads");
  EXPECT_EQ(what("42804"), "the server failed while running the query");
  EXPECT_EQ(what("", true), "the connection to the server was lost");
  EXPECT_EQ(what(""), "the server failed while running the query");
}

TEST(PostgresTrouble, NamesTheTablesOfTheQueryOnly) {
  EXPECT_EQ(statement_failure({.sqlstate = "42501"}, {}).what, "the role may not read what the query reads");
  EXPECT_EQ(statement_failure({.sqlstate = "42501"}, {{"s", "T"}}).what, "the role may not read table `s.\"T\"`");
  EXPECT_EQ(statement_failure({.sqlstate = "42501"}, {{"s", "t"}, {"s", "u"}}).what,
            "the role may not read one of the tables s.t, s.u");
}

}  // namespace
}  // namespace tacit::postgres_engine
