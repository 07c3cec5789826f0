#include "sensitivity/rows/counting/bound_join.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/against_catalog/check_against_catalog.hpp"
#include "sensitivity/analyze.hpp"
#include "sql/bind.hpp"
#include "sql/parse.hpp"

namespace tacit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The hospital of Arapinis, Figueira and Gaboardi: doctors, patients, and who attends whom; wards are public.
class JoinBound : public ::testing::Test {
 protected:
  JoinBound() {
    const auto column = [](std::string name, SqlType type) {
      return CatalogColumn{std::move(name), type, to_string(type), false};
    };
    const SqlType number = SqlType::integer(32);
    catalog_.search_path = {"main"};
    catalog_.tables = {
        {"main",
         "doctor",
         {column("id", number), column("speciality", SqlType::text()), column("hospital", number),
          column("pay", SqlType::decimal(8, 2))},
         {{"id"}}},
        {"main",
         "patient",
         {column("id", number), column("sex", SqlType::text()), column("hospital", number), column("age", number),
          column("weight", SqlType::real()), column("insured", SqlType::boolean())},
         {{"id"}}},
        {"main",
         "attends",
         {column("patient", number), column("doctor", number), column("since", SqlType::date()),
          column("code", SqlType::text()), column("exact", SqlType::decimal(12, 3))},
         {{"patient", "doctor"}, {"code"}},
         {"patient", "doctor"}},
        {"main", "ward", {column("hospital", number), column("name", SqlType::text())}, {}},
    };
  }

  std::string policy_text(const std::string& of_attends) const {
    return fmt::format(R"(
[engine]
url = "duckdb:"
[budget]
epsilon = 40.0
[budget.analysts]
ana = {{ epsilon = 20.0 }}
[tables.doctor]
rows = "{0}"
columns.speciality = {{ values = ["O", "G"] }}
columns.pay = {{ min = -10, max = 100 }}
[tables.patient]
rows = "{0}"
columns.age = {{ min = 0, max = 120 }}
columns.sex = {{ values = ["F", "M"] }}
[tables.attends]
rows = "{0}"
{1}
[tables.ward]
public = true
{2}
)",
                       neighbour_, of_attends, of_ward_);
  }

  Result<AnalyzedQuery> ask(const std::string& sql, const std::string& of_attends = "") {
    auto parsed = parse_policy(policy_text(of_attends), "test.toml");
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : to_line(parsed.error()));
    auto checked = check_against_catalog(std::move(*parsed), catalog_);
    EXPECT_TRUE(checked.has_value()) << (checked ? "" : to_line(checked.error()));
    policies_.push_back(std::make_unique<Policy>(std::move(*checked)));
    TACIT_TRY(const ParseTree tree, parse_sql(sql));
    TACIT_TRY(TypedQuery query, bind_query(tree, catalog_, *policies_.back()));
    return analyze(std::move(query), *policies_.back());
  }

  // The l1 sensitivity in grid units; -1: refused.
  long long bound(const std::string& sql, const std::string& of_attends = "") {
    const auto analyzed = ask(sql, of_attends);
    if (!analyzed) {
      refusal_ = to_line(analyzed.error());
      return -1;
    }
    return static_cast<long long>(analysis_of<RowsAnalysis>(*analyzed).aggregates.front().l1_sensitivity);
  }

  Catalog catalog_;
  std::string neighbour_ = "add-remove";
  std::string of_ward_ = "primary_key = [\"hospital\"]";
  std::string refusal_;
  std::vector<std::unique_ptr<Policy>> policies_;  // typed queries point into them
};

const std::string three = "dependencies = [\"patient ->[3] doctor\"]\nkeys = \"trusted\"";
const std::string both = "dependencies = [\"patient ->[3] doctor\", \"doctor ->[20] patient\"]\nkeys = \"trusted\"";
const std::string oncologists =
    " FROM patient p, doctor d, attends a WHERE d.speciality = 'O' AND p.sex = 'F' AND p.hospital = d.hospital AND "
    "a.patient = p.id AND a.doctor = d.id";

TEST_F(JoinBound, ExamplesOfTheHospital) {
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT d.id)" + oncologists), -1);
  EXPECT_THAT(refusal_, HasSubstr("a policy with dependencies = [\"hospital ->[k] id\"] for `doctor` would bound it"));
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT d.id)" + oncologists, three), 3);
  EXPECT_EQ(
      bound("SELECT COUNT(DISTINCT d.id)" + oncologists, "dependencies = [\"patient -> doctor\"]\nkeys = \"trusted\""),
      1);
  EXPECT_EQ(bound("SELECT COUNT(*)" + oncologists, three), -1);
  EXPECT_EQ(bound("SELECT COUNT(*)" + oncologists, both), 20);
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT p.id)" + oncologists, both), 20);
}

