#include "cli/world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/plain_duckdb.hpp"

namespace tacit::cli {
namespace {

constexpr const char* policy_text = R"([engine]
url = "duckdb:visits.duckdb"
timeout = "50s"
threads = 2

[ledger]
path = "visits.ledger"

[defaults]
epsilon = 1.0
epsilon_min = 0.01
epsilon_max = 2.5

[budget]
epsilon = 5.0
delta = 1e-6
[budget.analysts]
ana = { epsilon = 3.0, delta = 5e-7 }
bo = { epsilon = 3.0, delta = 5e-7 }

[tables.visit]
rows = "add-remove"
primary_key = ["id"]
[tables.visit.columns]
ward = { values = ["east", "west"] }
age = { min = 0, max = 100 }

[tables.slow]
rows = "add-remove"
)";

}  // namespace

World::World() {
  testing::PlainDuckDb(path("visits.duckdb"))
      .run_all({fmt::format("CREATE TABLE visit AS SELECT CAST(i AS INTEGER) AS id, "
                            "CASE WHEN i % 4 = 0 THEN 'east' ELSE 'west' END AS ward, "
                            "CAST(i % 100 AS INTEGER) AS age, '{}' AS note FROM range({}) AS t(i)",
                            secret, visits),
                "CREATE VIEW slow AS SELECT a.i * b.j AS x FROM range(1000000) AS a(i), range(100000) AS b(j)"});
  write("policy.toml", policy_text);
}

std::string World::changed_policy(const std::string& name, const std::string& from, const std::string& to) const {
  std::string text = policy_text;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  write(name, text);
  return path(name);
}

std::vector<std::string> World::ask_words(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{"query", "-p", policy(), "--analyst", "ana"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

void World::make_deaf() const {
  testing::PlainDuckDb(path("visits.duckdb"))
      .run_all({"CREATE TABLE texts AS SELECT i AS x, repeat('a', 12000) AS long FROM range(300) AS t(i)",
                "CREATE OR REPLACE VIEW slow AS SELECT x FROM texts WHERE levenshtein(long, repeat('b', 12000)) < 0"});
}

Finished World::ask(const std::vector<std::string>& arguments) const { return tacit(ask_words(arguments)); }

std::string World::ledger() const {
  const Finished shown = tacit({"ledger", "show", "-p", policy()});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  return shown.out;
}

double spent_by(const std::string& shown_ledger, const std::string& analyst) {
  double spent = 0.0;
  std::istringstream lines(shown_ledger);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    double allowed = 0.0;
    double used = 0.0;
    if (words >> name >> allowed >> used && name == analyst) spent += used;
  }
  return spent;
}

}  // namespace tacit::cli
