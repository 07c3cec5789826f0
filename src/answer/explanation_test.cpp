#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/explanation_text.hpp"
#include "answer/print_answer.hpp"

namespace tacit {
namespace {

using Json = nlohmann::json;

Explanation sample() {
  Explanation e;
  e.model = "rows";
  e.epsilon = Epsilon(1.0);
  e.price = Epsilon(1.0);
  e.delta = Delta(0.0);
  e.remaining = {Epsilon(19.5), Delta(5e-7)};
  e.analyst = "ana";
  e.neighbours = "one row added to or removed from visit";
  e.sql_initial = "SELECT count(*) AS n\n  FROM visit";
  e.sql_engine = "SELECT CAST(count(*) AS HUGEINT) AS a1\nFROM main.visit AS t1\nWHERE t1.age > 10";
  e.errors = {{"n", "geometric", Epsilon(1.0), 1.0, 1.0, 0.6931, 3.0, false}};
  e.derivation = {"count", "1 per row", {{"scan", "every row once", {}}}};
  e.notes = {"one note"};
  return e;
}

TEST(PrintExplanation, ReadsInTheOrderOfQuestions) {
  EXPECT_EQ(print_explanation(sample(), Format::table), R"(What is protected
  rows model; neighbouring databases differ by one row added to or removed from visit.
  The chance of any answer differs between them by a factor of at most e^1 = 2.72.

Price (nothing is spent yet)
  epsilon 1, delta 0
  left to ana: epsilon 19.5, delta 5e-07

Expected error
  column  mechanism  epsilon  sensitivity  scale  median error  95% error
  ------  ---------  -------  -----------  -----  ------------  ---------
  n       geometric        1            1      1        0.6931          3

SQL as asked
  SELECT count(*) AS n
    FROM visit

SQL the engine runs
  SELECT CAST(count(*) AS HUGEINT) AS a1
  FROM main.visit AS t1
  WHERE t1.age > 10

Why this noise suffices
  count: 1 per row
    scan: every row once

Notes
  one note
)");
  EXPECT_EQ(print_explanation(sample(), Format::csv), print_explanation(sample(), Format::table));
}

TEST(PrintExplanation, SaysWhenTheBudgetIsTooSmall) {
  Explanation e = sample();
  e.remaining.epsilon = Epsilon(0.5);
  EXPECT_NE(print_explanation(e, Format::table).find("would be refused"), std::string::npos);
}

TEST(PrintExplanation, MarksErrorsOfTheParts) {
  Explanation e = sample();
  e.errors[0].of_the_parts = true;
  const std::string text = print_explanation(e, Format::table);
  EXPECT_NE(text.find("n *     geometric"), std::string::npos) << text;
  EXPECT_NE(text.find("* of each of the noisy sums"), std::string::npos) << text;
}

TEST(PrintExplanation, ShowsTheOwnerTheCostOfPrivacyAsARatio) {
  Explanation e = sample();
  NoisyColumn column;
  column.output.name = "n";
  column.output.type = SqlType::integer();
  OwnerAnalysis analysis;
  analysis.exact.columns.push_back(column);
  analysis.exact.rows.push_back({NoisyCell{Decimal{42, 0}, std::nullopt}});
  analysis.initial_ms = 2.0;
  analysis.engine_ms = 3.0;
  e.analyze = analysis;
  const std::string text = print_explanation(e, Format::table);
  EXPECT_NE(text.find("For the owner only: exact values, not private; nothing was spent\n"
                      "   n\n  --\n  42\n\n  time: with privacy 3.0 ms, as asked 2.0 ms, ratio 1.50\n"),
            std::string::npos)
      << text;
  const Json json = Json::parse(print_explanation(e, Format::json));
  EXPECT_EQ(json["analyze"], Json::parse(R"({"initial":42,"sensitivity":1.0,"error_median":0.6931,"error_p95":3.0,
                                             "ms":{"initial":2.0,"engine":3.0}})"));
}

TEST(PrintExplanation, JsonHasTheKeysOfTheDesign) {
  Explanation e = sample();
  e.alternatives = {{"laplace", 12.0, "larger error"}};
  const Json json = Json::parse(print_explanation(e, Format::json));
  EXPECT_EQ(json["model"], "rows");
  EXPECT_EQ(json["epsilon"], 1.0);
  EXPECT_EQ(json["delta"], 0.0);
  EXPECT_EQ(json["sql"]["initial"], e.sql_initial);
  EXPECT_EQ(json["sql"]["engine"], e.sql_engine);
  EXPECT_FALSE(json["sql"].contains("public"));
  EXPECT_EQ(json["mechanism"]["name"], "geometric");
  EXPECT_EQ(json["alternatives"],
            Json::parse(R"([{"name":"laplace","expected_error":12.0,"why_not":"larger error"}])"));
  EXPECT_EQ(json["sensitivity"], Json::parse(R"({"upper":1.0})"));
  EXPECT_EQ(json["derivation"], Json::parse(R"({"rule":"count","bound":"1 per row",
                                  "children":[{"rule":"scan","bound":"every row once","children":[]}]})"));
  EXPECT_FALSE(json.contains("analyze"));
}

TEST(PrintExplanation, JsonOfSeveralColumnsListsThemInsteadOfOneSensitivity) {
  Explanation e = sample();
  e.errors.push_back({"total", "laplace", Epsilon(0.5), 7.0, 14.0, 9.7, 41.9, false});
  const Json json = Json::parse(print_explanation(e, Format::json));
  EXPECT_EQ(json["mechanism"]["name"], "geometric, laplace");
  EXPECT_FALSE(json.contains("sensitivity"));
  EXPECT_EQ(json["columns"].size(), 2u);
  EXPECT_EQ(json["columns"][1]["error_p95"], 41.9);
}

TEST(PrintExplanation, SummaryStopsAtTheExpectedError) {
  const std::string text = print_explanation_summary(sample());
  EXPECT_NE(text.find("Expected error"), std::string::npos);
  EXPECT_EQ(text.find("SQL"), std::string::npos);
}

}  // namespace
}  // namespace tacit
