#include "policy/read/limits.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Limits, Durations) {
  EXPECT_DOUBLE_EQ(*parse_duration("60s"), 60.0);
  EXPECT_DOUBLE_EQ(*parse_duration("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(*parse_duration("2m"), 120.0);
  EXPECT_DOUBLE_EQ(*parse_duration("1h"), 3600.0);
  EXPECT_DOUBLE_EQ(*parse_duration("1.5 s"), 1.5);
  for (const char* text :
       {"", "s", "60", "0s", "-1s", "1d", "1S", "1  s", "1s ", "1e3s", "169h", "0.1ms", "1.2.3s", ".s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Limits, Memory) {
  EXPECT_EQ(parse_memory("4GB"), 4'000'000'000u);
  EXPECT_EQ(parse_memory("512MB"), 512'000'000u);
  EXPECT_EQ(parse_memory("1GiB"), 1'073'741'824u);
  EXPECT_EQ(parse_memory("1.5 MiB"), 1'572'864u);
  EXPECT_EQ(parse_memory("1000KB"), 1'000'000u);
  for (const char* text : {"", "4", "4G", "4gb", "GB", "0GB", "-4GB", "999KB", "1001TB", "1e9GB", "nanGB"}) {
    EXPECT_FALSE(parse_memory(text)) << text;
  }
}

}  // namespace
}  // namespace tacit
