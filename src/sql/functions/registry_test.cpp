#include <gtest/gtest.h>

#include <set>

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
