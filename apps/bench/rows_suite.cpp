#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "answer_query.hpp"
#include "bench/bench_database.hpp"
#include "bench/suite.hpp"
#include "bench/timing.hpp"
#include "bench/write_results.hpp"
#include "plan_query.hpp"

namespace tacit {
namespace {

// After the [engine] section.
constexpr const char* policy_text = R"([defaults]
epsilon_max = 1000000
[budget]
epsilon = 1000000000
delta = 1e-6
[budget.analysts]
bench = { epsilon = 1000000000, delta = 1e-6 }
[tables.sale]
rows = "add-remove"
[tables.sale.columns]
region = { values = ["north", "east", "south", "west", "centre"] }
product = { values = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"] }
amount = { min = 0, max = 10000 }
quantity = { min = 0, max = 50 }
weight = { min = 0, max = 100 }
[tables.small]
rows = "add-remove"
[tables.small.columns]
region = { values = ["north", "east", "south", "west", "centre"] }
amount = { min = 0, max = 10000 }
)";

struct BenchQuery {
  const char* name;
  const char* sql;  // what the analyst asks, and what the database would be asked without Tacit; {} is the table
};

constexpr BenchQuery queries[] = {
    {"sum_two_keys", "SELECT region, product, SUM(amount) FROM {} GROUP BY region, product"},
    {"count_one_key", "SELECT region, COUNT(*) FROM {} GROUP BY region"},
    {"avg_one_key", "SELECT region, AVG(amount) FROM {} GROUP BY region"},
    {"sum_filtered", "SELECT SUM(amount) FROM {} WHERE quantity > 25 AND sold >= DATE '2024-06-01'"},
    {"sum_product", "SELECT region, SUM(amount * quantity) FROM {} GROUP BY region"},
    {"sum_double_two_keys", "SELECT region, product, SUM(weight) FROM {} GROUP BY region, product"},
};

// `sale` (6 million rows times the scale) and `small` (100 rows); a server's are vacuumed, as at work.
std::vector<std::string> table_statements(const BenchDatabase& database, double scale) {
  const auto rows = static_cast<long long>(6'000'000 * scale);
  if (!database.is_postgres()) {
    return {
        fmt::format("CREATE TABLE sale AS SELECT i AS id, (['north','east','south','west','centre'])[1 + (hash(i) % "
                    "5)::INT] AS region, 'p' || (hash(i + 1) % 10)::VARCHAR AS product, ((hash(i + 2) % "
                    "1000000)::DECIMAL(12,2) / 100)::DECIMAL(12,2) AS amount, (hash(i + 3) % 51)::INTEGER AS "
                    "quantity, (hash(i + 4) % 100000)::DOUBLE / 1000 AS weight, DATE '2024-01-01' + (hash(i + 5) % "
                    "366)::INTEGER AS sold FROM range({}) t(i)",
                    rows),
        "CREATE TABLE small AS SELECT * FROM sale LIMIT 100"};
  }
  // A hash in [0, 2^63) of the row's number and a salt.
  const auto hash = [](int salt) { return fmt::format("(hashint8extended(i, {}) & 9223372036854775807)", salt); };
  return {
      fmt::format("CREATE TABLE sale AS SELECT i AS id, (ARRAY['north','east','south','west','centre'])[1 + {} % 5] "
                  "AS region, 'p' || {} % 10 AS product, (({} % 1000000)::numeric / 100)::numeric(12,2) AS amount, "
                  "({} % 51)::integer AS quantity, ({} % 100000)::double precision / 1000 AS weight, "
                  "DATE '2024-01-01' + ({} % 366)::integer AS sold FROM generate_series(1, {}) t(i)",
                  hash(1), hash(2), hash(3), hash(4), hash(5), hash(6), rows),
      "CREATE TABLE small AS SELECT * FROM sale LIMIT 100", "VACUUM ANALYZE sale", "VACUUM ANALYZE small"};
}

Result<Measurement> measure(Connection& opened, const BenchQuery& query, const std::string& plain_table,
                            int repetitions) {
  const Question question{fmt::format(fmt::runtime(query.sql), "sale"), {}, Epsilon(1.0), {}};
  const std::string plain_sql = fmt::format(fmt::runtime(query.sql), plain_table);
  std::vector<double> plain;
  std::vector<double> whole;
  for (int i = 0; i <= repetitions; ++i) {
    TACIT_TRY(const double plain_ms, milliseconds([&] { return opened.engine->measure(plain_sql); }));
    TACIT_TRY(const double private_ms, milliseconds([&] { return answer_query(opened, question); }));
    if (i == 0) continue;  // warms the cache for both
    plain.push_back(plain_ms);
    whole.push_back(private_ms);
  }
  return Measurement{
      query.name,
      {{"plain_ms", median(plain)}, {"private_ms", median(whole)}, {"ratio", median(whole) / median(plain)}}};
}

// Parse to answer without the engine's time: the whole question minus the same statement run alone.
Result<Measurement> measure_own_path(Connection& opened) {
  const Question question{
      "SELECT region, SUM(amount), COUNT(*) FROM small WHERE amount > 5 GROUP BY region", {}, Epsilon(1.0), {}};
  TACIT_TRY(const PlannedQuery planned, plan_query(opened, question));
  std::vector<double> whole;
  std::vector<double> engine;
  for (int i = 0; i < 200; ++i) {
    TACIT_TRY(const double engine_ms, milliseconds([&] { return opened.engine->run(planned.engine_query); }));
    TACIT_TRY(const double whole_ms, milliseconds([&] { return answer_query(opened, question); }));
    engine.push_back(engine_ms);
    whole.push_back(whole_ms);
  }
  return Measurement{
      "own_path",
      {{"whole_ms", median(whole)}, {"engine_ms", median(engine)}, {"own_ms", median(whole) - median(engine)}}};
}

// From nothing to an engine that can be asked, and from there to another session.
Result<Measurement> measure_opening(const Connection& opened) {
  std::vector<double> times;
  std::vector<double> second_times;
  for (int i = 0; i <= 20; ++i) {
    TACIT_TRY(const double open_ms, milliseconds([&] { return open_engine(opened.database->policy()); }));
    TACIT_TRY(const double second_ms, milliseconds([&] { return Database::connect(opened.database); }));
    if (i == 0) continue;
    times.push_back(open_ms);
    second_times.push_back(second_ms);
  }
  return Measurement{"opening", {{"open_ms", median(times)}, {"second_connection_ms", median(second_times)}}};
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

Result<std::string> run_rows_suite(const BenchOptions& options) {
  TACIT_TRY(const BenchDatabase database, BenchDatabase::make(options.database_url));
  TACIT_TRY_STATUS(database.run(table_statements(database, options.scale)));
  const std::string policy_file = database.write_policy(policy_text);
  const double before_mb = resident_megabytes();
  TACIT_TRY(Connection opened, open_policy(policy_file));
  std::vector<Measurement> measurements;
  TACIT_TRY(Measurement own_path, measure_own_path(opened));
  measurements.push_back(std::move(own_path));
  measurements.push_back({"memory", {{"opened_and_asked_mb", resident_megabytes()}, {"before_opening_mb", before_mb}}});
  TACIT_TRY(Measurement opening, measure_opening(opened));
  measurements.push_back(std::move(opening));
  for (const auto& query : queries) {
    TACIT_TRY(Measurement measurement, measure(opened, query, database.qualified("sale"), options.repetitions));
    measurements.push_back(std::move(measurement));
  }
  TACIT_TRY_STATUS(write_results(options.results_directory, "rows", database.engine(), options.scale, measurements));
  return print_measurements(measurements);
}

}  // namespace tacit
