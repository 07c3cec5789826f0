#include "policy/against_catalog/check_against_catalog.hpp"

#include <gtest/gtest.h>

#include "support/policy_head.hpp"

namespace tacit {
namespace {

CatalogColumn column(std::string name, std::optional<SqlType> type, std::string engine_type = "") {
  return {std::move(name), type, engine_type.empty() && type ? to_string(*type) : engine_type, false};
}

Catalog hospital() {
  CatalogTable visit{
      "main",
      "visit",
      {column("id", SqlType::integer(64)), column("age", SqlType::integer(16)), column("cost", SqlType::decimal(6, 2)),
       column("weight", SqlType::real()), column("region", SqlType::text()), column("day", SqlType::date()),
       column("seen", SqlType::timestamp()), column("adult", SqlType::boolean()), column("photo", std::nullopt, "BLOB"),
       column("Mixed", SqlType::integer(32)), column("patient", SqlType::integer(32))},
      {{"id"}}};
  CatalogTable person{
      "main", "person", {column("pid", SqlType::integer(64)), column("code", SqlType::text())}, {{"pid"}}};
  CatalogTable salary{"hr", "salary", {column("amount", SqlType::decimal(12, 2))}, {}};
  CatalogTable upper{"main", "Upper", {column("a", SqlType::integer(32))}, {}};
  return {{"main"}, {visit, person, salary, upper}};
}

// Lines 1 to 6; the tables start at line 7.
const std::string head = testing::policy_head({.epsilon = 10});
const std::string visit = "[tables.visit]\nrows = \"add-remove\"\n";  // lines 7 and 8

Result<Policy> checked(const std::string& tables) {
  auto policy = parse_policy(head + tables, "p.toml");
  if (!policy) {
    ADD_FAILURE() << to_line(policy.error());
    return policy;
  }
  return check_against_catalog(std::move(*policy), hospital());
}

std::string why(const std::string& tables) {
  const auto policy = checked(tables);
  return policy ? "accepted" : to_line(policy.error());
}

// "error: `key`: ... ; p.toml:line ; hint" has the key first, the line, and the fragment.
void expect_refused(const std::string& tables, int line, const std::string& key, const std::string& fragment) {
  const std::string message = why(tables);
  EXPECT_TRUE(message.starts_with("error: `" + key + "`: ")) << tables << message;
  EXPECT_NE(message.find("p.toml:" + std::to_string(line) + " ;"), std::string::npos) << tables << message;
  EXPECT_NE(message.find(fragment), std::string::npos) << tables << message;
}

TEST(CheckAgainstCatalog, RefusesATableTheEnginesUserMayNotRead) {
  CatalogTable closed{"main", "visit", {}, {}};
  closed.access = TableAccess::denied;
  auto policy = parse_policy(
      "[engine]\nurl = \"postgresql:///db\"\n[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n[tables.visit]\nrows = "
      "\"add-remove\"\n",
      "p.toml");
  ASSERT_TRUE(policy);
  const auto checked = check_against_catalog(*policy, Catalog{{"main"}, {closed}});
  ASSERT_FALSE(checked);
  EXPECT_NE(to_line(checked.error()).find("may not read table visit"), std::string::npos);
  EXPECT_NE(to_line(checked.error()).find("GRANT SELECT"), std::string::npos);
  closed.access = TableAccess::row_security;
  const auto filtered = check_against_catalog(*policy, Catalog{{"main"}, {closed}});
  ASSERT_FALSE(filtered);
  EXPECT_NE(to_line(filtered.error()).find("row-level security"), std::string::npos);
}

TEST(CheckAgainstCatalog, GivesValuesTheTypesOfTheirColumns) {
  const auto policy = checked(visit + R"toml([tables.visit.columns]
age = { min = 0.0, max = "120", step = 1.0, values = [0, 18, 65] }
cost = { min = 0, max = 999.5, step = 0.05 }
weight = { min = 0.1, max = 300 }
region = { values = ["north", "south"] }
day = { min = 2020-01-01, max = "2020-12-31", values = ["2020-02-29"], step = 7 }
seen = { min = 2020-01-01, max = 2020-12-31T23:59:59, step = 0.001 }
adult = { values = [true, false] }
'"Mixed"' = { min = 1, max = 2 }
)toml");
  ASSERT_TRUE(policy) << to_line(policy.error());
  const auto& columns = policy->tables[0].columns;
  const Decimal age_max = std::get<Decimal>(*columns.at("age").max);
  EXPECT_EQ(age_max.scale, 0);
  EXPECT_EQ(age_max.units, 120);
  EXPECT_EQ(std::get<Decimal>(*columns.at("age").min).scale, 0);
  EXPECT_EQ(columns.at("age").step->scale, 0);
  EXPECT_EQ(to_string(*columns.at("cost").max), "999.50");
  EXPECT_EQ(to_string(*columns.at("cost").step), "0.05");
  EXPECT_EQ(std::get<double>(*columns.at("weight").min), 0.1);
  EXPECT_EQ(std::get<double>(*columns.at("weight").max), 300.0);
  EXPECT_EQ(std::get<Date>(*columns.at("day").max), *parse_date("2020-12-31"));
  EXPECT_EQ(std::get<Date>(columns.at("day").values[0]), *parse_date("2020-02-29"));
  EXPECT_EQ(std::get<Timestamp>(*columns.at("seen").min), *parse_timestamp("2020-01-01"));
  EXPECT_EQ(std::get<std::string>(columns.at("region").values[1]), "south");
  EXPECT_EQ(std::get<bool>(columns.at("adult").values[0]), true);
}

TEST(CheckAgainstCatalog, NamesMustExist) {
  expect_refused("[tables.visits]\npublic = true\n", 7, "tables.visits", "(did you mean `visit`?)");
  expect_refused("[tables.upper]\npublic = true\n", 7, "tables.upper", "(did you mean `\"Upper\"`?)");
  expect_refused("[tables.salary]\npublic = true\n", 7, "tables.salary", "(did you mean `hr.salary`?)");
  expect_refused("[tables.\"hr.salaries\"]\npublic = true\n", 7, "tables.\"hr.salaries\"", "does not exist");
  expect_refused(visit + "primary_key = [\"idd\"]\n", 9, "tables.visit.primary_key",
                 "table visit has no column idd (did you mean `id`?)");
  expect_refused(visit + "dependencies = [\"patient -> docter\"]\n", 9, "tables.visit.dependencies",
                 "no column docter");
  expect_refused(visit + "[tables.visit.columns]\nage = { min = 1 }\nmixed = { min = 1 }\n", 11,
                 "tables.visit.columns.mixed", "(did you mean `\"Mixed\"`?)");
  EXPECT_EQ(why("[tables.\"hr.salary\"]\npublic = true\n[tables.'\"Upper\"']\npublic = true\n"), "accepted");
}

// weight is the table's column of doubles.
TEST(CheckAgainstCatalog, APrecisionIsForDoublesThatMoveInAMetric) {
  const auto in = [](const std::string& metric, const std::string& column) {
    return "[tables.visit]\nmetric = \"" + metric + "\"\n[tables.visit.columns]\n" + column + "\n";
  };
  EXPECT_EQ(why(in("l1(weight, age)", "weight = { precision = 5 }")), "accepted");
  expect_refused(in("age", "weight = { precision = 5 }"), 10, "tables.visit.columns.weight.precision", "in no metric");
  expect_refused(in("l1(weight, age)", "age = { precision = 5 }"), 10, "tables.visit.columns.age.precision",
                 "whose conditions are exact");
  expect_refused(in("ln(weight)", "weight = { precision = 5, min = 1 }"), 10, "tables.visit.columns.weight.precision",
                 "by its logarithm");
  expect_refused(in("discrete(weight)", "weight = { precision = 5 }"), 10, "tables.visit.columns.weight.precision",
                 "by equality alone");
  expect_refused(visit + "[tables.visit.columns]\nweight = { precision = 5 }\n", 10,
                 "tables.visit.columns.weight.precision", "in no metric");
}

TEST(CheckAgainstCatalog, OneTableHasOneModel) {
  expect_refused(visit + "[tables.\"main.visit\"]\npublic = true\n", 9, "tables.\"main.visit\"", "described twice");
}

TEST(CheckAgainstCatalog, FactsMustFitTheType) {
  const auto facts = [](const std::string& text) { return visit + "[tables.visit.columns]\n" + text + "\n"; };
  expect_refused(facts("age = { min = 0.5 }"), 10, "tables.visit.columns.age.min", "a whole number that fits smallint");
  expect_refused(facts("age = { max = 32768 }"), 10, "tables.visit.columns.age.max", "fits smallint, found `32768`");
  expect_refused(facts("age = { max = 2020-01-01 }"), 10, "tables.visit.columns.age.max", "a whole number");
  expect_refused(facts("age = { step = 0.5 }"), 10, "tables.visit.columns.age.step", "a whole number");
  expect_refused(facts("age = { values = [\"old\"] }"), 10, "tables.visit.columns.age.values", "found `old`");
  expect_refused(facts("age = { values = [\"1\", \"1.0\"] }"), 10, "tables.visit.columns.age.values", "occurs twice");
  expect_refused(facts("cost = { max = 0.001 }"), 10, "tables.visit.columns.cost.max", "fits decimal(6,2) exactly");
  expect_refused(facts("cost = { max = 10000 }"), 10, "tables.visit.columns.cost.max", "fits decimal(6,2) exactly");
  expect_refused(facts("cost = { step = 0.001 }"), 10, "tables.visit.columns.cost.step", "smallest step");
  expect_refused(facts("weight = { min = 2020-01-01 }"), 10, "tables.visit.columns.weight.min", "expected a number");
  expect_refused(facts("region = { min = 1 }"), 10, "tables.visit.columns.region.min", "has no bounds");
  expect_refused(facts("region = { values = [1] }"), 10, "tables.visit.columns.region.values", "expected a string");
  expect_refused(facts("adult = { min = 0 }"), 10, "tables.visit.columns.adult.min", "has no bounds");
  expect_refused(facts("adult = { values = [0] }"), 10, "tables.visit.columns.adult.values", "true or false");
  expect_refused(facts("day = { min = 2020-01-01T10:00:00 }"), 10, "tables.visit.columns.day.min", "expected a date");
  expect_refused(facts("day = { min = 5 }"), 10, "tables.visit.columns.day.min", "expected a date");
  expect_refused(facts("day = { step = 0.5 }"), 10, "tables.visit.columns.day.step", "a whole number of days");
  expect_refused(facts("seen = { values = [\"noon\"] }"), 10, "tables.visit.columns.seen.values", "a date and time");
  expect_refused(facts("seen = { step = 0.0000001 }"), 10, "tables.visit.columns.seen.step", "six digits");
  expect_refused(facts("photo = { min = 1 }"), 10, "tables.visit.columns.photo", "does not compute with");
  expect_refused(facts("day = { max = 2020-01-01, values = [\"2021-01-01\"] }"), 10, "tables.visit.columns.day.values",
                 "outside min and max");
  expect_refused(facts("[tables.visit.columns.age]\nmin = 0\nmax = 1.5"), 12, "tables.visit.columns.age.max", "whole");
}

TEST(CheckAgainstCatalog, ValuesOutsideTheTypesRangeAreRefusedAtItsEdges) {
  const auto facts = [](const std::string& text) { return visit + "columns.age = { " + text + " }\n"; };
  EXPECT_EQ(why(facts("min = -32768, max = 32767")), "accepted");
  EXPECT_NE(why(facts("min = -32769")), "accepted");
}

TEST(CheckAgainstCatalog, Owners) {
  const std::string person = "[tables.person]\nowner = \"pid\"\nprimary_key = [\"pid\"]\n";  // lines 7 to 9
  const auto through = [&](const std::string& columns) {
    return person + "[tables.visit]\nowner_through = { columns = [" + columns + "], references = \"person\" }\n";
  };
  EXPECT_EQ(why(through("\"patient\"")), "accepted") << "integers of different widths compare";
  expect_refused(through("\"patiant\""), 11, "tables.visit.owner_through.columns", "(did you mean `patient`?)");
  expect_refused(through("\"region\""), 11, "tables.visit.owner_through.columns",
                 "column region is of type text, and the key column pid of person is of type bigint");
  expect_refused(through("\"photo\""), 11, "tables.visit.owner_through.columns", "does not compute with");
  expect_refused("[tables.visit]\nowner = \"weight\"\n", 8, "tables.visit.owner", "cannot identify an owner");
  expect_refused("[tables.visit]\nowner = \"who\"\n", 8, "tables.visit.owner", "no column who");
}

// The key and what leads to it are looked at: where either is compared in a way of its own, one person is several.
TEST(CheckAgainstCatalog, OwnersHaveOneSpelling) {
  const std::string tables =
      "[tables.person]\nowner = \"pid\"\nprimary_key = [\"code\"]\n"
      "[tables.visit]\nowner_through = { columns = [\"region\"], references = \"person\" }\n";
  const auto refused = [&](std::size_t table, const std::string& column) {
    Catalog catalog = hospital();
    for (CatalogColumn& found : catalog.tables[table].columns) {
      if (found.name == column) found.own_equality = "the database compares citext in its own way";
    }
    const auto policy = check_against_catalog(*parse_policy(head + tables, "p.toml"), catalog);
    return policy ? "accepted" : to_line(policy.error());
  };
  const std::string because =
      "cannot identify an owner, because one person may be spelled in several ways: the database "
      "compares citext in its own way";
  EXPECT_EQ(refused(0, "day"), "accepted");
  EXPECT_NE(refused(0, "region").find("`tables.visit.owner_through.columns`: column region " + because),
            std::string::npos);
  EXPECT_NE(refused(1, "code").find("`tables.visit.owner_through.columns`: column code " + because), std::string::npos);
  EXPECT_NE(refused(1, "pid").find("`tables.person.owner`: column pid " + because), std::string::npos);
}

std::string metric_of(const std::string& lines) {
  const auto policy = checked("[tables.visit]\n" + lines);
  return policy ? to_string(*std::get<MetricTable>(policy->tables[0].model).metric) : to_line(policy.error());
}

TEST(CheckAgainstCatalog, Metrics) {
  expect_refused("[tables.visit]\nmetric = \"l1(age, wieght)\"\n", 8, "tables.visit.metric", "mean `weight`?");
  expect_refused("[tables.visit]\nmetric = \"region\"\n", 8, "tables.visit.metric", "has no distances");
  expect_refused("[tables.visit]\nmetric = \"discrete(photo)\"\n", 8, "tables.visit.metric", "does not compute with");
  expect_refused("[tables.visit]\nmetric = \"age\"\npublic_columns = [\"x\"]\n", 9, "tables.visit.public_columns",
                 "no column x");
  EXPECT_EQ(metric_of("metric = \"l1(age, discrete(region), day, seen, discrete(adult))\"\n"),
            "l1(age, discrete(region), day, seen, discrete(adult))");
}

TEST(CheckAgainstCatalog, ReadyMetricsAreWrittenOut) {
  const std::string rest =
      "primary_key = [\"id\"]\npublic_columns = [\"region\", \"adult\", \"photo\", \"patient\", \"Mixed\"]\n";
  const std::string quoted =
      "primary_key = [\"id\"]\npublic_columns = [\"region\", \"adult\", \"photo\", \"patient\", '\"Mixed\"']\n";
  EXPECT_EQ(metric_of("metric = \"manhattan\"\n" + quoted), "l1(age, cost, weight, day, seen)");
  EXPECT_EQ(metric_of("metric = \"maximum\"\n" + quoted), "linf(age, cost, weight, day, seen)");
  EXPECT_EQ(metric_of("metric = \"euclidean\"\n" + quoted), "l2(age, cost, weight, day, seen)");
  EXPECT_NE(metric_of("metric = \"manhattan\"\n" + rest).find("no column mixed"), std::string::npos);
  EXPECT_NE(metric_of("metric = \"manhattan\"\n").find("cannot measure column region (text)"), std::string::npos);
  EXPECT_NE(metric_of("metric = \"hamming\"\n").find("cannot measure column photo (BLOB)"), std::string::npos);
  EXPECT_EQ(metric_of("metric = \"hamming\"\nprimary_key = [\"id\"]\npublic_columns = [\"photo\", \"age\", \"cost\", "
                      "\"weight\", \"day\", \"seen\", \"patient\", '\"Mixed\"']\n"),
            "linf(discrete(region), discrete(adult))");
  EXPECT_NE(metric_of("metric = \"hamming\"\nprimary_key = [\"id\"]\npublic_columns = [\"photo\", \"age\", \"cost\", "
                      "\"weight\", \"day\", \"seen\", \"patient\", '\"Mixed\"', \"region\", \"adult\"]\n")
                .find("finds no column that moves"),
            std::string::npos);
}

TEST(CheckAgainstCatalog, NormalizedManhattanDividesByTheWidthRoundedDown) {
  const auto normalized = [](const std::string& facts) {
    return metric_of(
        "metric = \"normalized_manhattan\"\nprimary_key = [\"id\"]\n"
        "public_columns = [\"cost\", \"weight\", \"region\", \"adult\", \"photo\", \"patient\", '\"Mixed\"']\n"
        "[tables.visit.columns]\n" +
        facts);
  };
  EXPECT_EQ(normalized("age = { min = 0, max = 100 }\nday = { min = 2020-01-01, max = 2020-01-11 }\n"
                       "seen = { min = 2020-01-01, max = 2020-01-01T00:00:03 }\n"),
            "l1(0.01 * age, 0.1 * day, 0.333333333333333333 * seen)");
  const std::string others =
      "day = { min = 2020-01-01, max = 2020-01-11 }\nseen = { min = 2020-01-01, max = 2020-01-02 }\n";
  // 1 / 86400 = 0.0000115740740..: two dates as bounds of a timestamp still count in seconds.
  EXPECT_NE(normalized("age = { min = 0, max = 7 }\n" + others)
                .find("l1(0.142857142857142857 * age, 0.1 * day, "
                      "0.000011574074074074074 * seen)"),
            std::string::npos)
      << normalized("age = { min = 0, max = 7 }\n" + others);
  EXPECT_NE(normalized("age = { min = 0 }\n" + others).find("needs min and max of column age"), std::string::npos);
  EXPECT_NE(normalized("age = { min = 3, max = 3 }\n" + others).find("cannot move"), std::string::npos);
  EXPECT_NE(normalized("age = { min = 0, max = 1e300 }\n" + others).find("do not give a width"), std::string::npos);
}

}  // namespace
}  // namespace tacit
