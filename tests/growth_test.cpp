// What a query costs before anything is charged grows slowly with its size, for every construct of the language, in the
// three models and on both engines; and where it grows too far the query is refused, soon and in little memory.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/work_limit.hpp"
#include "growth/construct.hpp"
#include "growth/world.hpp"
#include "plan_query.hpp"
#include "sql/dialects/dialects.hpp"
#include "support/test_database.hpp"
#include "support/time_limit.hpp"

namespace tacit::testing {
namespace {

constexpr double most_seconds = 1.0;      // measured: below 0.3
constexpr double most_megabytes = 400.0;  // of the whole process; measured: below 200
constexpr double most_growth = 200.0;     // in steps, for ten times the size: less than its third power

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

struct Cost {
  bool planned = false;
  bool too_much = false;
  double steps = 0.0;
  double seconds = 0.0;
  std::string refusal;
};

struct World {
  Catalog catalog = growth_catalog();
  std::map<std::string, std::unique_ptr<const Policy>> policies;

  World() {
    for (const auto& model : growth_models()) policies[model] = growth_policy(model, catalog);
  }
};

Cost cost_of(const std::string& model, const std::string& sql, const Dialect& dialect) {
  static const World world;
  Cost cost;
  const double start = cpu_seconds();
  const auto planned = plan_query(*world.policies.at(model), world.catalog, dialect, {sql, {}, {}, {}});
  cost.seconds = cpu_seconds() - start;
  cost.steps = static_cast<double>(WorkLimit::last_used());
  cost.planned = planned.has_value();
  if (planned) return cost;
  EXPECT_EQ(planned.error().code, FailureCode::refused) << to_line(planned.error());
  cost.refusal = planned.error().what;
  cost.too_much = cost.refusal == Status(refuse_too_much_work()).error().what;
  return cost;
}

struct Case {
  std::string model;
  Construct construct;
  std::vector<int> sizes;
};

class Growth : public ::testing::TestWithParam<Case> {};

TEST_P(Growth, IsSlow) {
  const auto& [model, construct, sizes] = GetParam();
  const bool shows = std::getenv("TACIT_GROWTH_TABLE") != nullptr;
  for (const Dialect* dialect : all_dialects()) {
    std::optional<double> smaller;
    for (const int size : sizes) {
      SCOPED_TRACE(size);
      const Cost cost = cost_of(model, construct.sql(size), *dialect);
      if (shows) {
        fmt::print("{:7} {:28} {:5} {:9} steps {:6.3f} s {:5.0f} MB {}\n", model, construct.name, size, cost.steps,
                   cost.seconds, peak_megabytes(), cost.refusal.substr(0, 70));
      }
      EXPECT_LT(cost.seconds, time_limit(most_seconds));
      EXPECT_LT(peak_megabytes(), slowdown * most_megabytes);
      if (smaller && !cost.too_much) {
        EXPECT_LE(cost.steps, most_growth * std::max(*smaller, 1000.0));
      }
      EXPECT_FALSE(cost.too_much && size <= 30) << "a query of this size is not large";
      smaller = cost.steps;
    }
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& model : growth_models()) {
    for (const auto& construct : long_constructs()) cases.push_back({model, construct, {10, 30, 100, 1000}});
    for (const auto& construct : deep_constructs()) cases.push_back({model, construct, {10, 30, 100, 1000}});
  }
  return cases;
}

// Queries that people ask are far below the limit: it refuses what grows, not what is useful.
class UsefulQueries : public ::testing::Test {
 protected:
  static std::string text_of(const std::string& name) {
    std::ifstream file(TACIT_SOURCE_DIR "/bench/" + name);
    EXPECT_TRUE(file) << name;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  // A statement a line; comments are left out.
  static std::vector<std::string> statements(const std::string& name) {
    std::vector<std::string> found;
    std::stringstream text(text_of(name));
    for (std::string line; std::getline(text, line);) {
      if (line.empty() || line.starts_with("--")) continue;
      if (line.back() == ';') line.pop_back();
      found.push_back(line);
    }
    return found;
  }

  static void check(const std::vector<std::string>& files, const std::string& policy, const std::string& queries,
                    std::size_t least_planned) {
    const TestDatabase database(EngineKind::duckdb);
    for (const auto& file : files) database.run(statements(file));
    const auto opened = open_policy(database.write_policy(policy));
    ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
    std::size_t planned = 0;
    std::uint64_t most = 0;
    for (const auto& sql : statements(queries)) {
      if (plan_query(*opened, {sql, {}, {}, {}})) ++planned;
      most = std::max(most, WorkLimit::last_used());
    }
    EXPECT_GE(planned, least_planned);
    EXPECT_LE(most, most_work / 10);
    if (std::getenv("TACIT_GROWTH_TABLE") != nullptr) fmt::print("{}: {} planned, {} steps\n", queries, planned, most);
  }
};

TEST_F(UsefulQueries, OfTheMetricModelAreFarBelowTheLimit) {
  check({"metric/schema.sql"}, text_of("metric/policy.toml"), "metric/queries.sql", 20);
}

TEST_F(UsefulQueries, OfTheUsersModelAreFarBelowTheLimit) {
  check({"metric/schema.sql", "users/keys.sql"}, text_of("users/defaults.toml") + text_of("users/customer.toml"),
        "users/tpch22.sql", 15);
}

// The verdict is the query's: the addresses of its columns and the key that is drawn for it change nothing.
TEST(WorkOfAQuery, IsTheSameEveryTime) {
  for (const auto& model : growth_models()) {
    for (const Construct& construct : long_constructs()) {
      const std::string sql = construct.sql(20);
      const double steps = cost_of(model, sql, duckdb_dialect()).steps;
      EXPECT_EQ(cost_of(model, sql, duckdb_dialect()).steps, steps) << model << " " << construct.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Constructs, Growth, ::testing::ValuesIn(all_cases()),
                         [](const auto& test) { return test.param.model + "_" + test.param.construct.name; });

}  // namespace
}  // namespace tacit::testing
