#include "policy/read/bad_policy_fixture.hpp"

namespace tacit::bad_policy {
namespace {

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
      {engine("url = \"spark://ana:hunter2@h/db\""), 2, "engine.url", "contains a password"},
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
       {"spark://ana:hunter2@h/db", "mysql://ana:hunter2@h/db", "hunter2", "x://h?password=hunter2"}) {
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
      {with(table + "[users]\nmax_rows_per_group = 0\n"), 10, "users.max_rows_per_group", "a whole number from 1"},
      {with(table + "[users]\ngroup_selection = \"best\"\n"), 10, "users.group_selection", "optimal or threshold"},
      {with(table + "[users]\nbounds_inference = 3\n"), 10, "users.bounds_inference", "histogram or race"},
      {with(table + "[users]\nbounds_inference = \"none\"\n"), 10, "users.bounds_inference", "histogram or race"},
      {with(table + "[metric]\nbeta = 1\n"), 10, "metric.beta", "from 0.001 to below 1, found 1"},
      {with(table + "[metric]\nbeta = 0.0\n"), 10, "metric.beta", "from 0.001 to below 1"},
      {with(table + "[metric]\nbeta = 1e-9\n"), 10, "metric.beta", "from 0.001 to below 1"},
      {with(table + "[metric]\ntables_combine = \"l3\"\n"), 10, "metric.tables_combine", "not the name of a norm"},
      {with(table + "[metric]\ntables_combine = \"lp(0.5)\"\n"), 10, "metric.tables_combine", "below 1"},
      {with(table + "[metric]\nmechanism = \"gauss\"\n"), 10, "metric.mechanism", "power-laplace, laplace"},
      {with(table + "[metric]\nalpha = 1\n"), 10, "metric.alpha", "unknown key"},
  });
}

TEST(BadPolicy, SectionsThatNoTableUses) {
  expect_refused({
      {with(table + "[users]\nmax_groups = 2\n"), 9, "users", "no table of the policy has an owner"},
      {rows_with("[users]\nbounds_inference = \"race\"\n"), 9, "users", "no table of the policy has an owner"},
      {rows_with("[metric]\nbeta = 0.2\n"), 9, "metric", "no table of the policy has a metric"},
      {"users.max_groups = 2\n" + head + rows, 1, "users", "no table of the policy has an owner"},
  });
}

TEST(BadPolicy, AttackersAreRefused) {
  const std::string attacker = "[[attackers]]\nname = \"a\"\nadvantage = 0.1\nall_of = [ { column = \"t.c\" } ]\n";
  expect_refused({
      {rows_with(attacker), 9, "attackers", "cannot derive an epsilon", "take [[attackers]] out"},
      {rows_with(attacker + attacker), 9, "attackers", "cannot derive an epsilon", "[budget]"},
      {with(table + "[attackers]\nname = \"a\"\n"), 9, "attackers", "cannot derive an epsilon"},
      {"attackers = []\n" + head + rows, 1, "attackers", "cannot derive an epsilon"},
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
}  // namespace tacit::bad_policy
