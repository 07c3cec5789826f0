// Which groups of a person count, and which of their values, is chosen evenly: over groups, independently between
// people, between questions and between the samplings of one statement. Seen through answers with hardly any noise.
// Every test fails by chance once in about 1e9 runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numeric>

#include "answer_query.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

constexpr int groups = 7;
constexpr const char* group_list = "(0, 1, 2, 3, 4, 5, 6)";

void expect_even(const std::vector<double>& counts, const std::string& what) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0.0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  const boost::math::chi_squared law(static_cast<double>(counts.size() - 1));
  EXPECT_LT(statistic, boost::math::quantile(boost::math::complement(law, 1e-9))) << what << ": " << total << " in all";
}

// 2,000 people, each with a visit in each of seven years, and with nine different things in each.
class Sampling : public ::testing::TestWithParam<EngineKind> {
 protected:
  void SetUp() override {
    database_ = std::make_unique<TestDatabase>(GetParam());
    database_->run(
        {"CREATE TABLE visit (person INTEGER, year INTEGER, thing INTEGER, place INTEGER, odd INTEGER)",
         "INSERT INTO visit SELECT p, y, x, x, p % 2 FROM generate_series(1, 2000) AS a(p), generate_series(0, 6) "
         "AS b(y), generate_series(0, 8) AS c(x)"});
    auto opened = open_policy(
        database_->write_policy(budget_section({.epsilon = 9e9, .delta = 0.5, .defaults = "epsilon_max = 1e9"}) + R"(
[users]
max_groups = 1
[tables.visit]
owner = "person"
)"));
    ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
    opened_.emplace(std::move(*opened));
  }

  // Rows of whole numbers.
  std::vector<std::vector<int>> ask(const std::string& sql) {
    const auto told = testing::required(answer_query(*opened_, {sql, {}, Epsilon(1e6), {}}), sql);
    std::vector<std::vector<int>> rows;
    for (const auto& row : std::get<Answer>(told).rows.rows) {
      auto& numbers = rows.emplace_back();
      for (const auto& cell : row) {
        const auto* decimal = std::get_if<Decimal>(&cell.value);
        numbers.push_back(decimal ? static_cast<int>(std::lround(to_double(*decimal))) : -1);
      }
    }
    return rows;
  }

  std::unique_ptr<TestDatabase> database_;
  std::optional<Connection> opened_;
};

INSTANTIATE_TEST_SUITE_P(Engines, Sampling, ::testing::ValuesIn(every_engine),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(Sampling, EveryGroupGetsItsShareOfThePeople) {
  std::vector<double> total(groups, 0.0);
  for (int question = 0; question < 10; ++question) {
    const auto rows = ask(fmt::format(
        "SELECT year, COUNT(DISTINCT person) FROM visit WHERE year IN {} GROUP BY year ORDER BY year", group_list));
    ASSERT_EQ(rows.size(), groups);
    std::vector<double> counts;
    for (const auto& row : rows) counts.push_back(row[1]);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0.0), 2000.0);
    expect_even(counts, "one question");
    for (std::size_t g = 0; g < groups; ++g) total[g] += counts[g];
  }
  expect_even(total, "ten questions");
}

// Of each person exactly one group counts: 14 cells show which.
TEST_P(Sampling, PeopleAndQuestionsAreIndependent) {
  std::vector<double> pairs(groups * groups, 0.0);      // of two people in one question
  std::vector<double> followers(groups * groups, 0.0);  // of one person in two questions
  int before = -1;
  for (int question = 0; question < 300; ++question) {
    const auto rows = ask(fmt::format(
        "SELECT odd, year, COUNT(DISTINCT person) FROM visit WHERE person IN (17, 18) AND odd IN (0, 1) AND year IN {} "
        "GROUP BY odd, year",
        group_list));
    int chosen[2] = {-1, -1};
    for (const auto& row : rows) {
      if (row[2] == 1) chosen[row[0]] = row[1];
    }
    ASSERT_TRUE(chosen[0] >= 0 && chosen[1] >= 0);
    ++pairs[static_cast<std::size_t>(chosen[0] * groups + chosen[1])];
    if (before >= 0) ++followers[static_cast<std::size_t>(before * groups + chosen[0])];
    before = chosen[0];
  }
  expect_even(pairs, "two people");
  expect_even(followers, "two questions");
}

// Two people keep one of three things each, and one of three places with the same numbers: there is one different
// thing in a third of the answers, and then one different place in a third of those.
TEST_P(Sampling, SamplingsOfOneStatementAreIndependent) {
  std::vector<double> seen(4, 0.0);
  constexpr int questions = 300;
  for (int question = 0; question < questions; ++question) {
    const auto rows =
        ask("SELECT COUNT(DISTINCT thing, contribution_bounds_per_group => (0, 1)), "
            "COUNT(DISTINCT place, contribution_bounds_per_group => (0, 1)) FROM visit "
            "WHERE person IN (17, 18) AND thing IN (0, 1, 2)");
    ASSERT_EQ(rows.size(), 1U);
    ++seen[static_cast<std::size_t>(2 * (rows[0][0] - 1) + rows[0][1] - 1)];
  }
  const double expected[] = {1.0 / 9, 2.0 / 9, 2.0 / 9, 4.0 / 9};
  double statistic = 0.0;
  for (std::size_t i = 0; i < 4; ++i)
    statistic += std::pow(seen[i] - expected[i] * questions, 2) / (expected[i] * questions);
  EXPECT_LT(statistic, 44.8) << seen[0] << " " << seen[1] << " " << seen[2] << " " << seen[3];  // 3 degrees: 1e-9
}

}  // namespace
}  // namespace tacit::testing
