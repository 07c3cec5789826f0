// Runs tests/rows, tests/metric and tests/users/*.test on every engine: one set of SQL files, one meaning. A file
// describes a small database and asks it questions, one `name: value` a line, continued on lines that start with
// blanks:
//   setup     a statement that both engines read
//   policy    tables of the policy
//   ask       a question; then one of
//   sensitivity  optional, after answer: of the metric model, in the same shape, to six digits
//   answer    what the owner sees without noise, a row a line, `|` between columns
//   among     the same where the keys are private: the analyst sees some of these groups
//   refused   a fragment of the message
// Each question is also asked as an analyst would, with its noise: the same groups come back, and the ledger pays.
// Lines that start with # are comments.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "answer_query.hpp"
#include "support/policy_head.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

struct Entry {
  int line = 0;
  std::string name;
  std::vector<std::string> lines;  // the value, then its continuations without their indent
};

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<Entry> read_entries(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Entry> entries;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == ' ') {
      entries.at(entries.size() - 1).lines.push_back(trim(line));
      continue;
    }
    const auto colon = line.find(':');
    EXPECT_NE(colon, std::string::npos) << path << ":" << number;
    Entry& entry = entries.emplace_back(Entry{number, line.substr(0, colon), {}});
    const std::string value = trim(line.substr(colon + 1));
    if (!value.empty()) entry.lines.push_back(value);
  }
  return entries;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

const std::string budget = budget_section({.epsilon = 100000, .delta = 0.01, .defaults = "epsilon_max = 1000"});
constexpr Delta private_keys_delta{1e-6};

std::vector<std::string> rows_of(const NoisyRows& answer) {
  std::vector<std::string> rows;
  for (const auto& row : answer.rows) {
    std::string text;
    for (const NoisyCell& cell : row) {
      const std::string value = std::holds_alternative<Null>(cell.value) ? "NULL" : to_string(cell.value);
      text += (&cell == row.data() ? "" : " | ") + value;
    }
    rows.push_back(text);
  }
  return rows;
}

class RowsSuite : public ::testing::TestWithParam<std::tuple<EngineKind, std::string>> {
 protected:
  void expect_answer(Connection& opened, const std::string& sql, const std::vector<std::string>& expected,
                     bool private_keys) {
    const Question question{sql, {}, Epsilon(1.0), private_keys ? std::optional(private_keys_delta) : std::nullopt};
    const auto explained = explain_query(opened, question, true);
    ASSERT_TRUE(explained.has_value()) << to_line(explained.error());
    EXPECT_EQ(joined(rows_of(explained->analyze->exact)), joined(expected)) << explained->sql_engine;
    const auto answered = answer_query(opened, question);
    ASSERT_TRUE(answered.has_value()) << to_line(answered.error());
    const Answer& answer = std::get<Answer>(*answered);
    // Sorting by a noisy value and LIMIT after it may keep other groups.
    if (private_keys) {
      EXPECT_LE(answer.rows.rows.size(), expected.size());
      EXPECT_EQ(answer.spent.delta, private_keys_delta);
    } else {
      EXPECT_EQ(answer.rows.rows.size(), expected.size());
    }
    // Rounding over doubles is paid for too.
    EXPECT_GE(answer.spent.epsilon.value(), 1.0 + answer.eta);
    EXPECT_LE(answer.spent.epsilon.value(), std::nextafter(1.0 + answer.eta, 2.0));
  }

  void expect_sensitivity(Connection& opened, const std::string& sql, const std::vector<std::string>& expected) {
    const auto explained = explain_query(opened, {sql, {}, Epsilon(1.0), {}}, true);
    ASSERT_TRUE(explained.has_value()) << to_line(explained.error());
    std::vector<std::string> rows;
    for (const auto& row : explained->analyze->bounds) {
      std::string text;
      for (const auto& bound : row) text += (text.empty() ? "" : " | ") + fmt::format("{:.6g}", bound.sensitivity);
      rows.push_back(text);
    }
    EXPECT_EQ(joined(rows), joined(expected)) << explained->sql_engine;
  }

  void expect_refused(Connection& opened, const std::string& sql, const std::string& fragment) {
    const auto answered = answer_query(opened, {sql, {}, Epsilon(1.0), {}});
    ASSERT_FALSE(answered.has_value());
    EXPECT_EQ(answered.error().code, FailureCode::refused);
    EXPECT_NE(to_line(answered.error()).find(fragment), std::string::npos) << to_line(answered.error());
  }
};

TEST_P(RowsSuite, AnswersAsWritten) {
  const auto& [kind, name] = GetParam();
  const std::filesystem::path path = std::filesystem::path(TACIT_SOURCE_DIR) / "tests" / (name + ".test");
  const std::vector<Entry> entries = read_entries(path);
  const TestDatabase database(kind);
  std::vector<std::string> setup;
  std::string policy = budget;
  for (const Entry& entry : entries) {
    if (entry.name == "setup") setup.push_back(joined(entry.lines));
    if (entry.name == "policy") policy += joined(entry.lines) + "\n";
  }
  database.run(setup);
  auto opened = open_policy(database.write_policy(policy));
  ASSERT_TRUE(opened.has_value()) << to_line(opened.error());

  int asked = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name != "ask") continue;
    const std::string sql = joined(entries[i].lines);
    SCOPED_TRACE(path.string() + ":" + std::to_string(entries[i].line) + " " + sql);
    ASSERT_LT(i + 1, entries.size()) << "a question without its answer";
    const Entry& expected = entries[i + 1];
    if (expected.name == "refused") {
      expect_refused(*opened, sql, joined(expected.lines));
    } else {
      ASSERT_TRUE(expected.name == "answer" || expected.name == "among") << expected.name;
      expect_answer(*opened, sql, expected.lines, expected.name == "among");
      if (i + 2 < entries.size() && entries[i + 2].name == "sensitivity") {
        expect_sensitivity(*opened, sql, entries[i + 2].lines);
      }
    }
    ++asked;
  }
  EXPECT_GT(asked, 0);
}

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const std::string folder : {"rows", "metric", "users"}) {
    for (const auto& entry : std::filesystem::directory_iterator(TACIT_SOURCE_DIR "/tests/" + folder)) {
      if (entry.path().extension() == ".test") names.push_back(folder + "/" + entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Files, RowsSuite,
                         ::testing::Combine(::testing::ValuesIn(every_engine), ::testing::ValuesIn(files())),
                         [](const auto& info) {
                           std::string name = name_of(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

}  // namespace
}  // namespace tacit::testing
