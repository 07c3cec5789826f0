#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "policy/policy.hpp"

namespace tacit {
namespace {

// Every way a policy can be wrong that needs no engine: each case names the line, the key and a part of the sentence.
struct BadPolicy {
  std::string text;
  int line;
  std::string key;   // in the message between backticks; empty for TOML syntax
  std::string what;  // part of the sentence, after the key
  std::string hint = "";
};

// Lines 1 to 6; what is added starts at line 7.
const std::string head =
    "[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 10\n[budget.analysts]\nana = { epsilon = 10 }\n";
// Lines 7 and 8; what is added starts at line 9.
const std::string rows = "[tables.t]\nrows = \"add-remove\"\n";
const std::string metric = "[tables.t]\nprimary_key = [\"id\"]\n";
const std::string table = "[tables.t]\npublic = true\n";

std::string engine(const std::string& lines) {
  return "[engine]\n" + lines + "\n[budget]\nepsilon = 10\n[budget.analysts]\nana = { epsilon = 10 }\n" + table;
}
std::string budget(const std::string& lines) { return "[engine]\nurl = \"duckdb:\"\n" + table + lines; }  // from line 5
std::string with(const std::string& lines) { return head + lines; }
std::string rows_with(const std::string& lines) { return head + rows + lines; }
std::string metric_with(const std::string& lines) { return head + metric + lines; }
std::string column(const std::string& facts) { return rows_with("columns.c = { " + facts + " }\n"); }
std::string attacker(const std::string& lines) { return rows_with("[[attackers]]\n" + lines); }  // from line 10
std::string secret(const std::string& secret) {
  return attacker("name = \"a\"\nadvantage = 0.1\nall_of = [ { " + secret + " } ]\n");  // line 12
}

void expect_refused(const std::vector<BadPolicy>& cases) {
  for (const auto& bad : cases) {
    const auto policy = parse_policy(bad.text, "p.toml");
    if (policy) {
      ADD_FAILURE() << "accepted: " << bad.text;
      continue;
    }
    const Failure& failure = policy.error();
    const std::string context = bad.text + "\n-> " + to_line(failure);
    EXPECT_EQ(failure.code, FailureCode::usage) << context;
    EXPECT_EQ(failure.where.substr(0, failure.where.find(':', 7)), fmt::format("p.toml:{}", bad.line)) << context;
    const std::string beginning = bad.key.empty() ? "the policy is not valid TOML" : "`" + bad.key + "`: ";
    EXPECT_TRUE(failure.what.starts_with(beginning)) << context;
    EXPECT_NE(failure.what.find(bad.what), std::string::npos) << context;
    EXPECT_NE(failure.hint.find(bad.hint), std::string::npos) << context;
    EXPECT_FALSE(failure.hint.empty()) << context;
    EXPECT_LT(to_line(failure).size(), 700u) << context;
  }
}

TEST(BadPolicy, Syntax) {
  std::string dots = "a";
  for (int i = 0; i < 100'000; ++i) dots += ".a";
  expect_refused({
      {"[engine\n", 1, "", "not valid TOML"},
      {"\n[,x]\n", 2, "", "not valid TOML"},
      {"\n[tables.é]\n", 2, "", "not valid TOML"},
      {"é = 1\n", 1, "", "not valid TOML"},
      {"x = \"\"\"\\é\"\"\"\n", 1, "", "not valid TOML"},
      {"[[ ,x]]\n", 1, "", "not valid TOML"},
      {"x = { , }\n", 1, "", "not valid TOML"},
      {"[engine]\nurl = duckdb\n", 2, "", "not valid TOML"},
      {"[engine]\nurl = \"a\"\nurl = \"b\"\n", 3, "", "not valid TOML"},
      {"x = \"" + std::string(100'000, 'x') + "\n", 1, "", "not valid TOML"},
      {with("[tables.t]\npublic = true\n[tables.t]\npublic = true\n"), 9, "", "not valid TOML"},
      {"\n" + dots + " = 1\n", 2, "", "more than 32 parts"},
      {"[" + dots + "]\n", 1, "", "more than 32 parts"},
      {"x = { " + dots + " = 1 }\n", 1, "", "more than 32 parts"},
      {"x = " + std::string(1000, '[') + std::string(1000, ']') + "\n", 1, "", "not valid TOML"},
  });
}

TEST(BadPolicy, TopLevel) {
  expect_refused({
      {"", 1, "engine", "section missing"},
      {"[engine]\nurl = \"duckdb:\"\n" + table, 1, "budget", "section missing"},
      {with(""), 1, "tables", "section missing"},
      {with("[tables]\n"), 7, "tables", "no table is named"},
      {with("tables = 3\n"), 7, "budget.analysts.tables", "expected a table, found a number"},
      {"tables = 3\n" + head, 1, "tables", "expected a table, found a number"},
      {"[engin]\nurl = \"duckdb:\"\n", 1, "engin", "unknown key (did you mean `engine`?)"},
      {with(table + "[bugdet]\nepsilon = 1\n"), 9, "bugdet", "did you mean `budget`?"},
      {"x" + std::string(100'000, 'y') + " = 1\n", 1, "x" + std::string(199, 'y') + "...", "unknown key"},
      {with(table + "[extra]\n"), 9, "extra", "unknown key", "keys known at the top: engine, ledger, defaults"},
  });
}

TEST(BadPolicy, Engine) {
  expect_refused({
      {engine("timeout = \"60s\""), 1, "engine.url", "missing"},
      {engine("urll = \"duckdb:\""), 2, "engine.urll", "did you mean `url`?"},
      {engine("url = \"\""), 2, "engine.url", "found an empty string"},
      {engine("url = 5"), 2, "engine.url", "found a number"},
      {engine("url = \"mysql://h/db\""), 2, "engine.url", "not known", "postgresql://"},
      {engine("url = \"duckdbb:x\""), 2, "engine.url", "did you mean `duckdb`?"},
      {engine("url = \"shop.duckdb\""), 2, "engine.url", "not known"},
      {engine("url = \"duckdb::memory:\""), 2, "engine.url", "expected a file", "\"duckdb:\""},
      {engine("url = \"duckdb:a\\nb\""), 2, "engine.url", "control character"},
      {engine("url = \"postgresql://ana:hunter2@h/db\""), 2, "engine.url", "contains a password", "PGPASSWORD"},
      {engine("url = \"postgresql://ana:hun/ter2@h/db\""), 2, "engine.url", "contains a password"},
      {engine("url = \"postgres://h/db?user=a&pass%77ord=hunter2\""), 2, "engine.url", "contains a password"},
      {engine("url = \"postgres://h/db?sslpassword=hunter2\""), 2, "engine.url", "contains a password"},
      {engine("url = \"duckdb:\"\ntimeout = 60"), 3, "engine.timeout", "expected a time such as \"60s\""},
      {engine("url = \"duckdb:\"\ntimeout = \"60\""), 3, "engine.timeout", "found `60`", "ms, s, m or h"},
      {engine("url = \"duckdb:\"\ntimeout = \"0s\""), 3, "engine.timeout", "found `0s`"},
      {engine("url = \"duckdb:\"\ntimeout = \"-5s\""), 3, "engine.timeout", "found `-5s`"},
      {engine("url = \"duckdb:\"\nmemory = \"lots\""), 3, "engine.memory", "expected a size"},
      {engine("url = \"duckdb:\"\nmemory = \"4gb\""), 3, "engine.memory", "found `4gb`", "GiB"},
      {engine("url = \"duckdb:\"\nmemory = \"99999999TB\""), 3, "engine.memory", "expected a size"},
      {engine("url = \"duckdb:\"\nthreads = 0"), 3, "engine.threads", "a whole number from 1 to 256, found 0"},
      {engine("url = \"duckdb:\"\nthreads = 257"), 3, "engine.threads", "a whole number from 1 to 256"},
      {engine("url = \"duckdb:\"\nthreads = 2.0"), 3, "engine.threads", "a whole number"},
      {engine("url = \"duckdb:\"\ncolor = 1"), 3, "engine.color", "unknown key", "url, timeout, memory, threads"},
      {"engine = 1\n" + table, 1, "engine", "expected a table, found a number", "[engine]"},
  });
}

TEST(BadPolicy, PasswordsAreNeverRepeated) {
  for (const char* url :
       {"postgresql://ana:hunter2@h/db", "mysql://ana:hunter2@h/db", "hunter2", "x://h?password=hunter2"}) {
    const auto policy = parse_policy(engine(std::string("url = \"") + url + "\""), "p.toml");
    ASSERT_FALSE(policy);
    EXPECT_EQ(to_line(policy.error()).find("hunter2"), std::string::npos) << to_line(policy.error());
  }
}

TEST(BadPolicy, Ledger) {
  expect_refused({
      {with(table + "[ledger]\npath = \"\"\n"), 10, "ledger.path", "found an empty string"},
      {with(table + "[ledger]\nfile = \"x\"\n"), 10, "ledger.file", "unknown key"},
      {with(table + "[ledger]\npath = \"./p.toml\"\n"), 10, "ledger.path", "would overwrite the policy"},
      {engine("url = \"duckdb:x.db\"\n[ledger]\npath = \"a/../x.db\""), 4, "ledger.path",
       "would overwrite the database"},
      {engine("url = \"duckdb:p.ledger\""), 1, "ledger", "would overwrite the database", "a file of its own"},
  });
}

TEST(BadPolicy, Budget) {
  const std::string analysts = "[budget.analysts]\nana = { epsilon = 1 }\n";
  expect_refused({
      {budget("[budget]\n" + analysts), 5, "budget.epsilon", "missing"},
      {budget("[budget]\nepsilon = 0\n" + analysts), 6, "budget.epsilon", "expected a number above 0, found 0"},
      {budget("[budget]\nepsilon = -1.5\n" + analysts), 6, "budget.epsilon", "found -1.5"},
      {budget("[budget]\nepsilon = nan\n" + analysts), 6, "budget.epsilon", "found nan or infinity"},
      {budget("[budget]\nepsilon = inf\n" + analysts), 6, "budget.epsilon", "found nan or infinity"},
      {budget("[budget]\nepsilon = \"10\"\n" + analysts), 6, "budget.epsilon", "found a string"},
      {budget("[budget]\nepsilon = 10\ndelta = 1\n" + analysts), 7, "budget.delta", "below 1, found 1"},
      {budget("[budget]\nepsilon = 10\ndelta = -1e-9\n" + analysts), 7, "budget.delta", "at least 0"},
      {budget("[budget]\nepsilon = 10\n"), 5, "budget.analysts", "section missing: who may ask?"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\n"), 7, "budget.analysts", "no analyst is listed"},
      {budget("[budget]\nepsilon = 10\nanalysts = [\"ana\"]\n"), 7, "budget.analysts",
       "expected a table, found an array"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\nana = 5\n"), 8, "budget.analysts.ana", "expected a table"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\nana = {}\n"), 8, "budget.analysts.ana.epsilon", "missing"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\nana = { epsilon = 0 }\n"), 8, "budget.analysts.ana.epsilon",
       "above 0, found 0"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\nana = { epsilon = 11 }\n"), 8, "budget.analysts.ana.epsilon",
       "11 is more than the global cap budget.epsilon = 10"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\nana = { epsilon = 1, delta = 1e-9 }\n"), 8,
       "budget.analysts.ana.delta", "more than the global cap budget.delta = 0"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\nana = { epsilom = 1 }\n"), 8, "budget.analysts.ana.epsilom",
       "did you mean `epsilon`?"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\n\"\" = { epsilon = 1 }\n"), 8, "budget.analysts.\"\"",
       "expected an analyst's name"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\n\"a\\u0007\" = { epsilon = 1 }\n"), 8,
       "budget.analysts.\"a?\"", "printable"},
      {budget("[budget]\nepsilon = 10\n[budget.analysts]\n\"ana \" = { epsilon = 1 }\n"), 8, "budget.analysts.\"ana \"",
       "no space at either end"},
  });
}

TEST(BadPolicy, Defaults) {
  expect_refused({
      {with(table + "[defaults]\nepsilon = 0\n"), 10, "defaults.epsilon", "above 0"},
      {with(table + "[defaults]\nepsilon = 5\n"), 10, "defaults.epsilon", "is not from epsilon_min = 0.001"},
      {with(table + "[defaults]\nepsilon_max = 0.5\n"), 10, "defaults.epsilon_max", "the default epsilon = 1 is not"},
      {with(table + "[defaults]\nepsilon_min = 2\nepsilon = 1\n"), 11, "defaults.epsilon",
       "is not from epsilon_min = 2"},
      {with(table + "[defaults]\nepsilon_min = 3\nepsilon_max = 2\n"), 10, "defaults.epsilon_min", "is empty"},
      {with(table + "[defaults]\nepsilon_min = nan\n"), 10, "defaults.epsilon_min", "nan or infinity"},
      {with(table + "[defaults]\ndelta = 2\n"), 10, "defaults.delta", "below 1"},
      {with(table + "[defaults]\nepsilon = true\n"), 10, "defaults.epsilon", "found true or false"},
      {with(table + "[defaults]\neps = 1\n"), 10, "defaults.eps", "unknown key"},
      {with(table + "[users]\nmax_groups = 0\n"), 10, "users.max_groups", "a whole number from 1"},
      {with(table + "[users]\nmax_group = 1\n"), 10, "users.max_group", "did you mean `max_groups`?"},
      {with(table + "[metric]\nbeta = 1\n"), 10, "metric.beta", "above 0 and below 1, found 1"},
      {with(table + "[metric]\nbeta = 0.0\n"), 10, "metric.beta", "above 0 and below 1"},
      {with(table + "[metric]\ntables_combine = \"l3\"\n"), 10, "metric.tables_combine", "not the name of a norm"},
      {with(table + "[metric]\ntables_combine = \"lp(0.5)\"\n"), 10, "metric.tables_combine", "below 1"},
      {with(table + "[metric]\nalpha = 1\n"), 10, "metric.alpha", "unknown key"},
  });
}

TEST(BadPolicy, Models) {
  expect_refused({
      {with("[tables.t]\n"), 7, "tables.t", "exactly one privacy model, found none", "public = true"},
      {with("[tables.t]\nprimary_key = [\"a\"]\n"), 7, "tables.t", "found none"},
      {with("[tables.t]\nrow = \"add-remove\"\n"), 8, "tables.t.row", "did you mean `rows`?"},
      {with("[tables.t]\npublic = true\nrows = \"replace\"\n"), 9, "tables.t.rows", "found `public` and `rows`"},
      {with("[tables.t]\nowner = \"a\"\nowner_through = { columns = [\"a\"], references = \"t\" }\n"), 9,
       "tables.t.owner_through", "found `owner` and `owner_through`"},
      {with("[tables.t]\nmetric = \"x\"\nrows = \"replace\"\nowner = \"a\"\n"), 9, "tables.t.rows",
       "found `metric` and `rows` and `owner`"},
      {with("[tables.t]\npublic = false\n"), 8, "tables.t.public", "expected true, found false"},
      {with("[tables.t]\npublic = \"true\"\n"), 8, "tables.t.public", "found a string"},
      {with("[tables.t]\nrows = \"addremove\"\n"), 8, "tables.t.rows", "did you mean `add-remove`?"},
      {with("[tables.t]\nrows = true\n"), 8, "tables.t.rows", "found true or false"},
      {rows_with("rows_combine = \"l1\"\n"), 9, "tables.t.rows_combine", "belongs to the metric model"},
      {rows_with("public_columns = [\"a\"]\n"), 9, "tables.t.public_columns", "this table says `rows`"},
      {with(table + "sensitive_rows = \"a\"\n"), 9, "tables.t.sensitive_rows", "this table says `public`"},
      {rows_with("colums = {}\n"), 9, "tables.t.colums", "did you mean `columns`?"},
      {with("[tables.t]\nowner = \"\"\n"), 8, "tables.t.owner", "found an empty string"},
      {with("[tables.t]\nowner = \"a b\"\n"), 8, "tables.t.owner", "needs quotes"},
      {with("[tables]\nt = 5\n"), 8, "tables.t", "expected a table, found a number"},
      {with("[[tables.t]]\npublic = true\n"), 7, "tables.t", "expected a table, found an array"},
  });
}

TEST(BadPolicy, TableNamesAndKeys) {
  expect_refused({
      {with("[tables.hr.salary]\npublic = true\n"), 7, "tables.hr.salary", "unknown key", "[tables.\"hr.salary\"]"},
      {with("[tables.\"a.b.c\"]\npublic = true\n"), 7, "tables.\"a.b.c\"", "more than two parts"},
      {with("[tables.\"a b\"]\npublic = true\n"), 7, "tables.\"a b\"", "needs quotes"},
      {with("[tables.\"1a\"]\npublic = true\n"), 7, "tables.1a", "start with a letter"},
      {with("[tables.\"a.\"]\npublic = true\n"), 7, "tables.\"a.\"", "a name is missing"},
      {with("[tables.\"\"]\npublic = true\n"), 7, "tables.\"\"", "a name is missing"},
      {with("[tables.'\"open']\npublic = true\n"), 7, "tables.'\"open'", "no closing quote"},
      {with("[tables." + std::string(64, 'a') + "]\npublic = true\n"), 7, "tables." + std::string(64, 'a'), "63 bytes"},
      {with("[tables.Visit]\npublic = true\n[tables.visit]\nrows = \"replace\"\n"), 9, "tables.visit",
       "described twice"},
      {rows_with("primary_key = \"id\"\n"), 9, "tables.t.primary_key", "an array of column names, found a string"},
      {rows_with("primary_key = []\n"), 9, "tables.t.primary_key", "an empty array"},
      {rows_with("primary_key = [\"a\", \"A\"]\n"), 9, "tables.t.primary_key", "column a occurs twice"},
      {rows_with("primary_key = [1]\n"), 9, "tables.t.primary_key", "found a number in it"},
      {rows_with("primary_key = [\n\"a\",\n\"\"]\n"), 11, "tables.t.primary_key", "found an empty string in it"},
      {rows_with("primary_key = [\"a b\"]\n"), 9, "tables.t.primary_key", "`a b`"},
  });
}

TEST(BadPolicy, Dependencies) {
  const auto dependency = [](const std::string& text) { return rows_with("dependencies = [\"" + text + "\"]\n"); };
  expect_refused({
      {rows_with("dependencies = \"a -> b\"\n"), 9, "tables.t.dependencies", "an array such as"},
      {rows_with("dependencies = []\n"), 9, "tables.t.dependencies", "an empty array"},
      {dependency("a b"), 9, "tables.t.dependencies", "expected `->`"},
      {dependency("-> b"), 9, "tables.t.dependencies", "missing or malformed"},
      {dependency("a ->"), 9, "tables.t.dependencies", "missing or malformed"},
      {dependency("a ->[0] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[-3] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[x] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[99999999999999999999] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[3 b"), 9, "tables.t.dependencies", "expected `]`"},
      {dependency("a -> a"), 9, "tables.t.dependencies", "column a occurs twice"},
      {dependency("a, A -> b"), 9, "tables.t.dependencies", "column a occurs twice"},
      {dependency("a -> b; c"), 9, "tables.t.dependencies", "text follows"},
      {dependency("a,, b -> c"), 9, "tables.t.dependencies", "missing or malformed"},
  });
}

TEST(BadPolicy, Sources) {
  const auto source = [](const std::string& file) { return rows_with("source = \"" + file + "\"\n"); };
  expect_refused({
      {source("*.parquet"), 9, "tables.t.source", "patterns"},
      {source("a?.parquet"), 9, "tables.t.source", "patterns"},
      {source("a.xlsx"), 9, "tables.t.source", "a .parquet, .csv or .csv.gz file"},
      {source(".csv"), 9, "tables.t.source", "a .parquet, .csv or .csv.gz file"},
      {source("https://h/a.parquet"), 9, "tables.t.source", "on this machine"},
      {source(""), 9, "tables.t.source", "found an empty string"},
      {source("a.csv"), 9, "tables.t.source", "needs its columns declared", "[tables.t.columns]"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { min = 1 }\n"), 10, "tables.t.columns.a.type", "missing"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"int\" }\n"), 10, "tables.t.columns.a.type", "found `int`"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"integr\" }\n"), 10, "tables.t.columns.a.type",
       "did you mean `integer`?"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"decimal(39,2)\" }\n"), 10, "tables.t.columns.a.type",
       "found `decimal(39,2)`"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"decimal(3,4)\" }\n"), 10, "tables.t.columns.a.type",
       "found"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"decimal\" }\n"), 10, "tables.t.columns.a.type", "found"},
      {rows_with("source = \"a.parquet\"\ncolumns.a = { type = \"integer\" }\n"), 10, "tables.t.columns.a.type",
       "only the columns of a CSV file"},
      {column("type = \"integer\""), 9, "tables.t.columns.c.type", "only the columns of a CSV file"},
      {with("[tables.\"s.t\"]\npublic = true\nsource = \"a.parquet\"\n"), 9, "tables.\"s.t\".source", "default schema"},
      {"[engine]\nurl = \"postgresql://h/db\"\n[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n[tables.t]\npublic = "
       "true\n"
       "source = \"a.parquet\"\n",
       8, "tables.t.source", "duckdb engine only"},
  });
}

