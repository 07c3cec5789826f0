#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "policy/policy.hpp"
#include "support/policy_head.hpp"

namespace tacit::bad_policy {

// Ways a policy can be wrong that need no engine, for the tests bad_*_test.cpp: each case names the line, the key and a
// part of the sentence.
struct BadPolicy {
  std::string text;
  int line;
  std::string key;   // in the message between backticks; empty for TOML syntax
  std::string what;  // part of the sentence, after the key
  std::string hint = "";
};

// Lines 1 to 6; what is added starts at line 7.
inline const std::string head = testing::policy_head({.epsilon = 10});
// Lines 7 and 8; what is added starts at line 9.
inline const std::string rows = "[tables.t]\nrows = \"add-remove\"\n";
inline const std::string metric = "[tables.t]\nprimary_key = [\"id\"]\n";
inline const std::string table = "[tables.t]\npublic = true\n";

inline std::string engine(const std::string& lines) {
  return "[engine]\n" + lines + "\n" + testing::budget_section({.epsilon = 10}) + table;
}
inline std::string budget(const std::string& lines) {
  return "[engine]\nurl = \"duckdb:\"\n" + table + lines;
}  // from line 5
inline std::string with(const std::string& lines) { return head + lines; }
inline std::string rows_with(const std::string& lines) { return head + rows + lines; }
inline std::string metric_with(const std::string& lines) { return head + metric + lines; }
inline std::string column(const std::string& facts) { return rows_with("columns.c = { " + facts + " }\n"); }

inline void expect_refused(const std::vector<BadPolicy>& cases) {
  for (const auto& bad : cases) {
    const auto policy = parse_policy(bad.text, "p.toml");
    if (policy) {
      ADD_FAILURE() << "accepted: " << bad.text;
      continue;
    }
    const Failure& failure = policy.error();
    const std::string context = bad.text + "\n-> " + to_line(failure);
    EXPECT_EQ(failure.code, FailureCode::usage) << context;
    EXPECT_EQ(failure.where.substr(0, failure.where.find(':', 7)), fmt::format("p.toml:{}", bad.line)) << context;
    const std::string beginning = bad.key.empty() ? "the policy is not valid TOML" : "`" + bad.key + "`: ";
    EXPECT_TRUE(failure.what.starts_with(beginning)) << context;
    EXPECT_NE(failure.what.find(bad.what), std::string::npos) << context;
    EXPECT_NE(failure.hint.find(bad.hint), std::string::npos) << context;
    EXPECT_FALSE(failure.hint.empty()) << context;
    EXPECT_LT(to_line(failure).size(), 700u) << context;
  }
}

}  // namespace tacit::bad_policy