// Example 3: where a hospital is, is public.
TEST_F(JoinBound, HospitalsArePublic) {
  const std::string oncology =
      "SELECT COUNT(DISTINCT p.id) FROM doctor d, patient p, attends a, ward w WHERE d.speciality = 'O' AND p.hospital "
      "= "
      "d.hospital AND a.patient = p.id AND a.doctor = d.id AND w.hospital = p.hospital AND w.name = 'New York'";
  EXPECT_EQ(bound(oncology, three), -1);
  EXPECT_EQ(bound(oncology, both), 20);
}

TEST_F(JoinBound, InAndExistsCountARowOnce) {
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p WHERE p.id IN (SELECT patient FROM attends)"), 1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p WHERE EXISTS (SELECT 1 FROM attends a WHERE a.patient = p.id)"), 1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM attends a WHERE a.patient IN (SELECT id FROM patient)"), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM attends a WHERE a.patient IN (SELECT id FROM patient)", three), 3);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p WHERE p.id NOT IN (SELECT patient FROM attends)", three), -1);
  EXPECT_THAT(refusal_, HasSubstr("NOT EXISTS and NOT IN over a private table"));
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p WHERE p.hospital NOT IN (SELECT hospital FROM ward)"), 1);
}

TEST_F(JoinBound, DistinctRowsOfASubqueryCountByTheirValues) {
  EXPECT_EQ(bound("SELECT COUNT(*) FROM (SELECT DISTINCT patient, since FROM attends) AS t"), 1);
  EXPECT_EQ(
      bound("SELECT COUNT(*) FROM (SELECT DISTINCT d.speciality FROM attends a JOIN doctor d ON a.doctor = d.id) t"),
      1);
  EXPECT_EQ(
      bound("SELECT COUNT(*) FROM (SELECT DISTINCT a.patient, d.speciality FROM attends a JOIN doctor d ON a.doctor = "
            "d.id) AS t",
            both),
      20);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM (SELECT DISTINCT patient FROM attends) t JOIN patient p ON p.id = t.patient"),
            1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM (SELECT patient, COUNT(*) AS n FROM attends GROUP BY patient) AS t", three),
            -1);
}

TEST_F(JoinBound, PublicRowsOnTheRightOfALeftJoinAreFunctions) {
  const std::string joined = " FROM patient p JOIN attends a ON a.patient = p.id ";
  EXPECT_EQ(bound("SELECT COUNT(*)" + joined + "LEFT JOIN ward w ON w.hospital = p.hospital", three), 3);
  EXPECT_EQ(bound("SELECT COUNT(*)" + joined + "LEFT JOIN ward w ON w.name = p.sex", three), -1);
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT p.id)" + joined + "LEFT JOIN ward w ON w.name = p.sex", three), 1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p LEFT JOIN attends a ON a.patient = p.id", three), -1);
  EXPECT_THAT(refusal_, HasSubstr("LEFT JOIN with a private table on the right"));
}

TEST_F(JoinBound, ManyTablesAreRefusedBeforeTheAnalysis) {
  std::string from = " FROM patient p0";
  for (int i = 1; i <= 24; ++i) from += fmt::format(" JOIN ward w{0} ON w{0}.hospital = p0.hospital", i);
  EXPECT_EQ(bound("SELECT COUNT(*)" + from + " JOIN patient p1 ON p1.id = p0.id"), -1);
  EXPECT_THAT(refusal_, HasSubstr("the query reads 26 tables; a join that repeats private rows may read 24"));
}

TEST_F(JoinBound, AFactThatNobodyVouchesForBoundsNothing) {
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT d.id)" + oncologists, "dependencies = [\"patient ->[3] doctor\"]"), -1);
  EXPECT_THAT(refusal_, HasSubstr("rests on patient ->[3] doctor of `attends`, which the engine does not enforce"));
  catalog_.tables[2].dependencies_verified_at = {"2026-01-02T03:04:05Z"};
  catalog_.tables[2].key_state = "state";
  const auto verified = ask("SELECT COUNT(DISTINCT d.id)" + oncologists, "dependencies = [\"patient ->[3] doctor\"]");
  ASSERT_TRUE(verified.has_value());
  ASSERT_EQ(verified->declared_keys.size(), 1U);
  EXPECT_EQ(verified->declared_keys[0].key.dependency, "patient ->[3] doctor");
  EXPECT_EQ(verified->declared_keys[0].key.state, "state");
}

