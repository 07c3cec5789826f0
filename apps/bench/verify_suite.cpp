// `policy check --verify` on 10 million rows: how long it takes, beside the cheapest statement that looks up one of its
// facts, and that it reads each table once.

#include <fmt/format.h>

#include "bench/bench_database.hpp"
#include "bench/suite.hpp"
#include "bench/timing.hpp"
#include "bench/write_results.hpp"
#include "engine/engine.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "verify/list_facts.hpp"
#include "verify/verify_policy.hpp"
#include "verify/verify_statements.hpp"

namespace tacit {
namespace {

constexpr const char* policy_text = R"([budget]
epsilon = 1
[budget.analysts]
bench = { epsilon = 1 }
[tables.person]
owner = "pid"
primary_key = ["pid"]
[tables.visit]
owner_through = { columns = ["who"], references = "person" }
primary_key = ["id"]
dependencies = ["ward -> house"]
[tables.visit.columns]
ward = { values = ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9"] }
age = { min = 0, max = 120 }
cost = { min = 0, max = 1000, step = 0.01 }
)";

constexpr const char* tables[] = {"person", "visit"};

std::vector<std::string> table_statements(const BenchDatabase& database, double scale) {
  const auto visits = static_cast<long long>(10'000'000 * scale);
  const auto people = static_cast<long long>(1'000'000 * scale);
  const std::string series = database.is_postgres() ? "generate_series(1::bigint, {})" : "range(1, {} + 1)";
  const auto from = [&](long long rows) { return fmt::format(fmt::runtime(series), rows) + " AS t(i)"; };
  std::vector<std::string> statements{
      fmt::format("CREATE TABLE person AS SELECT i AS pid FROM {}", from(people)),
      fmt::format("CREATE TABLE visit AS SELECT i AS id, 1 + (i * 7919) % {} AS who, 'w' || CAST((i * 31) % 10 AS "
                  "VARCHAR) AS ward, CAST((i * 31) % 10 % 3 AS INTEGER) AS house, CAST((i * 17) % 100 AS INTEGER) AS "
                  "age, CAST((i * 13) % 100000 * 0.01 AS DECIMAL(10,2)) AS cost FROM {}",
                  people, from(visits))};
  if (database.is_postgres()) statements.insert(statements.end(), {"VACUUM ANALYZE person", "VACUUM ANALYZE visit"});
  return statements;
}

// PostgreSQL counts the rows that scans return.
Result<double> rows_read(const BenchDatabase& database, const std::string& table) {
  TACIT_TRY(const auto count, database.texts(fmt::format("SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM "
                                                         "pg_stat_user_tables WHERE relid = '{}'::regclass",
                                                         database.qualified(table))));
  return std::stod(count.at(0));
}

// DuckDB says in its plans what it scans.
Result<double> scans_in_plans(const BenchDatabase& database, const std::vector<VerifyStatement>& statements,
                              const std::string& table) {
  double scans = 0;
  for (const VerifyStatement& statement : statements) {
    TACIT_TRY(const auto plan, database.texts("EXPLAIN (FORMAT json) " + statement.query.sql));
    for (const std::string& text : plan) {
      const std::string line = "\"Table\": \"" + table + "\"";
      for (auto at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) ++scans;
    }
  }
  return scans;
}

}  // namespace

Result<std::string> run_verify_suite(const BenchOptions& options) {
  TACIT_TRY(const BenchDatabase database, BenchDatabase::make(options.database_url));
  TACIT_TRY_STATUS(database.run(table_statements(database, options.scale)));
  TACIT_TRY(Policy policy, read_policy(database.write_policy(policy_text)));
  std::vector<double> before;
  if (database.is_postgres()) {
    for (const char* table : tables) {
      TACIT_TRY(const double rows, rows_read(database, table));
      before.push_back(rows);
    }
  }

  Measurement measurement{"verify", {}};
  std::vector<VerifyStatement> statements;
  {
    TACIT_TRY(const auto engine, open_engine(policy));
    TACIT_TRY(const Catalog catalog, engine->catalog());
    TACIT_TRY(policy, check_against_catalog(std::move(policy), catalog));
    statements = verify_statements(policy, catalog, list_facts(policy, catalog), engine->dialect());
    std::vector<Finding> findings;
    TACIT_TRY(const double verify_ms, milliseconds([&]() -> Status {
                TACIT_TRY(findings, verify_policy(policy, catalog, *engine));
                return all_hold(findings, policy);
              }));
    measurement.figures = {{"facts", static_cast<double>(findings.size())}, {"verify_ms", verify_ms}};
  }
  for (std::size_t i = 0; i < std::size(tables); ++i) {
    double reads = 0;
    if (database.is_postgres()) {
      TACIT_TRY(const double after, rows_read(database, tables[i]));
      TACIT_TRY(const auto rows, database.texts("SELECT count(*) FROM " + database.qualified(tables[i])));
      reads = (after - before[i]) / std::stod(rows.at(0));
    } else {
      TACIT_TRY(reads, scans_in_plans(database, statements, tables[i]));
    }
    measurement.figures.emplace_back(fmt::format("reads_of_{}", tables[i]), reads);
  }
  TACIT_TRY(const double key_ms, milliseconds([&] {
              return database.run(
                  {fmt::format("SELECT count(*) FROM (SELECT id FROM {} GROUP BY id HAVING count(*) > 1) AS repeated",
                               database.qualified("visit"))});
            }));
  measurement.figures.emplace_back("key_alone_ms", key_ms);
  TACIT_TRY_STATUS(write_results(options.results_directory, "verify", database.engine(), options.scale, {measurement}));
  return print_measurements({measurement});
}

}  // namespace tacit
