#include "policy/describe/describe_policy.hpp"

#include <gtest/gtest.h>

#include "policy/describe/policy_warnings.hpp"

namespace tacit {
namespace {

constexpr const char* shop = R"toml([engine]
url = "duckdb:shop.duckdb"
memory = "512MB"
threads = 1
[budget]
epsilon = 10
delta = 1e-6
[budget.analysts]
ana = { epsilon = 6, delta = 1e-6 }
bo = { epsilon = 6 }
[tables.visit]
rows = "add-remove"
primary_key = ["id"]
source = "visits.parquet"
dependencies = ["patient ->[3] doctor"]
[tables.visit.columns]
region = { values = ["north", "south"] }
age = { min = 0, max = 120, step = 1 }
[tables.ship]
metric = "l1(x, y)"
public_columns = ["id"]
sensitive_rows = "flag"
[tables.person]
owner = "pid"
primary_key = ["pid"]
[tables.sale]
owner_through = { columns = ["buyer"], references = "person" }
columns.pid = { min = 1 }
[tables.nation]
public = true
[tables.staff]
rows = "replace"
)toml";

Policy parsed(const std::string& text) {
  auto policy = parse_policy(text, "shop.toml");
  if (!policy) {
    ADD_FAILURE() << to_line(policy.error());
    return {};
  }
  return std::move(*policy);
}

TEST(DescribePolicy, SaysWhatIsProtectedAndWhatCanBeAsked) {
  EXPECT_EQ(describe_policy(parsed(shop)), R"(policy shop.toml
engine duckdb:shop.duckdb, timeout 60 s, memory 512 MB, 1 thread
ledger shop.ledger
query  epsilon 1 unless the analyst asks for 0.001 to 4; delta 0
users  max_groups auto: what one person adds to all groups is bounded, found with noise
budget epsilon 10, delta 1e-06 over all analysts
  ana: epsilon 6, delta 1e-06
  bo: epsilon 6
table visit
  rows, add-remove: hides whether any one row is there, and what it says
  supported: COUNT; SUM and AVG of age; GROUP BY and COUNT(DISTINCT) over region
  file: visits.parquet
  primary key: id
  dependency: patient ->[3] doctor
  region: 2 values
  age: from 0 to 120 in steps of 1
table ship
  metric l1(x, y): hides how far rows moved; rows combine by l1; which rows there are is known
  distance 1: one row moves x by 1, or y by 1; the distances of rows add up
  public columns: id
  private rows: flag (a NULL counts as private)
table person
  users: hides any one owner (pid) with all rows they own; rows without an owner are left out
  supported: COUNT, SUM, AVG, variances, quantiles; any GROUP BY (at a delta where no list names the groups); bounds nobody stated are found privately
  primary key: pid
table sale
  users: a row belongs to whoever owns the row of person that (buyer) leads to
  supported: COUNT, SUM, AVG, variances, quantiles; any GROUP BY (at a delta where no list names the groups); bounds nobody stated are found privately
  pid: from 1
table nation
  public: everyone may know every row
table staff
  rows, replace: hides what any one row says; the number of rows is known
  supported: COUNT
)");
}

TEST(DescribePolicy, SaysInWordsWhatDistanceOneIs) {
  const auto distance = [](const std::string& model) {
    const std::string text = describe_policy(
        parsed("[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n[tables.t]\n" + model));
    const std::string mark = "distance 1: ";
    const std::size_t begin = text.find(mark) + mark.size();
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(distance("metric = \"hamming\"\n"), "one row differs, in one column or in all of them");
  EXPECT_EQ(distance("metric = \"manhattan\"\n"), "all changes of all rows add up to 1");
  EXPECT_EQ(distance("metric = \"maximum\"\n"), "every column of every row moves by at most 1");
  EXPECT_EQ(distance("metric = \"euclidean\"\n"), "the squares of all changes of all rows add up to 1");
  EXPECT_NE(distance("metric = \"normalized_manhattan\"\n").find("whole declared range"), std::string::npos);
  EXPECT_EQ(
      distance("metric = \"l1(0.1 * l2(x, y), 2 * ln(v), discrete(k), 0.5 * discrete(m))\"\ncolumns.v = { min = "
               "1 }\n"),
      "one row moves x by 10, or y by 10, or v by a factor of 1.64872, or k to any other value, or m to any other "
      "value (which counts 0.5); the distances of rows add up");
  EXPECT_EQ(distance("metric = \"0.5 * x\"\nrows_combine = \"linf\"\n"),
            "one row moves x by 2; every row may move so far at once");
}

TEST(PolicyWarnings, NameWhatTheOwnerProbablyDidNotMean) {
  const auto warnings = policy_warnings(parsed(shop));
  const std::vector<std::string> expected = {
      "shop.toml:8: `budget.analysts`: the allowances add up to epsilon 12, more than the global cap 10: who asks late "
      "finds the budget gone",
      "shop.toml:1: `defaults.delta`: GROUP BY over values that no list in the policy names needs a delta, and a query "
      "has none unless the analyst gives one: write one in [defaults], such as delta = 1e-9",
      "shop.toml:8: `budget.analysts`: GROUP BY over values that no list in the policy names needs a delta, and bo may "
      "spend none: add delta to the line",
      "shop.toml:18: `tables.visit.columns.age.step`: a step is for conditions on columns that a metric measures; here "
      "only `policy check --verify` looks at it",
      "shop.toml:26: `tables.sale`: column pid looks like a second way to an owner, through person: rows have one "
      "owner "
      "only, and whoever that column names is not protected",
      "shop.toml:29: `tables.nation`: a public table without primary_key cannot be joined to a private one",
      "shop.toml:31: `tables.staff`: no column has min and max: counts are supported, SUM and AVG are not"};
  EXPECT_EQ(warnings, expected);
}

// "any GROUP BY" is a promise that a delta of 0 breaks.
TEST(PolicyWarnings, TablesOfPeopleWithoutADelta) {
  const auto warnings =
      policy_warnings(parsed("[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 1\n[budget.analysts]\n"
                             "ana = { epsilon = 1 }\n[tables.person]\nowner = \"pid\"\n"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("`budget.delta`: GROUP BY over values that no list"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("such as 1e-6, 1e-6 and 1e-9"), std::string::npos) << warnings[0];
}

TEST(PolicyWarnings, BudgetsThatCannotBeUsed) {
  const auto warnings = policy_warnings(
      parsed("[engine]\nurl = \"duckdb:\"\n[defaults]\nepsilon_min = 0.5\ndelta = 1e-6\n[budget]\nepsilon = 1\n"
             "[budget.analysts]\nana = { epsilon = 0.25 }\n[tables.n]\npublic = true\nprimary_key = [\"a\"]\n"));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("ana may spend 0.25, less than the least price"), std::string::npos);
  EXPECT_NE(warnings[1].find("shop.toml:5: `defaults.delta`"), std::string::npos);
}

TEST(PolicyWarnings, AnExactSplitOfTheBudgetIsFine) {
  const auto warnings = policy_warnings(
      parsed("[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 0.3\n[budget.analysts]\na = { epsilon = 0.1 }\n"
             "b = { epsilon = 0.1 }\nc = { epsilon = 0.1 }\n[tables.n]\npublic = true\nprimary_key = [\"a\"]\n"));
  EXPECT_TRUE(warnings.empty()) << warnings.front();
}

TEST(PolicyWarnings, AForeignKeyToPeopleThatThePolicyDoesNotMention) {
  const Policy policy = parsed(
      "[engine]\nurl = \"duckdb:\"\n[defaults]\ndelta = 1e-9\n[budget]\nepsilon = 1\ndelta = 1e-6\n"
      "[budget.analysts]\nana = { epsilon = 1, delta = 1e-6 }\n"
      "[tables.person]\nowner = \"pid\"\nprimary_key = [\"pid\"]\n"
      "[tables.sale]\nowner_through = { columns = [\"buyer\"], references = \"person\" }\n");
  const SqlType number = SqlType::integer(64);
  CatalogTable person{"main", "person", {{"pid", number, "BIGINT", true}, {"boss", number, "BIGINT"}}, {{"pid"}}};
  CatalogTable sale{"main", "sale", {{"buyer", number, "BIGINT"}, {"seller", number, "BIGINT"}}, {}};
  sale.foreign_keys = {{{"buyer"}, "main", "person", {"pid"}}};
  const Catalog one{{"main"}, {person, sale}};
  EXPECT_TRUE(policy_warnings(policy, &one).empty());
  sale.foreign_keys.push_back({{"seller"}, "main", "person", {"pid"}});
  person.foreign_keys = {{{"boss"}, "main", "person", {"pid"}}};
  const Catalog two{{"main"}, {person, sale}};
  const auto warnings = policy_warnings(policy, &two);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("`tables.person`: the foreign key (boss) is a second way to an owner"), std::string::npos);
  EXPECT_NE(warnings[1].find("`tables.sale`: the foreign key (seller) is a second way to an owner"), std::string::npos);
}

TEST(PolicyWarnings, KeysTheEngineDoesNotEnforce) {
  const Policy policy = parsed(
      "[engine]\nurl = \"duckdb:\"\n[defaults]\ndelta = 1e-9\n[budget]\nepsilon = 1\ndelta = 1e-6\n"
      "[budget.analysts]\nana = { epsilon = 1, delta = 1e-6 }\n"
      "[tables.nation]\npublic = true\nprimary_key = [\"a\"]\n"
      "[tables.person]\nowner = \"pid\"\nprimary_key = [\"pid\"]\n"
      "[tables.sale]\nowner_through = { columns = [\"buyer\"], references = \"person\" }\n");
  EXPECT_TRUE(policy_warnings(policy).empty()) << "without a catalog nothing is known";
  const auto catalog = [](bool enforced) {
    const std::vector<std::vector<std::string>> none;
    const SqlType number = SqlType::integer(64);
    CatalogTable nation{"main", "nation", {{"a", number, "BIGINT", true}}, none};
    CatalogTable person{"main", "person", {{"pid", number, "BIGINT", true}}, none};
    CatalogTable sale{"main", "sale", {{"buyer", number, "BIGINT", true}}, none};
    if (enforced) nation.unique_keys = {{"a"}};
    if (enforced) person.unique_keys = {{"pid"}};
    return Catalog{{"main"}, {nation, person, sale}};
  };
  const Catalog enforcing = catalog(true);
  EXPECT_TRUE(policy_warnings(policy, &enforcing).empty());
  const Catalog careless = catalog(false);
  const auto warnings = policy_warnings(policy, &careless);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("shop.toml:12: `tables.nation.primary_key`"), std::string::npos);
  EXPECT_NE(warnings[1].find("shop.toml:17: `tables.sale.owner_through`"), std::string::npos);
}

// A sigmoid of precision 5 over [0, 0.1] lies between 0.38 and 0.62: an empty window finds millions.
TEST(PolicyWarnings, APrecisionThatTellsNoValuesApartIsNamed) {
  const auto ship = [](const std::string& facts) {
    return parsed(
        "[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n[tables.ship]\n"
        "metric = \"x\"\ncolumns.x = { " +
        facts + " }\n");
  };
  const auto warnings = policy_warnings(ship("min = 0, max = 0.1, precision = 5"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("shop.toml:8: `tables.ship.columns.x.precision`: "), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("at least 40"), std::string::npos) << warnings[0];
  EXPECT_TRUE(policy_warnings(ship("min = 0, max = 0.1, precision = 50")).empty());
  EXPECT_TRUE(policy_warnings(ship("precision = 5")).empty());
  EXPECT_NE(describe_policy(ship("precision = 5")).find("x: with soft conditions of precision 5"), std::string::npos);
}

}  // namespace
}  // namespace tacit