TEST_F(JoinBound, WhatTheHintNamesMakesItAnswered) {
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id"), -1);
  ASSERT_THAT(refusal_, HasSubstr("dependencies = [\"patient ->[k] rows\"] for `attends`"));
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id",
                  "dependencies = [\"patient ->[7] rows\"]\nkeys = \"trusted\""),
            7);
}

TEST_F(JoinBound, KeysOfTheEngineNeedNoWord) {
  catalog_.tables[2].unique_keys = {{"patient"}};
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id"), 1);
}

TEST_F(JoinBound, SelfJoinsCountTheRowOnBothSides) {
  const std::string pairs = " FROM attends a JOIN attends b ON a.patient = b.patient";
  EXPECT_EQ(bound("SELECT COUNT(*)" + pairs, three), 6);
  EXPECT_EQ(bound("SELECT COUNT(*)" + pairs + " WHERE a.doctor < b.doctor", three), 6);
  EXPECT_EQ(bound("SELECT COUNT(*)" + pairs), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient a JOIN patient b ON a.id = b.id"), 1);
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT a.id) FROM patient a JOIN patient b ON a.id = b.id"), 1);
}

// Folding b into a would give 1.
TEST_F(JoinBound, ConditionsThatAreDroppedKeepTheirColumns) {
  const std::string from = " FROM attends a JOIN attends b ON a.patient = b.patient";
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT a.doctor)" + from, both), 1);
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT a.doctor)" + from + " WHERE b.since > DATE '2020-01-01'", both), 4);
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT a.doctor)" + from + " WHERE b.doctor IN (1, 2)", both), 4);
}

TEST_F(JoinBound, GroupsShareOneBound) {
  EXPECT_EQ(bound("SELECT p.sex, COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id GROUP BY p.sex", three), 3);
  EXPECT_EQ(bound("SELECT d.speciality, COUNT(DISTINCT p.id)" + oncologists + " GROUP BY d.speciality", both), 20);
  // 1 in each group, and 3 in all.
  EXPECT_EQ(bound("SELECT d.speciality, COUNT(DISTINCT p.sex) FROM patient p, doctor d, attends a WHERE "
                  "a.patient = p.id AND a.doctor = d.id GROUP BY d.speciality",
                  both),
            20);
}

TEST_F(JoinBound, SumsAndAveragesAreThatManyTimesAsLarge) {
  const std::string from = " FROM patient p JOIN attends a ON a.patient = p.id";
  EXPECT_EQ(bound("SELECT SUM(p.age)" + from, three), 360);
  EXPECT_EQ(bound("SELECT AVG(p.age)" + from, three), 360);
  EXPECT_EQ(bound("SELECT SUM(d.pay) FROM doctor d JOIN attends a ON a.doctor = d.id", both), 20 * 10000);
  neighbour_ = "replace";
  EXPECT_EQ(bound("SELECT COUNT(*)" + from, three), 3);
  EXPECT_EQ(bound("SELECT p.sex, COUNT(*)" + from + " GROUP BY p.sex", three), 6);
  EXPECT_EQ(bound("SELECT AVG(p.age)" + from, three), 720);
  EXPECT_EQ(bound("SELECT SUM(d.pay) FROM doctor d JOIN attends a ON a.doctor = d.id", both), 20 * 11000);
}

// A cast, an expression or a double has no key; each is a condition like any other.
TEST_F(JoinBound, OnlyPlainEqualityFollowsKeys) {
  catalog_.tables[2].unique_keys = {{"patient"}, {"exact"}};
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id"), 1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient + 0 = p.id"), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON CAST(a.patient AS text) = CAST(p.id AS text)"), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.exact = p.id"), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN patient q ON p.weight = q.weight"), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id OR a.patient = p.age"), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient IS NOT DISTINCT FROM p.id"), -1);
}

TEST_F(JoinBound, ANumberThatIsRoundedWhenReadHasNoKey) {
  catalog_.tables[2].unique_keys = {{"patient"}};
  catalog_.tables[2].columns[0].read_as = "CAST({} AS INTEGER)";
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id"), -1);
}

// (1, NULL) may be there twice.
TEST_F(JoinBound, AUniqueKeyWithNullsIsNotReachedThroughADependency) {
  catalog_.tables[2].primary_key.clear();
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id", three), -1);
  EXPECT_EQ(
      bound("SELECT COUNT(*) FROM patient p JOIN attends a ON a.patient = p.id WHERE a.doctor IS NOT NULL", three), 3);
}

