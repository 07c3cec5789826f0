#include "sql/dialects/dialects.hpp"
#include "sql/functions/domain.hpp"
#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using Texts = ExpressionFixture;

TEST_F(Texts, SubstringCountsCharactersFromOne) {
  EXPECT_EQ(sql(call("substring", {s, number("1"), number("2")})), "SUBSTRING(CAST(s AS VARCHAR), 1, 2)");
  EXPECT_EQ(sql(call("substr", {s, number("3")}), postgres_dialect()), "SUBSTRING(CAST(s AS TEXT), 3)");
  EXPECT_EQ(sql(call("left", {s, number("2")})), "SUBSTRING(CAST(s AS VARCHAR), 1, 2)");
  EXPECT_EQ(sql(call("substring", {text("it's"), number("1"), number("0")})), "SUBSTRING('it''s', 1, 0)");
}

TEST_F(Texts, SubstringTakesLiteralPlaces) {
  const std::string numbers = "takes literal whole numbers: the first character, from 1 to 1000000000, and how many";
  for (const auto& args : std::vector<std::vector<ExprPtr>>{{s, number("0"), number("2")},
                                                            {s, call("negate", {number("1")}), number("2")},
                                                            {s, number("1"), call("negate", {number("1")})},
                                                            {s, number("1"), number("1000000001")},
                                                            {s, number("1.0"), number("2")},
                                                            {s, i32},
                                                            {s, number("1"), i32},
                                                            {s, text("a.c")},
                                                            {s, null_literal(1)}}) {
    EXPECT_NE(refusal("substring", args).find(numbers), std::string::npos) << refusal("substring", args);
  }
  EXPECT_NE(refusal("left", {s, call("negate", {number("1")})}).find("`left` " + numbers), std::string::npos);
  EXPECT_NE(refusal("substring", {i32, number("1")}).find("`substring` cannot take integer"), std::string::npos);
  EXPECT_NE(refusal("substring", {s}), "accepted");
  EXPECT_NE(refusal("lower", {i32}).find("`lower` cannot take integer"), std::string::npos);
}

TEST_F(Texts, PartsOfListedTextsAreListed) {
  const auto listed = [](std::vector<Value> values) {
    Column column{"c", SqlType::text(), true, {}, {}, std::move(values), "t.c"};
    return make_column(std::make_shared<const Column>(std::move(column)), 1);
  };
  const auto domain = [&](const ExprPtr& e) { return finite_domain(*e, 10).value_or(std::vector<Value>{false}); };
  using Values = std::vector<Value>;
  const ExprPtr towns = listed({"Århus", "Ålborg", "Oslo", "", "Å"});
  EXPECT_EQ(domain(call("left", {towns, number("1")})), (Values{"", "O", "Å"}));
  EXPECT_EQ(domain(call("substring", {towns, number("2"), number("2")})), (Values{"", "lb", "rh", "sl"}));
  EXPECT_EQ(domain(call("substring", {towns, number("5")})), (Values{"", "rg", "s"}));
  EXPECT_FALSE(finite_domain(*call("left", {s, number("1")}), 10));
}

}  // namespace
}  // namespace tacit
