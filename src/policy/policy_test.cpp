#include "policy/policy.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/policy_head.hpp"
#include "support/temporary_folder.hpp"

namespace tacit {
namespace {

// One policy with tables of every model (docs/policy.md).
constexpr const char* whole_example = R"toml(
[engine]
url = "duckdb:shop.duckdb"
timeout = "60s"
memory = "4GB"
threads = 2

[ledger]
path = "shop.ledger"

[defaults]
epsilon = 1.0
delta   = 1e-9
epsilon_min = 0.001
epsilon_max = 4.0

[budget]
epsilon = 40.0
delta   = 1e-6
[budget.analysts]
ana = { epsilon = 20.0, delta = 5e-7 }
bo  = { epsilon = 20.0, delta = 5e-7 }

[users]
max_groups = 5
[tables.customer]
owner = "c_custkey"
primary_key = ["c_custkey"]
[tables.orders]
owner_through = { columns = ["o_custkey"], references = "customer" }
primary_key = ["o_orderkey"]
[tables.nation]
public = true
primary_key = ["n_nationkey"]

[tables.visit]
rows = "add-remove"
source = "visits.parquet"
primary_key = ["id"]
dependencies = ["patient ->[3] doctor", "doctor -> hospital"]

[tables.ship]
primary_key = ["id"]
metric = "l1(0.1 * l2(x, y), 2 * ln(speed))"
public_columns = ["id", "name", "flag"]
rows_combine = "l1"
sensitive_rows = "flag <> 'PUBLIC'"
[tables.ship.columns]
speed = { min = 1, max = 60, step = 0.1 }
kind  = { values = ["ferry", "cargo"] }

[tables.employee]
rows = "replace"

[metric]
tables_combine = "l1"
beta = 0.2
)toml";

const std::string head = testing::policy_head({.epsilon = 10});

Policy parsed(const std::string& text, const std::string& path = "shop.toml") {
  auto policy = parse_policy(text, path);
  if (!policy) {
    ADD_FAILURE() << to_line(policy.error());
    return {};
  }
  return std::move(*policy);
}

TEST(Policy, ReadsTheDesignExample) {
  const Policy policy = parsed(whole_example);
  ASSERT_EQ(policy.tables.size(), 6u);
  EXPECT_EQ(policy.engine.url, "duckdb:shop.duckdb");
  EXPECT_EQ(policy.engine.timeout_seconds, 60.0);
  EXPECT_EQ(policy.engine.memory_bytes, 4'000'000'000u);
  EXPECT_EQ(policy.engine.threads, 2);
  EXPECT_EQ(policy.ledger_path, "shop.ledger");
  EXPECT_EQ(policy.defaults.delta, Delta{1e-9});
  EXPECT_EQ(policy.budget.global.epsilon, Epsilon{40.0});
  EXPECT_EQ(policy.budget.analysts.at("bo").delta, Delta{5e-7});
  EXPECT_EQ(policy.users.max_groups, 5);
  EXPECT_EQ(policy.metric_beta, 0.2);

  EXPECT_EQ(policy.tables[0].name.name, "customer") << "tables keep the order of the file";
  const auto& orders = std::get<UsersTable>(policy.tables[1].model);
  EXPECT_EQ(std::get<OwnerThrough>(orders.owner).references, (TableName{"", "customer"}));
  EXPECT_TRUE(policy.tables[2].is_public());

  const TablePolicy& visit = policy.tables[3];
  EXPECT_EQ(std::get<RowsTable>(visit.model).neighbour, RowNeighbour::add_remove);
  EXPECT_EQ(visit.source, "visits.parquet");
  ASSERT_EQ(visit.dependencies.size(), 2u);
  EXPECT_EQ(visit.dependencies[0].limit, 3);
  EXPECT_EQ(visit.dependencies[1].to, std::vector<std::string>{"hospital"});
  EXPECT_EQ(visit.place.key, "tables.visit");
  EXPECT_EQ(visit.place.line, 36);

  const TablePolicy& ship = policy.tables[4];
  const auto& model = std::get<MetricTable>(ship.model);
  EXPECT_EQ(to_string(*model.metric), "l1(0.1 * l2(x, y), 2 * ln(speed))");
  EXPECT_EQ(model.sensitive_rows, "flag <> 'PUBLIC'");
  EXPECT_EQ(std::get<Decimal>(*ship.columns.at("speed").max), (Decimal{60, 0}));
  EXPECT_EQ(*ship.columns.at("speed").step, (Decimal{1, 1}));
  EXPECT_EQ(ship.columns.at("kind").values.size(), 2u);
  EXPECT_EQ(std::get<RowsTable>(policy.tables[5].model).neighbour, RowNeighbour::replace);
}

TEST(Policy, ReadsAMetricPolicyOfManyTables) {
  const Policy policy = parsed(R"toml(
[engine]
url = "duckdb:tpch.duckdb"
[defaults]
epsilon = 1.0
[budget]
epsilon = 1000000
[budget.analysts]
bench = { epsilon = 1000000 }
[metric]
tables_combine = "l1"
[tables.part]
primary_key = ["p_partkey"]
metric = "l1(p_size, 0.01 * p_retailprice)"
rows_combine = "l1"
public_columns = ["p_partkey", "p_name"]
[tables.partsupp]
primary_key = ["ps_partkey", "ps_suppkey"]
metric = "l1(ps_availqty, 0.01 * ps_supplycost)"
public_columns = ["ps_partkey", "ps_suppkey"]
dependencies = ["ps_partkey ->[4] ps_suppkey"]
[tables.customer]
primary_key = ["c_custkey"]
metric = "0.01 * c_acctbal"
rows_combine = "linf"
[tables.lineitem]
primary_key = ["l_orderkey", "l_linenumber"]
metric = "l1(l_quantity, 0.0001 * l_extendedprice, 50 * l_discount, linf(l_shipdate, l_commitdate, l_receiptdate))"
rows_combine = "lp(3)"
dependencies = ["l_orderkey ->[7] l_linenumber"]   # a comment
[tables.lineitem.columns]
l_discount = { min = 0, max = 0.9, step = 0.01 }
l_quantity = { step = 1 }
[tables.nation]
public = true
primary_key = ["n_nationkey"]
)toml");
  ASSERT_EQ(policy.tables.size(), 5u);
  EXPECT_TRUE(std::get<MetricTable>(policy.tables[2].model).rows_combine.infinite);
  EXPECT_EQ(std::get<MetricTable>(policy.tables[3].model).rows_combine.p, (Decimal{3, 0}));
  EXPECT_EQ(columns_of(*std::get<MetricTable>(policy.tables[3].model).metric).size(), 6u);
  EXPECT_EQ(policy.budget.global.delta, Delta{0.0});
  EXPECT_EQ(to_string(std::get<Decimal>(*policy.tables[3].columns.at("l_discount").max)), "0.9");
}

TEST(Policy, AbsentPartsHaveTheDefaultsOfTheDocumentation) {
  const Policy policy = parsed(head + "[tables.t]\npublic = true\n", "dir/shop.toml");
  EXPECT_EQ(policy.engine.timeout_seconds, 60.0);
  EXPECT_FALSE(policy.engine.memory_bytes);
  EXPECT_FALSE(policy.engine.threads);
  EXPECT_EQ(policy.defaults.epsilon, Epsilon{1.0});
  EXPECT_EQ(policy.defaults.epsilon_min, Epsilon{0.001});
  EXPECT_EQ(policy.defaults.epsilon_max, Epsilon{4.0});
  EXPECT_FALSE(policy.users.max_groups);
  EXPECT_FALSE(policy.users.max_rows_per_group);
  EXPECT_FALSE(policy.users.max_rows);
  EXPECT_FALSE(policy.users.selection);
  EXPECT_EQ(policy.users.bounds, BoundsInference::histogram);
  EXPECT_EQ(policy.tables_combine, NormExponent{});
  EXPECT_EQ(policy.directory, "dir");
  EXPECT_EQ(policy.ledger_path, "dir/shop.ledger");
  EXPECT_EQ(policy.resolve("a.parquet"), "dir/a.parquet");
  EXPECT_EQ(policy.resolve("/a.parquet"), "/a.parquet");
}

TEST(Policy, ReadsHowTheUsersModelBoundsAUser) {
  const Policy policy = parsed(head + R"toml([tables.t]
owner = "who"
[users]
max_groups = 3
max_rows_per_group = 20
max_rows = 36
group_selection = "threshold"
bounds_inference = "race"
)toml");
  EXPECT_EQ(policy.users.max_groups, 3);
  EXPECT_EQ(policy.users.max_rows_per_group, 20);
  EXPECT_EQ(policy.users.max_rows, 36);
  EXPECT_EQ(policy.users.selection, GroupSelection::threshold);
  EXPECT_EQ(policy.users.bounds, BoundsInference::race);
}

TEST(Policy, NumbersAreExactAsWritten) {
  const Policy policy = parsed(head + R"toml([tables.t]
rows = "add-remove"
[tables.t.columns]
a = { min = 0.1, max = 0.30 }
b = { min = -1_000.50, max = 12345678901234567890.12 }
c = { min = 1e-3, max = 1e300 }
d = { min = "0.10", max = "79228162514264337593543950335" }
"é" = { min = 0.7, max = 0xFF }
e = { min = 2020-01-31, max = 2020-02-01T10:30:00.25 }
f = { values = [0.1, 0.25] }
g = { min = "2020-01-31", max = "2020-01-31 23:59" }
)toml");
  const auto& columns = policy.tables.at(0).columns;
  const auto text = [&](const char* column, bool upper) {
    const ColumnPolicy& facts = columns.at(column);
    return to_string(upper ? *facts.max : *facts.min);
  };
  EXPECT_EQ(text("a", false), "0.1");
  EXPECT_EQ(text("a", true), "0.30");
  EXPECT_EQ(text("b", false), "-1000.50");
  EXPECT_EQ(text("b", true), "12345678901234567890.12") << "more digits than a double holds";
  EXPECT_EQ(text("c", false), "0.001");
  EXPECT_EQ(std::get<double>(*columns.at("c").max), 1e300);
  EXPECT_EQ(text("d", true), "79228162514264337593543950335");
  EXPECT_EQ(text("é", false), "0.7");
  EXPECT_EQ(text("é", true), "255");
  EXPECT_EQ(text("e", false), "2020-01-31");
  EXPECT_EQ(text("e", true), "2020-02-01 10:30:00.25");
  EXPECT_EQ(to_string(columns.at("f").values[1]), "0.25");
  EXPECT_TRUE(std::holds_alternative<Date>(*columns.at("g").min));
  EXPECT_TRUE(std::holds_alternative<Timestamp>(*columns.at("g").max));
}

TEST(Policy, NamesFoldAsPostgresqlFoldsThem) {
  const Policy policy = parsed(head + R"toml([tables.Visit]
rows = "add-remove"
primary_key = ["ID", '"Id"']
[tables.Visit.columns]
Age = { min = 0, max = 120 }
'"Age"' = { min = 1, max = 2 }
[tables."hr.Salary"]
public = true
[tables.'"Quoted Name"']
public = true
[tables.'hr."Sal.ary"']
public = true
)toml");
  ASSERT_EQ(policy.tables.size(), 4u);
  EXPECT_EQ(policy.tables[0].name, (TableName{"", "visit"}));
  EXPECT_EQ(policy.tables[0].primary_key, (std::vector<std::string>{"id", "Id"}));
  EXPECT_EQ(policy.tables[0].column_order, (std::vector<std::string>{"age", "Age"}));
  EXPECT_EQ(policy.tables[1].name, (TableName{"hr", "salary"}));
  EXPECT_EQ(policy.tables[2].name, (TableName{"", "Quoted Name"}));
  EXPECT_EQ(policy.tables[3].name, (TableName{"hr", "Sal.ary"}));
  EXPECT_EQ(policy.find_table({"hr", "salary"}), &policy.tables[1]);
  EXPECT_EQ(policy.find_table({"", "salary"}), nullptr);
  EXPECT_EQ(to_string(policy.tables[3].name), "hr.\"Sal.ary\"");
  EXPECT_EQ(to_string(policy.tables[2].name), "\"Quoted Name\"");
}

TEST(Policy, CsvColumnsDeclareTypesInTheOrderOfTheFile) {
  const Policy policy = parsed(head + R"toml([tables.t]
rows = "replace"
source = "data/T.CSV.GZ"
[tables.t.columns]
z = { type = "bigint" }
a = { type = "Decimal(12, 2)", min = 0, max = 1 }
[tables.t.columns.m]
type = "timestamp"
)toml");
  const TablePolicy& table = policy.tables.at(0);
  EXPECT_EQ(table.column_order, (std::vector<std::string>{"z", "a", "m"}));
  EXPECT_EQ(table.columns.at("a").type, SqlType::decimal(12, 2));
  EXPECT_EQ(table.columns.at("z").type, SqlType::integer(64));
  EXPECT_EQ(table.columns.at("m").type, SqlType::timestamp());
}

TEST(Policy, EveryEngineUrlOfTheGrammarIsRead) {
  for (const char* url : {"duckdb:", "duckdb:a/b.duckdb", "postgresql://ana@db.example/shop",
                          "postgres://h:5432/db?sslmode=require", "spark://host:7077"}) {
    const auto policy =
        parse_policy(std::string("[engine]\nurl = \"") + url +
                         "\"\n[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n[tables.t]\npublic = true\n",
                     "p.toml");
    EXPECT_TRUE(policy) << url << to_line(policy.error());
  }
}

TEST(Policy, AReadyMetricFixesHowRowsAndTablesCombine) {
  const auto combined = [](const std::string& tables) {
    const Policy policy = parsed(head + tables);
    if (policy.tables.empty()) return std::string("refused");
    return to_string(std::get<MetricTable>(policy.tables[0].model).rows_combine) + " " +
           to_string(policy.tables_combine);
  };
  const std::string other = "[tables.u]\nmetric = \"x\"\n";
  EXPECT_EQ(combined("[tables.t]\nmetric = \"hamming\"\n" + other), "l1 l1");
  EXPECT_EQ(combined("[tables.t]\nmetric = \"manhattan\"\n" + other), "l1 l1");
  EXPECT_EQ(combined("[tables.t]\nmetric = \"normalized_manhattan\"\n" + other), "l1 l1");
  EXPECT_EQ(combined("[tables.t]\nmetric = \"maximum\"\n" + other), "linf linf");
  EXPECT_EQ(combined("[tables.t]\nmetric = \"euclidean\"\n" + other), "l2 l2");
  EXPECT_EQ(combined("[tables.t]\nmetric = \"euclidean\"\nrows_combine = \"lp(2)\"\n[tables.u]\nmetric = "
                     "\"euclidean\"\n[metric]\ntables_combine = \"l2\"\n"),
            "l2 l2");
  EXPECT_EQ(combined("[tables.t]\nmetric = \"maximum\"\n[metric]\ntables_combine = \"l1\"\n"), "linf l1")
      << "nothing is combined with one table";
  EXPECT_EQ(combined("[tables.t]\nmetric = \"linf(x, y)\"\n" + other), "l1 l1") << "written out, only columns";
}

TEST(Policy, PlacesOfKeysAreKnown) {
  const Policy policy = parsed(whole_example);
  EXPECT_EQ(policy.place_of("tables.visit.primary_key").line, 39);
  EXPECT_EQ(policy.place_of("tables.visit.nothing").line, 36) << "the nearest key above";
  EXPECT_EQ(policy.place_of("tables.ship.columns.kind.values").line, 50);
  EXPECT_EQ(policy.place_of("nothing").line, 1);
}

// Every example of docs/policy.md is a policy, once the sections it leaves out are there.
TEST(Policy, TheExamplesOfTheDocumentationAreRead) {
  std::ifstream file(TACIT_SOURCE_DIR "/docs/policy.md");
  ASSERT_TRUE(file);
  std::vector<std::string> examples;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line == "```toml";
      if (inside) examples.emplace_back();
    } else if (inside) {
      examples.back() += line + '\n';
    }
  }
  EXPECT_GE(examples.size(), 8u);
  for (std::string example : examples) {
    if (example.find("[engine]") == std::string::npos) example += "[engine]\nurl = \"duckdb:\"\n";
    if (example.find("[budget]") == std::string::npos) example += "[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n";
    const auto policy = parse_policy(example, "example.toml");
    EXPECT_TRUE(policy) << example << to_line(policy.error());
  }
}