TEST(BadPolicy, Columns) {
  expect_refused({
      {rows_with("columns = 1\n"), 9, "tables.t.columns", "expected a table"},
      {rows_with("columns.c = 1\n"), 9, "tables.t.columns.c", "expected a table"},
      {rows_with("columns.\"a b\" = { min = 1 }\n"), 9, "tables.t.columns.\"a b\"", "needs quotes"},
      {rows_with("columns.c = { min = 1 }\ncolumns.C = { min = 1 }\n"), 10, "tables.t.columns.C", "described twice"},
      {column("mim = 1"), 9, "tables.t.columns.c.mim", "did you mean `min`?"},
      {column("min = true"), 9, "tables.t.columns.c.min", "expected a number, a date"},
      {column("min = \"low\""), 9, "tables.t.columns.c.min", "found `low`"},
      {column("min = nan"), 9, "tables.t.columns.c.min", "nan or infinity"},
      {column("max = inf"), 9, "tables.t.columns.c.max", "nan or infinity"},
      {column("max = [1]"), 9, "tables.t.columns.c.max", "found an array"},
      {column("max = 10:30:00"), 9, "tables.t.columns.c.max", "found a time Tacit has no type for"},
      {column("max = 2020-01-01T00:00:00Z"), 9, "tables.t.columns.c.max", "without a zone"},
      {column("min = 2, max = 1"), 9, "tables.t.columns.c.min", "min = 2 is above max = 1"},
      {column("min = 0.3, max = 0.29"), 9, "tables.t.columns.c.min", "is above"},
      {column("min = 2020-02-01, max = 2020-01-01"), 9, "tables.t.columns.c.min", "is above"},
      {column("min = 1, max = 2020-01-01"), 9, "tables.t.columns.c.min", "different kinds"},
      {column("step = 0"), 9, "tables.t.columns.c.step", "a number above 0, found 0"},
      {column("step = -0.5"), 9, "tables.t.columns.c.step", "found -0.5"},
      {column("step = \"1\""), 9, "tables.t.columns.c.step", "found a string"},
      {column("step = 1e-300"), 9, "tables.t.columns.c.step", "at most 38 digits"},
      {column("values = \"a\""), 9, "tables.t.columns.c.values", "an array of all possible values"},
      {column("values = []"), 9, "tables.t.columns.c.values", "an empty array"},
      {column("values = [\"a\", 1]"), 9, "tables.t.columns.c.values", "a string and a number"},
      {column("values = [1, 2, 1.0]"), 9, "tables.t.columns.c.values", "`1.0` occurs twice"},
      {column("values = [\"a\", \"b\", \"a\"]"), 9, "tables.t.columns.c.values", "`a` occurs twice"},
      {column("values = [[1]]"), 9, "tables.t.columns.c.values", "found an array"},
      {column("values = [nan]"), 9, "tables.t.columns.c.values", "nan or infinity"},
      {column("values = [\"a\\u0000\"]"), 9, "tables.t.columns.c.values", "NUL"},
      {column("values = [1, 5], max = 4"), 9, "tables.t.columns.c.values", "`5` is outside min and max"},
      {rows_with("[tables.t.columns.c]\nmin = 1\nmax = \"x\"\n"), 11, "tables.t.columns.c.max", "found `x`"},
  });
}

