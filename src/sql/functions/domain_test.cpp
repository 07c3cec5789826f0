#include "sql/functions/domain.hpp"

#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

struct DomainTest : ExpressionFixture {
  static std::string values(const ExprPtr& e, std::size_t at_most = 1000) {
    const auto domain = finite_domain(*e, at_most);
    if (!domain) return "none";
    std::string text;
    for (const Value& value : *domain) text += (text.empty() ? "" : " ") + to_string(value);
    return text;
  }
  static ExprPtr kinds(std::vector<Value> domain, SqlType type = SqlType::text()) {
    Column c{"kind", type, true, type_range(type), {}, std::move(domain), "t.kind"};
    return make_column(std::make_shared<const Column>(std::move(c)), 1);
  }
};

TEST_F(DomainTest, DeclaredDomainsAreSorted) {
  EXPECT_EQ(values(kinds({std::string("ferry"), std::string("cargo"), std::string("Zoo"), std::string("cargo")})),
            "Zoo cargo ferry");
  EXPECT_EQ(values(kinds({std::string("a"), std::string("b")}), 1), "none");
}

TEST_F(DomainTest, BooleansLiteralsAndConditionals) {
  EXPECT_EQ(values(b), "false true");
  EXPECT_EQ(values(call("is null", {x})), "false true");
  EXPECT_EQ(values(number("7")), "7");
  const ExprPtr band = call("case", {call("<", {age, number("18")}), text("young"), text("old")});
  EXPECT_EQ(values(band), "old young");
  EXPECT_EQ(values(call("coalesce", {kinds({std::string("a")}), text("none")})), "a none");
  EXPECT_EQ(values(call("case", {b, s, text("x")})), "none");
  EXPECT_EQ(values(call("case", {b, number("0.5"), number("2")})), "0.5 2.0");
  EXPECT_EQ(values(call("case", {b, number("1"), null_literal(1)})), "1");
}

TEST_F(DomainTest, StatedRangesAreEnumerated) {
  const ExprPtr small = column("small", SqlType::integer(32), exact("-1"), exact("2"));
  EXPECT_EQ(values(small), "-1 0 1 2");
  EXPECT_NE(sql(key_operand(small)).find("CASE"), std::string::npos);
  EXPECT_EQ(values(age, 121).size(), values(age, 1000).size());
  EXPECT_EQ(values(age, 120), "none");
  EXPECT_EQ(values(i32), "none");
  EXPECT_EQ(values(call("/", {age, number("50")})), "0 1 2");
  EXPECT_EQ(values(call("extract", {text("quarter"), d})), "1 2 3 4");
  EXPECT_EQ(values(call("greatest", {call("least", {i64, number("2")}), number("0")})), "0 1 2");
  EXPECT_EQ(values(column("cents", SqlType::decimal(5, 2), exact("0.01"), exact("0.03"))), "0.01 0.02 0.03");
  EXPECT_EQ(values(x), "none");
  EXPECT_EQ(values(s), "none");
}

TEST_F(DomainTest, DatesAndTruncations) {
  const ExprPtr week =
      column("week", SqlType::date(), Value(*parse_date("2020-02-28")), Value(*parse_date("2020-03-01")));
  EXPECT_EQ(values(week), "2020-02-28 2020-02-29 2020-03-01");
  EXPECT_EQ(values(call("date_trunc", {text("month"), week})), "2020-02-01 00:00:00 2020-03-01 00:00:00");
  EXPECT_EQ(finite_domain(*call("date_trunc", {text("week"), year2020}), 100)->size(), 53U);
  EXPECT_EQ(values(call("date_trunc", {text("month"), d})), "none");
  EXPECT_EQ(values(call("date_trunc", {text("second"), year2020})), "none");
  EXPECT_EQ(values(ts), "none");
}

TEST_F(DomainTest, ADeclaredDomainIsReadAsStored) {
  const ExprPtr kind = kinds({Decimal{1, 0}, Decimal{5, 0}}, SqlType::integer(32));
  EXPECT_EQ(key_operand(kind), kind);
  EXPECT_EQ(values(kind), "1 5");
}

}  // namespace
}  // namespace tacit