TEST_F(JoinBound, ConstantsStartChains) {
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p, attends a WHERE a.patient = 7 AND p.id = 9", three), 3);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p, attends a WHERE a.patient = 7", three), -1);
}

TEST_F(JoinBound, PublicTablesAreLookedUp) {
  of_ward_ = "dependencies = [\"hospital ->[4] rows\"]";
  const auto analyzed = ask("SELECT COUNT(*) FROM patient p JOIN ward w ON w.hospital = p.hospital");
  ASSERT_TRUE(analyzed.has_value()) << to_line(analyzed.error());
  EXPECT_TRUE(analysis_of<RowsAnalysis>(*analyzed).aggregates[0].l1_sensitivity == 4);
  EXPECT_EQ(analyzed->assumed_dependencies.size(), 1U);
  of_ward_ = "";
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p JOIN ward w ON w.hospital = p.hospital"), -1);
  EXPECT_THAT(refusal_, HasSubstr("`ward`"));
}

TEST_F(JoinBound, Subqueries) {
  EXPECT_EQ(
      bound("SELECT COUNT(*) FROM (SELECT id AS who FROM patient WHERE age > 3) AS p JOIN attends a ON a.patient = "
            "p.who",
            three),
      3);
  EXPECT_EQ(
      bound("SELECT COUNT(*) FROM (SELECT id + 1 AS who FROM patient) AS p JOIN attends a ON a.patient = p.who", three),
      -1);
}

TEST_F(JoinBound, OperatorsWithoutAProofAreNamed) {
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p LEFT JOIN attends a ON a.patient = p.id", three), -1);
  EXPECT_THAT(refusal_, HasSubstr("LEFT JOIN"));
  EXPECT_EQ(
      bound("SELECT COUNT(*) FROM patient p WHERE NOT EXISTS (SELECT 1 FROM attends a WHERE a.patient = p.id)", three),
      -1);
  EXPECT_THAT(refusal_, HasSubstr("NOT EXISTS"));
  EXPECT_EQ(bound("SELECT COUNT(*) FROM patient p, doctor d"), -1);
  EXPECT_THAT(refusal_, HasSubstr("no dependency"));
}

TEST_F(JoinBound, TheWorkOfAJoinIsBoundedToo) {
  // One row moves the count by 1, and all pairs of rows meet.
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT a.id) FROM patient a, patient b"), -1);
  EXPECT_EQ(bound("SELECT COUNT(DISTINCT a.id) FROM patient a JOIN patient b ON a.hospital = b.hospital"), -1);
  EXPECT_EQ(bound("SELECT COUNT(*) FROM attends a JOIN attends b ON a.patient = b.patient",
                  "dependencies = [\"patient ->[10001] rows\"]\nkeys = \"trusted\""),
            -1);
  EXPECT_THAT(refusal_, HasSubstr("10000"));
}

TEST_F(JoinBound, TwoNeighbourRelationsAreNotMixed) {
  catalog_.tables[3].unique_keys = {{"hospital"}};
  auto text = policy_text("");
  text.replace(text.find("rows = \"add-remove\""), 19, "rows = \"replace\"");
  auto checked = check_against_catalog(*parse_policy(text, "test.toml"), catalog_);
  ASSERT_TRUE(checked.has_value()) << to_line(checked.error());
  const auto tree = parse_sql("SELECT COUNT(*) FROM doctor d JOIN attends a ON a.doctor = d.id");
  auto query = bind_query(*tree, catalog_, *checked);
  const auto analyzed = analyze(std::move(*query), *checked);
  ASSERT_FALSE(analyzed.has_value());
  EXPECT_THAT(analyzed.error().what, HasSubstr("both promises"));
}

TEST_F(JoinBound, ExplainTellsTheChain) {
  const auto analyzed = ask("SELECT COUNT(DISTINCT d.id)" + oncologists, three);
  ASSERT_TRUE(analyzed.has_value());
  std::string text;
  const std::function<void(const Derivation&)> print = [&](const Derivation& tree) {
    text += tree.rule + ": " + tree.bound + "\n";
    for (const Derivation& child : tree.children) print(child);
  };
  print(analyzed->derivation);
  EXPECT_THAT(text, HasSubstr("attends(patient) ->[3] doctor"));
  EXPECT_THAT(text, HasSubstr("one of them moves the count by at most 3"));
  EXPECT_THAT(text, HasSubstr("witness"));
  EXPECT_EQ(analysis_of<RowsAnalysis>(*analyzed).aggregates[0].lower, 3);
}

}  // namespace
}  // namespace tacit::testing