TEST(BadPolicy, Metrics) {
  expect_refused({
      {metric_with("metric = \"\"\n"), 9, "tables.t.metric", "found an empty string"},
      {metric_with("metric = \"l1(x\"\n"), 9, "tables.t.metric", "`)` is expected here (position 5 of the metric)"},
      {metric_with("metric = \"lp(0.5; x)\"\n"), 9, "tables.t.metric", "below 1", "triangle inequality"},
      {metric_with("metric = \"l1(x, x)\"\n"), 9, "tables.t.metric", "column x occurs twice"},
      {metric_with("metric = \"l1(x, id)\"\n"), 9, "tables.t.metric", "column id is part of the primary key"},
      {metric_with("metric = \"l1(x, y)\"\npublic_columns = [\"y\"]\n"), 9, "tables.t.metric",
       "column y is in public_columns"},
      {metric_with("metric = \"ln(x)\"\n"), 9, "tables.t.metric", "ln(x) needs a declared min above 0",
       "x = { min = 1 }"},
      {metric_with("metric = \"ln(x)\"\ncolumns.x = { min = 0 }\n"), 9, "tables.t.metric", "min above 0"},
      {metric_with("metric = \"ln(x)\"\ncolumns.x = { min = 2020-01-01 }\n"), 9, "tables.t.metric", "min above 0"},
      {metric_with("metric = \"x\"\nrows_combine = \"l5\"\n"), 10, "tables.t.rows_combine", "not the name of a norm"},
      {metric_with("metric = \"x\"\npublic_columns = []\n"), 10, "tables.t.public_columns", "an empty array"},
      {metric_with("metric = \"x\"\nsensitive_rows = true\n"), 10, "tables.t.sensitive_rows", "a condition"},
  });
}

