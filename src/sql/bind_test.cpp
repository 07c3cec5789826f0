#include "sql/bind.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "sql/print_relation.hpp"
#include "sql/sample_tables.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using tacit::testing::cpu_seconds;
using tacit::testing::time_limit;

const Catalog& catalog() {
  static const Catalog catalog = sample::catalog();
  return catalog;
}
const Policy& policy() {
  static const Policy policy = sample::policy();
  return policy;
}

Result<TypedQuery> bind_text(const std::string& sql) {
  TACIT_TRY(const auto tree, parse_sql(sql));
  return bind_query(tree, catalog(), policy());
}

const Column& column(const TypedQuery& query, const std::string& name) {
  for (const auto& candidate : query.input->columns) {
    if (candidate->name == name) return *candidate;
  }
  throw std::out_of_range(name);
}

TEST(Bind, ScanColumnsCarryWhatTheOwnerSaid) {
  const auto query = bind_text("SELECT COUNT(*) FROM visit");
  ASSERT_TRUE(query);
  const auto& scan = std::get<Scan>(query->input->node);
  EXPECT_EQ(scan.table, &policy().tables[0]);
  EXPECT_EQ(scan.schema, "main");
  EXPECT_EQ(scan.enforced_keys, (std::vector<std::vector<std::string>>{{"id"}}));
  EXPECT_EQ(query->input->columns.size(), 14U);  // doc has no type

  const Column& age = column(*query, "age");
  EXPECT_TRUE(age.is_private);
  EXPECT_EQ(age.table_column, "visit.age");
  EXPECT_EQ(age.type, SqlType::integer(32));
  const auto& declared = std::get<ExactRange>(age.declared);
  EXPECT_TRUE(declared.stated());
  EXPECT_EQ(declared.lo.value, (Decimal{0, 0}));
  EXPECT_EQ(declared.hi.value, (Decimal{120, 0}));
  EXPECT_FALSE(std::get<ExactRange>(age.proved).stated());

  EXPECT_EQ(column(*query, "region").domain.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(column(*query, "patient").declared));
  const auto& one_sided = std::get<ExactRange>(column(*query, "code").declared);
  EXPECT_TRUE(one_sided.lo.stated);
  EXPECT_FALSE(one_sided.hi.stated);
  EXPECT_EQ(one_sided.hi.value, (Decimal{32767, 0}));
}

TEST(Bind, LabelsColumnsPublicAndPrivate) {
  const auto joined = bind_text("SELECT COUNT(*) FROM region, ship, clinic.doctor");
  ASSERT_TRUE(joined);
  EXPECT_FALSE(column(*joined, "population").is_private);
  EXPECT_FALSE(column(*joined, "flag").is_private);
  EXPECT_TRUE(column(*joined, "speed").is_private);
  EXPECT_TRUE(column(*joined, "salary").is_private);
  EXPECT_EQ(scans_of(*joined->input).size(), 3U);

  const auto computed =
      bind_text("SELECT SUM(a), SUM(b) FROM (SELECT population + 1 AS a, population + age AS b FROM visit, region) s");
  ASSERT_TRUE(computed) << to_line(computed.error());
  EXPECT_FALSE(column(*computed, "a").is_private);
  EXPECT_TRUE(column(*computed, "b").is_private);
}

TEST(Bind, SubqueryColumnsKeepFactsOnlyWhenBare) {
  const auto query = bind_text("SELECT COUNT(*) FROM (SELECT age AS a, age + 1 AS b, region AS r FROM visit) s");
  ASSERT_TRUE(query);
  const Column& bare = column(*query, "a");
  EXPECT_TRUE(std::get<ExactRange>(bare.declared).stated());
  EXPECT_EQ(bare.table_column, "visit.age");
  EXPECT_EQ(column(*query, "r").domain.size(), 4U);
  const Column& computed = column(*query, "b");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(computed.declared));
  EXPECT_TRUE(computed.table_column.empty());
  EXPECT_EQ(std::get<ExactRange>(computed.proved).hi.value, (Decimal{121, 0}));
}

