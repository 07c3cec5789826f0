#include "sql/parse/privacy_syntax.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

struct Taken {
  std::string sql;
  PrivacySyntax syntax;
};

Result<Taken> take(const std::string& sql) {
  const TextPositions positions(sql);
  TACIT_TRY(const auto tokens, scan_tokens(sql, positions));
  Taken taken{sql, {}};
  TACIT_TRY(taken.syntax, take_privacy_syntax(taken.sql, tokens, positions));
  return taken;
}

TEST(PrivacySyntax, BlanksTheClauseAndKeepsPositions) {
  const auto taken = take("SELECT WITH ANONYMIZATION OPTIONS(epsilon = 1, delta=1e-5) COUNT(*) FROM t");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->sql, "SELECT                                                     COUNT(*) FROM t");
  ASSERT_EQ(taken->syntax.options.size(), 2U);
  EXPECT_EQ(taken->syntax.options[0].name, "epsilon");
  EXPECT_EQ(taken->syntax.options[0].value, "1");
  EXPECT_TRUE(taken->syntax.options[0].is_number);
  EXPECT_EQ(taken->syntax.options[0].position, 35);
  EXPECT_EQ(taken->syntax.options[1].value, "1e-5");
}

TEST(PrivacySyntax, ReadsEveryKindOfValue) {
  const auto taken =
      take("select with differential_privacy options(a = -1, b = 'x', c = (1, f(2)), d = NaN, E = + 2) 1");
  ASSERT_TRUE(taken);
  const auto& options = taken->syntax.options;
  ASSERT_EQ(options.size(), 5U);
  EXPECT_EQ(options[0].value, "-1");
  EXPECT_TRUE(options[0].is_number);
  EXPECT_EQ(options[1].value, "'x'");
  EXPECT_FALSE(options[1].is_number);
  EXPECT_EQ(options[2].value, "(1,f(2))");
  EXPECT_FALSE(options[3].is_number);
  EXPECT_EQ(options[4].name, "e");
  EXPECT_EQ(options[4].value, "+2");
}

TEST(PrivacySyntax, TurnsClampsIntoArguments) {
  const auto taken =
      take("SELECT ANON_SUM(x CLAMPED BETWEEN -1 AND (2)), anon_avg(case when a then b end clamped between 0 and 1)");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->sql,
            "SELECT ANON_SUM(x ,               -1 ,   (2)), anon_avg(case when a then b end ,               0 ,   1)");
  EXPECT_TRUE(taken->syntax.star_calls.empty());
}

TEST(PrivacySyntax, TakesTheStarOut) {
  const auto taken =
      take("SELECT COUNT(*, contribution_bounds_per_group => (0, 5)), ANON_COUNT(* CLAMPED BETWEEN 0 AND 5)");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->sql,
            "SELECT COUNT(   contribution_bounds_per_group => (0, 5)), ANON_COUNT(                  0 ,   5)");
  EXPECT_EQ(taken->syntax.star_calls, (std::set<int>{7, 58}));
}

TEST(PrivacySyntax, LeavesOtherTextAlone) {
  for (const std::string sql : {
           "SELECT COUNT(*) FROM t WHERE clamped BETWEEN 1 AND 2",
           "SELECT ANON_SUM(clamped) FROM t",
           "SELECT ANON_COUNT(a AND clamped BETWEEN 1 AND 2) FROM t",
           "SELECT 'SELECT WITH ANONYMIZATION OPTIONS(epsilon = 1)' FROM t",
           "SELECT \"WITH\" FROM t",
           "WITH a AS (SELECT 1) SELECT a * 2 FROM a",
           "SELECT 2 * (3 * 4)",
       }) {
    const auto taken = take(sql);
    ASSERT_TRUE(taken) << sql;
    EXPECT_EQ(taken->sql, sql);
    EXPECT_TRUE(taken->syntax.options.empty());
    EXPECT_TRUE(taken->syntax.star_calls.empty());
  }
}

TEST(PrivacySyntax, RefusesHalfForms) {
  const auto refused = [](const std::string& sql) {
    const auto taken = take(sql);
    return taken ? std::string() : taken.error().what;
  };
  EXPECT_NE(refused("SELECT WITH x COUNT(*) FROM t").find("SELECT WITH is followed by"), std::string::npos);
  EXPECT_NE(refused("SELECT WITH").find("SELECT WITH is followed by"), std::string::npos);
  EXPECT_NE(refused("SELECT WITH ANONYMIZATION OPTIONS(epsilon) 1").find("name = value"), std::string::npos);
  EXPECT_NE(refused("SELECT WITH ANONYMIZATION OPTIONS(epsilon = 1").find("not closed"), std::string::npos);
  EXPECT_NE(refused("SELECT WITH ANONYMIZATION OPTIONS(").find("name = value"), std::string::npos);
  EXPECT_NE(refused("SELECT WITH ANONYMIZATION OPTIONS(epsilon = ) 1").find("no value"), std::string::npos);
  EXPECT_NE(refused("SELECT WITH ANONYMIZATION OPTIONS(\"epsilon\" = 1) 1").find("name = value"), std::string::npos);
  EXPECT_NE(refused("SELECT a FROM (SELECT WITH ANONYMIZATION b FROM t) s").find("outermost"), std::string::npos);
  EXPECT_NE(refused("SELECT WITH ANONYMIZATION 1 UNION SELECT WITH ANONYMIZATION 2").find("outermost"),
            std::string::npos);
  EXPECT_NE(refused("SELECT ANON_SUM(x CLAMPED BETWEEN 1) FROM t").find("two bounds"), std::string::npos);
  EXPECT_NE(refused("SELECT ANON_SUM(x CLAMPED BETWEEN").find("two bounds"), std::string::npos);
}

}  // namespace
}  // namespace tacit