TEST(BadPolicy, Owners) {
  const std::string customer = "[tables.customer]\nowner = \"id\"\nprimary_key = [\"id\"]\n";  // lines 7 to 9
  const auto through = [&](const std::string& what) {
    return with(customer + "[tables.orders]\nowner_through = { " + what + " }\n");  // line 11
  };
  expect_refused({
      {through("references = \"customer\""), 11, "tables.orders.owner_through.columns", "missing"},
      {through("columns = [\"a\"]"), 11, "tables.orders.owner_through.references", "missing"},
      {through("columns = [], references = \"customer\""), 11, "tables.orders.owner_through.columns", "an empty array"},
      {through("columns = [\"a\"], references = \"custmer\""), 11, "tables.orders.owner_through.references",
       "table custmer is not in the policy (did you mean `customer`?)"},
      {through("columns = [\"a\"], references = \"a.b.c\""), 11, "tables.orders.owner_through.references", "two parts"},
      {through("columns = [\"a\", \"b\"], references = \"customer\""), 11, "tables.orders.owner_through.columns",
       "2 column(s) lead to the primary key of customer, which has 1"},
      {through("columns = [\"a\"], references = \"customer\", x = 1"), 11, "tables.orders.owner_through.x",
       "unknown key"},
      {with("[tables.orders]\nowner_through = \"customer\"\n"), 8, "tables.orders.owner_through", "expected a table"},
      {through("columns = [\"a\"], references = \"nation\"") + "[tables.nation]\npublic = true\n", 11,
       "tables.orders.owner_through.references", "table nation has no owner"},
      {through("columns = [\"a\"], references = \"person\"") + "[tables.person]\nowner = \"id\"\n", 11,
       "tables.orders.owner_through.references", "table person declares no primary_key"},
      {with("[tables.a]\nprimary_key = [\"k\"]\nowner_through = { columns = [\"x\"], references = \"a\" }\n"), 9,
       "tables.a.owner_through.references", "leads back to itself"},
      {with("[tables.a]\nprimary_key = [\"k\"]\nowner_through = { columns = [\"x\"], references = \"b\" }\n"
            "[tables.b]\nprimary_key = [\"k\"]\nowner_through = { columns = [\"x\"], references = \"a\" }\n"),
       9, "tables.a.owner_through.references", "leads back to itself"},
  });
}