TEST(Bind, TwoReferencesHaveTheirOwnColumns) {
  for (const std::string from : {"visit a, visit b", "s a, s b"}) {
    const auto query = bind_text("WITH s AS (SELECT age FROM visit) SELECT SUM(a.age), SUM(b.age) FROM " + from);
    ASSERT_TRUE(query) << to_line(query.error());
    ASSERT_EQ(query->aggregates.size(), 2U);
    EXPECT_NE(columns_read(*query->aggregates[0].argument)[0], columns_read(*query->aggregates[1].argument)[0]);
  }
}

TEST(Bind, LeftJoinUsingMeansTheLeftColumn) {
  const auto query =
      bind_text("SELECT region, COUNT(*) FROM visit LEFT JOIN clinic.doctor USING (region) GROUP BY region");
  ASSERT_TRUE(query) << to_line(query.error());
  EXPECT_EQ(columns_read(*query->keys[0].expression)[0]->table_column, "visit.region");
}

TEST(Bind, PositionsAreOfTheAnalystsText) {
  const auto query =
      bind_text("SELECT WITH ANONYMIZATION OPTIONS(epsilon = 1) region, COUNT(age) FROM visit GROUP BY region");
  ASSERT_TRUE(query);
  EXPECT_EQ(query->text.substr(static_cast<std::size_t>(query->aggregates[0].position - 1), 5), "COUNT");
  EXPECT_EQ(query->aggregates[0].argument->position, 62);
  EXPECT_EQ(query->keys[0].position, 87);
}

TEST(Bind, PolicyMayNameTheDefaultSchemaOrNot) {
  Policy other = policy();
  for (auto& table : other.tables) {
    if (table.name.name == "visit") table.name.schema = "main";
    if (table.name.name == "region") table.name.schema = "";
  }
  for (const std::string sql : {"SELECT COUNT(*) FROM visit", "SELECT COUNT(*) FROM main.visit",
                                "SELECT COUNT(*) FROM region", "SELECT COUNT(*) FROM main.region"}) {
    const auto tree = parse_sql(sql);
    ASSERT_TRUE(tree);
    EXPECT_TRUE(bind_query(*tree, catalog(), other)) << sql;
  }
}

TEST(Bind, RefusesATableThatThePolicyNamesTwice) {
  Policy other = policy();
  other.tables.push_back(other.tables[0]);
  other.tables.back().name.schema = "main";
  other.tables.back().model = PublicTable{};
  const auto tree = parse_sql("SELECT COUNT(*) FROM visit");
  ASSERT_TRUE(tree);
  const auto query = bind_query(*tree, catalog(), other);
  ASSERT_FALSE(query);
  EXPECT_NE(query.error().what.find("twice"), std::string::npos);
}

