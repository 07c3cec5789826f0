#include "policy/engine_url.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(EngineUrl, FindsPasswordsHoweverTheyAreSpelt) {
  for (const char* url : {"postgresql://ana:hunter2@h/db", "postgresql://ana:hun/ter2@h/db", "postgres://:x@/db",
                          "postgres://h/db?user=a&pass%77ord=hunter2", "postgres://h/db?sslpassword=hunter2"}) {
    EXPECT_TRUE(has_password(url)) << url;
  }
  for (const char* url : {"postgresql://ana@h:5432/db", "postgresql:///db?host=/tmp&port=5432", "duckdb:a:b@c"}) {
    EXPECT_FALSE(has_password(url)) << url;
  }
}

TEST(EngineUrl, TakesPasswordsOutAndLeavesTheRest) {
  EXPECT_EQ(without_password("postgresql://ana:hunter2@h:5432/db"), "postgresql://ana@h:5432/db");
  EXPECT_EQ(without_password("postgresql://:hunter2@h/db"), "postgresql://h/db");
  EXPECT_EQ(without_password("postgres://h/db?user=a&pass%77ord=hunter2&sslmode=require"),
            "postgres://h/db?user=a&sslmode=require");
  EXPECT_EQ(without_password("postgres://a:b@h/db?password=x"), "postgres://a@h/db");
  EXPECT_EQ(without_password("postgresql://ana@h/db"), "postgresql://ana@h/db");
  EXPECT_EQ(without_password("duckdb:a.duckdb"), "duckdb:a.duckdb");
}

TEST(EngineUrl, KnowsThisMachine) {
  for (const char* url : {"postgresql:///db", "postgresql://ana@localhost/db", "postgresql://ana@127.0.0.1:5432/db",
                          "postgresql://[::1]:5432/db", "postgresql:///db?host=/run/postgresql", "duckdb:x"}) {
    EXPECT_FALSE(is_remote(url)) << url;
  }
  for (const char* url : {"postgresql://ana:x@db.example.org/db", "postgresql://10.0.0.7:5432", "postgresql://h",
                          "postgresql:///db?host=h", "postgresql://[fe80::1]:5432/db"}) {
    EXPECT_TRUE(is_remote(url)) << url;
  }
}

}  // namespace
}  // namespace tacit
