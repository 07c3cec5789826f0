#include "sql/parse.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "sql/parse/check_text.hpp"
#include "sql/parse/large_stack.hpp"
#include "sql/parse/parse_tree.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using tacit::testing::cpu_seconds;
using tacit::testing::time_limit;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

struct Hostile {
  const char* name;
  std::function<std::string()> text;
  const char* message;
};

class HostileText : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileText, IsRefusedQuickly) {
  const std::string sql = GetParam().text();
  const double started = cpu_seconds();
  const auto tree = parse_sql(sql);
  const double elapsed = cpu_seconds() - started;
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, FailureCode::refused);
  EXPECT_NE(tree.error().what.find(GetParam().message), std::string::npos) << tree.error().what;
  EXPECT_LT(tree.error().what.size(), 300U);
  EXPECT_LT(elapsed, time_limit(0.1));
}

const std::vector<Hostile> hostile_texts{
    {"TenMegabytes", [] { return std::string(10'000'000, 'x'); }, "bytes long"},
    {"TenMegabytesOfParentheses", [] { return "SELECT " + std::string(10'000'000, '('); }, "bytes long"},
    {"HundredThousandParentheses", [] { return "SELECT " + repeated("(", 100'000); }, "bytes long"},
    {"ManyParentheses", [] { return "SELECT " + repeated("(", 50'000) + "1"; }, "more than 10000 tokens"},
    {"DeepParentheses", [] { return "SELECT " + repeated("(", 4'000) + "1" + repeated(")", 4'000); },
     "nested too deeply"},
    {"DeepBrackets", [] { return "SELECT a" + repeated("[", 2'000) + "1" + repeated("]", 2'000); },
     "nested too deeply"},
    {"ManyNots", [] { return "SELECT " + repeated("NOT ", 5'000) + "true"; }, "nested too deeply"},
    {"ManySums", [] { return "SELECT " + repeated("1+", 4'900) + "1"; }, "nested too deeply"},
    {"TooManySums", [] { return "SELECT " + repeated("1+", 5'000) + "1"; }, "more than 10000 tokens"},
    {"ManyMinuses", [] { return "SELECT " + repeated("- ", 9'000) + "x"; }, "nested too deeply"},
    {"ManyCasts", [] { return "SELECT x" + repeated("::int", 4'900); }, "nested too deeply"},
    {"NestedSelects", [] { return repeated("SELECT * FROM (", 2'000) + "SELECT 1" + repeated(") t", 2'000); },
     "more than 10000 tokens"},
    {"FewerNestedSelects", [] { return repeated("SELECT * FROM (", 1'400) + "SELECT 1" + repeated(") t", 1'400); },
     "nested too deeply"},
    {"NestedCases", [] { return "SELECT " + repeated("CASE WHEN a THEN ", 1'900) + "1" + repeated(" END", 1'900); },
     "nested too deeply"},
    {"ManyJoins", [] { return "SELECT 1 FROM a" + repeated(" CROSS JOIN a", 3'000); }, "nested too deeply"},
    {"ManyUnions", [] { return "SELECT 1" + repeated(" UNION SELECT 1", 2'500); }, "nested too deeply"},
    {"OpenComments", [] { return "SELECT 1 " + repeated("/* ", 20'000); }, "unterminated"},
    {"OpenCommentsInARow", [] { return "SELECT 1 " + repeated("/*", 20'000); }, "operator signs in a row"},
    {"ShorterRuns", [] { return "SELECT 1 " + repeated(repeated("/*", 10) + " ", 2'000); }, "unterminated"},
    {"OperatorRuns", [] { return "SELECT 1 " + repeated(std::string(15, '+') + " ", 4'000); },
     "more than 10000 tokens"},
    {"Operators", [] { return "SELECT 1 " + std::string(60'000, '+'); }, "operator signs in a row"},
    {"IsNullChain", [] { return "SELECT x" + repeated(" IS NULL", 3'000); }, "nested too deeply"},
    {"TimeZoneChain", [] { return "SELECT x" + repeated(" AT TIME ZONE y", 2'000); }, "nested too deeply"},
    {"FieldChain", [] { return "SELECT (x)" + repeated(".y", 4'900) + " z z"; }, "syntax error"},
    {"DollarQuotes", [] { return "SELECT $a$" + repeated("$b$ ", 15'000); }, "unterminated"},
    {"OpenString", [] { return "SELECT '" + std::string(60'000, 'a'); }, "unterminated"},
    {"LongName", [] { return "SELECT " + std::string(60'000, 'a') + " b c"; }, "syntax error"},
    {"Nul", [] { return std::string("SELECT 1\0 FROM t", 16); }, "NUL"},
    {"OnlyNul", [] { return std::string(1, '\0'); }, "NUL"},
    {"BadUtf8", [] { return std::string("SELECT '\xff\xfe'"); }, "UTF-8"},
    {"CutUtf8", [] { return std::string("SELECT '\xe2\x82"); }, "UTF-8"},
    {"OverlongUtf8", [] { return std::string("SELECT '\xc0\xaf'"); }, "UTF-8"},
    {"SurrogateUtf8", [] { return std::string("SELECT '\xed\xa0\x80'"); }, "UTF-8"},
    {"BeyondUnicode", [] { return std::string("SELECT '\xf4\x90\x80\x80'"); }, "UTF-8"},
    {"LoneContinuation", [] { return std::string("\x80"); }, "UTF-8"},
};
INSTANTIATE_TEST_SUITE_P(Parse, HostileText, ::testing::ValuesIn(hostile_texts),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Parse, RefusesWhatIsNotOneStatement) {
  const auto message = [](const char* sql) { return parse_sql(sql).error().what; };
  EXPECT_EQ(message(""), "the query is empty");
  EXPECT_EQ(message("  \n\t "), "the query is empty");
  EXPECT_EQ(message(";"), "the query is empty");
  EXPECT_EQ(message(" ; ;; "), "the query is empty");
  EXPECT_EQ(message("-- nothing\n/* here /* either */ */"), "the query has only comments");
  EXPECT_EQ(message("SELECT 1; SELECT 2"), "the text has 2 statements");
  EXPECT_EQ(parse_sql("SELECT 1; SELECT x").error().position, 18);
  EXPECT_TRUE(parse_sql("SELECT 1;"));
  EXPECT_TRUE(parse_sql("SELECT 1; -- done"));
}

TEST(Parse, PlacesSyntaxErrorsByCharacter) {
  const auto failure = parse_sql("SELECT 'é€𐍈' FROM t WHERE WHERE").error();
  EXPECT_EQ(failure.what, "syntax error at or near \"WHERE\"");
  EXPECT_EQ(failure.position, 27);
  EXPECT_FALSE(failure.hint.empty());
}

TEST(Parse, AsksForTheNameOfASubquery) {
  const auto failure = parse_sql("SELECT COUNT(*) FROM (SELECT a FROM t)").error();
  EXPECT_EQ(failure.what, "a subquery in FROM needs a name");
  EXPECT_EQ(failure.position, 22);
}

TEST(Parse, AcceptsWhatPeopleWrite) {
  EXPECT_TRUE(parse_sql("SELECT " + repeated("(", 50) + "1" + repeated(")", 50)));
  EXPECT_TRUE(parse_sql("SELECT " + repeated("1+", 100) + "1"));
  EXPECT_TRUE(parse_sql("/*" + std::string(500, '=') + "*/ SELECT 1 -- " + std::string(500, '-')));
  EXPECT_TRUE(parse_sql("SELECT 1 WHERE a IN (1" + repeated(", 2", 4'000) + ")"));
  EXPECT_TRUE(parse_sql("SELECT 1 WHERE a = 1" + repeated(" OR a = 2", 2'000)));
}

RC_GTEST_PROP(Parse, NeverCrashesOnBytes, (const std::string& bytes)) {
  const auto tree = parse_sql(bytes);
  RC_ASSERT(tree || !tree.error().what.empty());
}

RC_GTEST_PROP(Parse, NeverCrashesOnTokens, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "SELECT", "WITH", "DIFFERENTIAL_PRIVACY", "ANONYMIZATION", "OPTIONS", "(", ")", "epsilon", "=", "1", ",", "*",
      "CLAMPED", "BETWEEN", "AND", "ANON_SUM", "count", "FROM", "t", "CASE", "WHEN", "END", "=>", "'x'", ";", "-"));
  std::string sql;
  for (const auto& word : words) sql += word + " ";
  const auto tree = parse_sql(sql);
  RC_ASSERT(tree || tree.error().code == FailureCode::refused);
}

TEST(TextPositions, CountCharacters) {
  const std::string text = "aé€𐍈b";
  const TextPositions positions(text);
  EXPECT_EQ(positions.of_byte(0), 1);
  EXPECT_EQ(positions.of_byte(1), 2);
  EXPECT_EQ(positions.of_byte(2), 2);
  EXPECT_EQ(positions.of_byte(3), 3);
  EXPECT_EQ(positions.of_byte(6), 4);
  EXPECT_EQ(positions.of_byte(10), 5);
  EXPECT_EQ(positions.of_byte(11), 6);
  EXPECT_EQ(positions.of_byte(12), 0);
  EXPECT_EQ(positions.of_byte(-1), 0);
}

// Each level reads the page of the one above it, so that none can be optimized away.
int depth_by_recursion(int levels, const volatile char* above) {
  volatile char page[4096];
  page[0] = above == nullptr ? 0 : above[0];
  return levels == 0 ? page[0] : 1 + depth_by_recursion(levels - 1, page);
}

TEST(LargeStack, HasRoomAndPassesExceptionsOn) {
  int depth = 0;
  ASSERT_TRUE(run_on_large_stack([&] { depth = depth_by_recursion(20'000, nullptr); }));  // 80 MB
  EXPECT_EQ(depth, 20'000);
  EXPECT_THROW((void)run_on_large_stack([] { throw std::bad_alloc(); }), std::bad_alloc);
}

// libpg_query keeps one of the process's 1,024 keys for every thread that parses.
TEST(LargeStack, ManyQueriesLeaveKeysOfThreadsToOthers) {
  for (int i = 0; i < 1'500; ++i) ASSERT_TRUE(parse_sql("SELECT COUNT(*) FROM visit").has_value());
  pthread_key_t key{};
  ASSERT_EQ(pthread_key_create(&key, nullptr), 0);
  pthread_key_delete(key);
}

}  // namespace
}  // namespace tacit
