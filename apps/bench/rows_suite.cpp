#include <duckdb.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "answer_query.hpp"
#include "bench/suite.hpp"
#include "bench/write_results.hpp"
#include "plan_query.hpp"

namespace tacit {
namespace {

constexpr const char* policy_text = R"([engine]
url = "duckdb:bench.duckdb"
threads = 2
[defaults]
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
  const char* sql;    // what the analyst asks
  const char* plain;  // what the database would be asked without Tacit
};

constexpr BenchQuery queries[] = {
    {"sum_two_keys", "SELECT region, product, SUM(amount) FROM sale GROUP BY region, product",
     "SELECT region, product, SUM(amount) FROM sale GROUP BY region, product"},
    {"count_one_key", "SELECT region, COUNT(*) FROM sale GROUP BY region",
     "SELECT region, COUNT(*) FROM sale GROUP BY region"},
    {"avg_one_key", "SELECT region, AVG(amount) FROM sale GROUP BY region",
     "SELECT region, AVG(amount) FROM sale GROUP BY region"},
    {"sum_filtered", "SELECT SUM(amount) FROM sale WHERE quantity > 25 AND sold >= DATE '2024-06-01'",
     "SELECT SUM(amount) FROM sale WHERE quantity > 25 AND sold >= DATE '2024-06-01'"},
    {"sum_product", "SELECT region, SUM(amount * quantity) FROM sale GROUP BY region",
     "SELECT region, SUM(amount * quantity) FROM sale GROUP BY region"},
    {"sum_double_two_keys", "SELECT region, product, SUM(weight) FROM sale GROUP BY region, product",
     "SELECT region, product, SUM(weight) FROM sale GROUP BY region, product"},
};

Failure engine_failure(std::string what) {
  return {FailureCode::engine, std::move(what), "", "free some disk space and try again"};
}

Status create_database(const std::filesystem::path& directory, double scale) {
  std::ofstream(directory / "bench.toml") << policy_text;
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  if (duckdb_open((directory / "bench.duckdb").c_str(), &database) != DuckDBSuccess ||
      duckdb_connect(database, &connection) != DuckDBSuccess) {
    return fail(engine_failure("the benchmark database could not be created"));
  }
  const auto rows = static_cast<long long>(6'000'000 * scale);
  const std::string sale = fmt::format(
      "CREATE TABLE sale AS SELECT i AS id, (['north','east','south','west','centre'])[1 + (hash(i) % 5)::INT] AS "
      "region, "
      "'p' || (hash(i + 1) % 10)::VARCHAR AS product, ((hash(i + 2) % 1000000)::DECIMAL(12,2) / 100)::DECIMAL(12,2) AS "
      "amount, "
      "(hash(i + 3) % 51)::INTEGER AS quantity, (hash(i + 4) % 100000)::DOUBLE / 1000 AS weight, "
      "DATE '2024-01-01' + (hash(i + 5) % 366)::INTEGER AS sold FROM range({}) t(i)",
      rows);
  bool ok = true;
  for (const std::string& sql : {sale, std::string("CREATE TABLE small AS SELECT * FROM sale LIMIT 100")}) {
    duckdb_result result;
    ok = ok && duckdb_query(connection, sql.c_str(), &result) == DuckDBSuccess;
    duckdb_destroy_result(&result);
  }
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  if (!ok) return fail(engine_failure("the benchmark table could not be generated"));
  return {};
}

template <class Run>
Result<double> milliseconds(Run run) {
  const auto start = std::chrono::steady_clock::now();
  auto result = run();
  if (!result) return fail(result.error());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Result<Measurement> measure(OpenedPolicy& opened, const BenchQuery& query, int repetitions) {
  const Question question{query.sql, {}, Epsilon(1.0), {}};
  std::vector<double> plain;
  std::vector<double> whole;
  for (int i = 0; i <= repetitions; ++i) {
    TACIT_TRY(const double plain_ms, milliseconds([&] { return opened.engine->measure(query.plain); }));
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
Result<Measurement> measure_own_path(OpenedPolicy& opened) {
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

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

Result<std::string> run_rows_suite(const BenchOptions& options) {
  std::string pattern = (std::filesystem::temp_directory_path() / "tacit-bench-XXXXXX").string();
  if (!mkdtemp(pattern.data())) return fail(engine_failure("no temporary directory could be made"));
  const std::filesystem::path directory(pattern);
  struct Cleanup {
    std::filesystem::path path;
    ~Cleanup() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } cleanup{directory};

  TACIT_TRY_STATUS(create_database(directory, options.scale));
  const double before_mb = resident_megabytes();
  TACIT_TRY(OpenedPolicy opened, open_policy((directory / "bench.toml").string()));
  std::vector<Measurement> measurements;
  TACIT_TRY(Measurement own_path, measure_own_path(opened));
  measurements.push_back(std::move(own_path));
  measurements.push_back({"memory", {{"opened_and_asked_mb", resident_megabytes()}, {"before_opening_mb", before_mb}}});
  for (const auto& query : queries) {
    TACIT_TRY(Measurement measurement, measure(opened, query, options.repetitions));
    measurements.push_back(std::move(measurement));
  }
  TACIT_TRY_STATUS(write_results(options.results_directory, "rows", "duckdb", options.scale, measurements));
  return print_measurements(measurements);
}

}  // namespace tacit
