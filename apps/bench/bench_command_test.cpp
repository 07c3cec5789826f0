#include "bench/bench_command.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tacit {
namespace {

Result<std::string> run(std::vector<const char*> words) {
  words.insert(words.begin(), "tacit-bench");
  return run_bench_command(static_cast<int>(words.size()), words.data());
}

Failure failure_of(const std::vector<const char*>& words) {
  const auto text = run(words);
  EXPECT_FALSE(text);
  return text ? Failure{} : text.error();
}

TEST(BenchCommand, HelpNamesTheSuites) {
  const auto text = run({"--help"});
  ASSERT_TRUE(text);
  for (const char* suite : {"rows", "verify", "noise", "metric", "users"})
    EXPECT_NE(text->find(suite), std::string::npos) << suite;
  const auto of_users = run({"users", "--help"});
  ASSERT_TRUE(of_users);
  EXPECT_NE(of_users->find("--runs"), std::string::npos);
}

TEST(BenchCommand, WrongWordsAreUsageErrors) {
  const std::vector<std::vector<const char*>> wrong = {
      {},
      {"speed"},
      {"rows", "--scale", "0"},
      {"rows", "--scale", "big"},
      {"noise", "--repetitions", "4"},
      {"metric", "--sf", "1,-1"},
      {"metric", "--engine", "sqlite"},
      {"users", "--runs", "-100"},
      {"users", "--anchor", "folder"},
  };
  for (const auto& words : wrong) {
    const Failure failure = failure_of(words);
    EXPECT_EQ(failure.code, FailureCode::usage) << failure.what;
    EXPECT_FALSE(failure.hint.empty());
  }
  EXPECT_EQ(failure_of({}).what, "tacit-bench needs one of rows, verify, noise, metric and users");
}

}  // namespace
}  // namespace tacit
