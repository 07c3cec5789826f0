#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/check.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

TEST(Registry, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const FunctionRule* rule : function_rules()) EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
  EXPECT_GT(names.size(), 60U);
}

TEST(Registry, EveryRuleCanBeBoundOrIsAStepThatPrints) {
  for (const FunctionRule* rule : function_rules()) {
    EXPECT_TRUE(rule->bind != nullptr || rule->print != nullptr) << rule->name;
    EXPECT_TRUE(rule->bind != nullptr || rule->callable == Callable::internally) << rule->name;
    EXPECT_GE(rule->copies, 1) << rule->name;
    EXPECT_EQ(find_function(rule->name), rule);
  }
}

// One that is not here returns no text: make_call sees to it. tests/cost_test.cpp compares the bounds with the engines.
TEST(Registry, NoRuleMakesTextGrow) {
  std::map<std::string_view, TextLength> lengths;
  for (const FunctionRule* rule : function_rules()) {
    if (rule->text_length != TextLength::no_text) lengths[rule->name] = rule->text_length;
  }
  const std::map<std::string_view, TextLength> expected{
      {"case", TextLength::of_an_argument},      {"coalesce", TextLength::of_an_argument},
      {"least", TextLength::of_an_argument},     {"greatest", TextLength::of_an_argument},
      {"lower", TextLength::of_an_argument},     {"upper", TextLength::of_an_argument},
      {"substring", TextLength::of_an_argument}, {"to text", TextLength::of_a_spelling}};
  EXPECT_EQ(lengths, expected);
  EXPECT_THROW(make_call(*find_function("abs"), {null_literal(1)}, SqlType::text(), {}, 1), InvariantBroken);
}

TEST(Registry, NoArgumentsIsARefusalForEveryRule) {
  for (const FunctionRule* rule : function_rules()) {
    const auto bound = bind_call(rule->name, {}, 3);
    ASSERT_FALSE(bound.has_value()) << rule->name;
    EXPECT_EQ(bound.error().code, FailureCode::refused) << rule->name;
  }
}

TEST(Registry, AnalystsCannotCallStepsOrOperatorsByName) {
  EXPECT_FALSE(bind_function("clamp", {null_literal(1)}, 1).has_value());
  EXPECT_FALSE(bind_function("negate", {null_literal(1)}, 1).has_value());
  const auto misspelt = bind_function("greatst", {null_literal(1)}, 9);
  ASSERT_FALSE(misspelt.has_value());
  EXPECT_NE(misspelt.error().what.find("greatest"), std::string::npos);
  EXPECT_EQ(misspelt.error().position, 9);
}

}  // namespace
}  // namespace tacit