TEST(Bind, MessagesStayShort) {
  const std::string name(50'000, 'x');
  for (const std::string& sql : {"SELECT WITH ANONYMIZATION OPTIONS(" + name + " = 1) COUNT(*) FROM visit",
                                 "SELECT COUNT(" + name + ") FROM visit", "SELECT COUNT(*) FROM " + name,
                                 "SELECT " + name + "(age) FROM visit", "SELECT COUNT(*) FROM visit " + name + " 1"}) {
    const auto query = bind_text(sql);
    ASSERT_FALSE(query);
    EXPECT_LT(to_line(query.error()).size(), 400U);
  }
}

// Guards print their operands several times: without a limit, 60 levels would print 2^60 characters.
TEST(Bind, RefusesExpressionsThatExplode) {
  std::string divisions = "weight";
  std::string betweens = "urgent";
  std::string cases = "age";
  std::string casts = "age";
  for (int i = 0; i < 60; ++i) {
    divisions = "1/(" + divisions + ")";
    betweens = "(" + betweens + ") BETWEEN false AND true";
    casts += "::double precision::bigint";
    cases = "CASE " + cases + " WHEN 1 THEN 2 WHEN 2 THEN 3 ELSE 4 END";
  }
  for (const std::string& sql :
       {"SELECT SUM(" + divisions + ") FROM visit", "SELECT COUNT(*) FROM visit WHERE " + betweens,
        "SELECT COUNT(" + cases + ") FROM visit"}) {
    const double started = cpu_seconds();
    const auto query = bind_text(sql);
    EXPECT_LT(cpu_seconds() - started, time_limit(1));
    ASSERT_FALSE(query) << sql;
    EXPECT_NE(query.error().what.find("too large"), std::string::npos) << to_line(query.error());
  }
}

TEST(Bind, RefusesChainsOfWithQueries) {
  std::string sql = "WITH c0 AS (SELECT age FROM visit)";
  for (int i = 1; i < 400; ++i) sql += fmt::format(", c{} AS (SELECT age FROM c{})", i, i - 1);
  const auto query = bind_text(sql + " SELECT COUNT(*) FROM c399");
  ASSERT_FALSE(query);
  EXPECT_NE(query.error().what.find("nested more than 32 deep"), std::string::npos);

  std::string doubled = "WITH c0 AS (SELECT age FROM visit)";
  for (int i = 1; i < 30; ++i) doubled += fmt::format(", c{} AS (SELECT a.age FROM c{} a, c{} b)", i, i - 1, i - 1);
  const double started = cpu_seconds();
  const auto exponential = bind_text(doubled + " SELECT COUNT(*) FROM visit");
  EXPECT_LT(cpu_seconds() - started, time_limit(0.1));
  ASSERT_FALSE(exponential);
  EXPECT_NE(exponential.error().what.find("more than 32 tables"), std::string::npos);
}

TEST(Bind, AcceptsLongButFlatQueries) {
  std::string list = "0";
  for (int i = 1; i < 2'000; ++i) list += fmt::format(", {}", i);
  const double started = cpu_seconds();
  EXPECT_TRUE(bind_text("SELECT COUNT(*) FROM visit WHERE patient IN (" + list + ")"));
  std::string any = "patient = 0";
  for (int i = 1; i < 500; ++i) any += fmt::format(" OR patient = {}", i);
  EXPECT_TRUE(bind_text("SELECT COUNT(*) FROM visit WHERE " + any));
  EXPECT_LT(cpu_seconds() - started, time_limit(0.5));
}

// Random queries from fragments: bound or refused, never broken; what is bound can be printed for every engine.
RC_GTEST_PROP(Bind, NeverBreaksOnRandomQueries, ()) {
  const auto expression = [] {
    return *rc::gen::element<std::string>(
        "age", "cost * 2", "1 / weight", "region", "urgent", "admitted - 30", "NULL", "'x'", "count(*)", "v.age",
        "nothing", "sqrt(score)", "CASE age WHEN 1 THEN 2 END", "age IS NULL", "age + cost + weight", "name", "1",
        "EXTRACT(year FROM seen)", "coalesce(note, region)", "age BETWEEN 1 AND 2", "region IN ('north')", "*");
  };
  const auto from = *rc::gen::element<std::string>("visit", "visit v", "visit v JOIN region r ON v.region = r.name",
                                                   "visit, region", "(SELECT age, region FROM visit WHERE urgent) s",
                                                   "visit LEFT JOIN clinic.doctor USING (region)", "secret");
  std::string sql = "SELECT " + expression() + ", SUM(" + expression() + "), COUNT(" + expression() + ") FROM " + from;
  if (*rc::gen::arbitrary<bool>()) sql += " WHERE " + expression();
  if (*rc::gen::arbitrary<bool>()) sql += " GROUP BY " + expression();
  if (*rc::gen::arbitrary<bool>()) sql += " ORDER BY " + expression();
  const auto query = bind_text(sql);
  if (!query) {
    RC_ASSERT(query.error().code == FailureCode::refused);
    RC_ASSERT(!query.error().what.empty());
    return;
  }
  for (const Dialect* dialect : all_dialects()) {
    const auto printed = print_relation(*query->input, *dialect);
    for (const auto& aggregate : query->aggregates) {
      if (aggregate.argument) RC_ASSERT(!print_expression(*aggregate.argument, printed, *dialect).empty());
    }
    for (const auto& key : query->keys) RC_ASSERT(!print_expression(*key.expression, printed, *dialect).empty());
  }
}

}  // namespace
}  // namespace tacit
