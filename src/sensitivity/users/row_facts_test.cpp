#include "sensitivity/users/row_facts.hpp"

#include <gtest/gtest.h>

#include "sql/coerce.hpp"

namespace tacit::testing {
namespace {

ColumnPtr column(std::string name, SqlType type = SqlType::integer(64)) {
  Column made;
  made.name = std::move(name);
  made.type = type;
  made.proved = type_range(type);
  return std::make_shared<const Column>(std::move(made));
}

ExprPtr call(std::string_view rule, std::vector<ExprPtr> args) {
  auto bound = bind_call(rule, std::move(args), 0);
  EXPECT_TRUE(bound.has_value()) << (bound ? "" : to_line(bound.error()));
  return bound ? *bound : nullptr;
}

ExprPtr equals(const ColumnPtr& a, const ColumnPtr& b) { return call("=", {make_column(a, 0), make_column(b, 0)}); }

const ColumnPtr a = column("a");
const ColumnPtr b = column("b");
const ColumnPtr c = column("c");
const ColumnPtr d = column("d");

TEST(RowFacts, OnlyTopLevelEqualitiesOfColumnsCount) {
  RowFacts facts;
  facts.add_equalities(call("and", {equals(a, b), call("or", {equals(b, c), equals(c, d)})}));
  const EqualTerms equal(facts);
  EXPECT_TRUE(equal.same(a.get(), b.get()));
  EXPECT_FALSE(equal.same(b.get(), c.get()));
  EXPECT_FALSE(equal.same(c.get(), d.get()));
}

TEST(RowFacts, NumbersThatAreComparedAfterAConversionAreNotTheSame) {
  const ColumnPtr real = column("real", SqlType::real());
  RowFacts facts;
  facts.add_equalities(call("and", {equals(a, real), equals(real, b)}));
  EXPECT_FALSE(EqualTerms(facts).same(a.get(), b.get()));
}

TEST(RowFacts, AFunctionOfEqualArgumentsHasEqualValues) {
  const TablePolicy table;
  RowFacts facts;
  facts.functions.push_back({&table, {"k"}, {a.get()}, c.get(), nullptr});
  facts.functions.push_back({&table, {"k"}, {b.get()}, d.get(), nullptr});
  EXPECT_FALSE(EqualTerms(facts).same(c.get(), d.get()));
  facts.add_equalities(equals(a, b));
  EXPECT_TRUE(EqualTerms(facts).same(c.get(), d.get()));
  facts.functions.back().key = {"other"};
  EXPECT_FALSE(EqualTerms(facts).same(c.get(), d.get()));
}

TEST(RowFacts, AKeyDeterminesItsRowWhereItIsNotNull) {
  RowFacts facts;
  facts.sources.push_back({{a.get(), b.get()}, nullptr, {{{a.get()}}}});
  EXPECT_FALSE(DeterminedTerms(facts, {a.get()}, {}).contains(b.get()));
  EXPECT_TRUE(DeterminedTerms(facts, {a.get()}, {a.get()}).contains(b.get()));
  EXPECT_FALSE(DeterminedTerms(facts, {b.get()}, {a.get(), b.get()}).contains(a.get()));
  facts.sources.front().keys.front().nulls_repeat = false;
  EXPECT_TRUE(DeterminedTerms(facts, {a.get()}, {}).contains(b.get()));
}

TEST(RowFacts, APartOfAKeyDeterminesNothing) {
  const TablePolicy table;
  RowFacts facts;
  facts.sources.push_back({{a.get(), b.get(), c.get()}, nullptr, {{{a.get(), b.get()}}}});
  EXPECT_FALSE(DeterminedTerms(facts, {a.get()}, {a.get(), b.get()}).contains(c.get()));
  EXPECT_TRUE(DeterminedTerms(facts, {a.get(), b.get()}, {a.get(), b.get()}).contains(c.get()));
  facts.sources.clear();
  facts.functions.push_back({&table, {"k", "l"}, {a.get(), b.get()}, d.get(), nullptr});
  EXPECT_FALSE(DeterminedTerms(facts, {a.get()}, {a.get(), b.get()}).contains(d.get()));
  EXPECT_TRUE(DeterminedTerms(facts, {a.get(), b.get()}, {a.get(), b.get()}).contains(d.get()));
  facts.functions.push_back({&table, {"k", "l"}, {a.get(), c.get()}, c.get(), nullptr});
  EXPECT_FALSE(EqualTerms(facts).same(c.get(), d.get()));
}

TEST(RowFacts, EveryPartnerMustBeDetermined) {
  RowFacts facts;
  facts.sources.push_back({{a.get(), b.get()}, nullptr, {{{a.get()}}}});
  EXPECT_TRUE(determines_row(facts, {a.get()}, {a.get()}));
  RowFacts partner;
  partner.sources.push_back({{c.get(), d.get()}, nullptr, {{{c.get()}}}});
  facts.optional.push_back(partner);
  EXPECT_FALSE(determines_row(facts, {a.get()}, {a.get()}));
  facts.optional.front().add_equalities(equals(b, c));
  EXPECT_TRUE(determines_row(facts, {a.get()}, {a.get()}));
  // What holds for partners alone says nothing about the row.
  EXPECT_FALSE(determines_row(facts, {d.get()}, {d.get()}));
}

}  // namespace
}  // namespace tacit::testing