TEST(BadPolicy, Attackers) {
  const std::string good = "all_of = [ { column = \"t.c\" } ]\n";
  expect_refused({
      {with(table + "[attackers]\nname = \"a\"\n"), 9, "attackers", "expected an array of tables", "[[attackers]]"},
      {"attackers = [1]\n" + head + rows, 1, "attackers", "found a number in it"},
      {attacker("advantage = 0.1\n" + good), 9, "attackers[1].name", "missing"},
      {attacker("name = \"a\"\n" + good), 9, "attackers[1].advantage", "missing"},
      {attacker("name = \"a\"\nadvantage = 1\n" + good), 11, "attackers[1].advantage", "above 0 and below 1, found 1"},
      {attacker("name = \"a\"\nadvantage = 0\n" + good), 11, "attackers[1].advantage", "above 0 and below 1"},
      {attacker("name = \"a\"\nadvantage = 0.1\n"), 9, "attackers[1]", "found neither"},
      {attacker("name = \"a\"\nadvantage = 0.1\n" + good + "any_of = [ { column = \"t.c\" } ]\n"), 13,
       "attackers[1].any_of", "found both"},
      {attacker("name = \"a\"\nadvantage = 0.1\nall_of = []\n"), 12, "attackers[1].all_of", "an empty array"},
      {attacker("name = \"a\"\nadvantage = 0.1\nany_of = [\"t.c\"]\n"), 12, "attackers[1].any_of",
       "found a string in it"},
      {attacker("name = \"a\"\nadvantage = 0.1\nwhatever = 1\n" + good), 12, "attackers[1].whatever", "unknown key"},
      {attacker("name = \"a\"\nadvantage = 0.1\n" + good + "[[attackers]]\nname = \"a\"\nadvantage = 0.1\n" + good), 14,
       "attackers[2].name", "another attacker has this name"},
      {secret("within = 1"), 12, "attackers[1].all_of[1].column", "missing"},
      {secret("column = \"c\""), 12, "attackers[1].all_of[1].column", "expected table.column"},
      {secret("column = \"a.b.c.d\""), 12, "attackers[1].all_of[1].column", "expected table.column"},
      {secret("column = \"visit.c\""), 12, "attackers[1].all_of[1].column", "table visit is not in the policy"},
      {secret("column = \"t.c\", within = 0"), 12, "attackers[1].all_of[1].within", "above 0, found 0"},
      {secret("column = \"t.c\", prior = \"gauss(0, 1)\""), 12, "attackers[1].all_of[1].prior", "not known"},
      {secret("column = \"t.c\", prior = \"unifrom(0, 1)\""), 12, "attackers[1].all_of[1].prior", "mean `uniform`?"},
      {secret("column = \"t.c\", prior = \"uniform(2, 1)\""), 12, "attackers[1].all_of[1].prior", "needs a below b"},
      {secret("column = \"t.c\", prior = \"normal(0, 0)\""), 12, "attackers[1].all_of[1].prior", "deviation above 0"},
      {secret("column = \"t.c\", prior = \"normal(0)\""), 12, "attackers[1].all_of[1].prior", "takes two numbers"},
      {secret("column = \"t.c\", prior = \"normal\""), 12, "attackers[1].all_of[1].prior", "needs its mean"},
      {secret("column = \"t.c\", prior = \"uniform(0, 1\""), 12, "attackers[1].all_of[1].prior", "parenthesis"},
      {secret("column = \"t.c\", prior = \"uniform(0, x)\""), 12, "attackers[1].all_of[1].prior", "takes two numbers"},
      {with(table + "[[attackers]]\nname = \"a\"\nadvantage = 0.1\n" + good), 12, "attackers[1].all_of[1].column",
       "t.c is public"},
  });
}

TEST(BadPolicy, TheFirstMistakeOfTheFileIsReported) {
  expect_refused({
      {"[tables.t]\nrows = \"x\"\n[budget]\nepsilon = 0\n[engine]\nurl = 1\n", 2, "tables.t.rows", "expected"},
      {"[engine]\nurl = 1\n[budget]\nepsilon = 0\n[tables.t]\nrows = \"x\"\n", 2, "engine.url", "expected"},
      {"[engine]\ntimout = \"1s\"\n[budget]\nepsilon = 0\n", 2, "engine.timout", "did you mean `timeout`?"},
  });
}

}  // namespace
}  // namespace tacit