class PolicyFile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    directory_.write(name, text);
    return directory_.file(name);
  }
  testing::TemporaryFolder directory_;
};

TEST_F(PolicyFile, IsReadFromDisk) {
  const std::string path = write("shop.toml", whole_example);
  const auto policy = read_policy(path);
  ASSERT_TRUE(policy) << to_line(policy.error());
  EXPECT_EQ(policy->path, path);
  EXPECT_EQ(policy->ledger_path, directory_.file("shop.ledger"));
}

TEST_F(PolicyFile, UnusableFilesAreRefused) {
  const auto why = [](const std::string& path) {
    const auto policy = read_policy(path);
    if (policy) return std::string("read");
    EXPECT_EQ(policy.error().code, FailureCode::usage);
    EXPECT_EQ(policy.error().where.rfind(path, 0), 0u);
    return policy.error().what;
  };
  EXPECT_EQ(why(directory_.file("none.toml")), "the policy file does not exist");
  EXPECT_EQ(why(directory_.path().string()), "the policy is a directory");
  EXPECT_EQ(why(write("huge.toml", std::string(4'000'001, '#'))), "the policy is larger than 4 MB");
  EXPECT_NE(why(write("latin1.toml", "[engine]\nurl = \"caf\xe9\"\n")).find("not valid TOML"), std::string::npos);
  EXPECT_NE(why(write("binary.toml", std::string("\0\1\2", 3))).find("not valid TOML"), std::string::npos);
  EXPECT_NE(why(write("empty.toml", "")).find("`engine`: section missing"), std::string::npos);
}

}  // namespace
}  // namespace tacit
