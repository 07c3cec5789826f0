#include "sample.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/engine.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "policy/policy.hpp"
#include "sample_random.hpp"
#include "support/temporary_folder.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

class SampleTest : public ::testing::Test {
 protected:
  void create() const {
    const auto sample = create_sample_database(folder.string());
    ASSERT_TRUE(sample) << to_line(sample.error());
    EXPECT_EQ(sample->policy_path, (folder / "sample.toml").string());
  }

  std::unique_ptr<Engine> open(const std::string& policy_name) const {
    const auto policy = read_policy((folder / policy_name).string());
    if (!policy) throw std::runtime_error(to_line(policy.error()));
    auto engine = open_engine(*policy);
    if (!engine) throw std::runtime_error(to_line(engine.error()));
    const auto catalog = (*engine)->catalog();
    if (!catalog) throw std::runtime_error(to_line(catalog.error()));
    const auto checked = check_against_catalog(*policy, *catalog);
    if (!checked) throw std::runtime_error(to_line(checked.error()));
    return std::move(*engine);
  }

  static Int128 number(Engine& engine, const std::string& sql) {
    const auto rows = engine.read_public({sql, {SqlType::integer(128)}});
    if (!rows) throw std::runtime_error(sql + ": " + to_line(rows.error()));
    return std::get<Decimal>(rows->at(0).at(0)).units;
  }

  const testing::TemporaryFolder own;
  const fs::path folder = own.path() / "it's here";
};

TEST_F(SampleTest, FitsItsPolicies) {
  create();
  const auto engine = open("sample.toml");
  EXPECT_EQ(engine->identity(), "duckdb:sample.duckdb");
  EXPECT_EQ(number(*engine, "SELECT count(*) FROM visit"), 6000);
  EXPECT_EQ(number(*engine, "SELECT count(*) FROM ship"), 3000);
  EXPECT_EQ(number(*engine, "SELECT count(*) FROM customer"), 2500);
  EXPECT_EQ(number(*engine, "SELECT count(*) FROM orders"), 8000);
  EXPECT_EQ(number(*open("own-data.toml"), "SELECT count(*) FROM mine"), 6000);
}

// What sample.toml declares is true of nearly every row; what is beyond the bounds shows that answers clamp.
TEST_F(SampleTest, HoldsWhatThePolicyDeclares) {
  create();
  const auto engine = open("sample.toml");
  const auto policy = read_policy((folder / "sample.toml").string());
  ASSERT_TRUE(policy);
  for (const TablePolicy& table : policy->tables) {
    for (const auto& [name, column] : table.columns) {
      const std::string from = " FROM \"" + table.name.name + "\"";
      const Int128 all = number(*engine, "SELECT count(\"" + name + "\")" + from);
      EXPECT_GT(all, 2000) << name;
      if (column.min) {
        const Int128 outside = number(*engine, "SELECT count(*)" + from + " WHERE \"" + name + "\" NOT BETWEEN '" +
                                                   to_string(*column.min) + "' AND '" + to_string(*column.max) + "'");
        EXPECT_LT(outside * 50, all) << name;
      }
      if (column.values.empty()) continue;
      std::string domain;
      for (const Value& value : column.values) domain += (domain.empty() ? "'" : ", '") + to_string(value) + "'";
      EXPECT_EQ(number(*engine, "SELECT count(*)" + from + " WHERE \"" + name + "\" NOT IN (" + domain + ")"), 0)
          << name;
      EXPECT_EQ(number(*engine, "SELECT count(DISTINCT \"" + name + "\")" + from),
                static_cast<Int128>(column.values.size()))
          << name;
    }
  }
  EXPECT_EQ(number(*engine, "SELECT count(*) FROM orders WHERE customer NOT IN (SELECT id FROM customer)"), 0);
  EXPECT_EQ(number(*engine, "SELECT count(*) FROM visit WHERE ward NOT IN (SELECT name FROM ward)"), 0);
  for (const char* nullable : {"diagnosis", "age", "cost"}) {
    EXPECT_GT(number(*engine, std::string("SELECT count(*) FROM visit WHERE ") + nullable + " IS NULL"), 10)
        << nullable;
  }
}

TEST_F(SampleTest, IsTheSameEveryTimeAndEverywhere) {
  const std::string sum =
      "SELECT (SELECT sum(hash(id, patient, ward, diagnosis, age, stay_days, cost, admitted, emergency) % 1000003) "
      "FROM "
      "visit) + (SELECT sum(hash(id, name, flag, kind, x, y, speed, cargo) % 1000003) FROM ship) + (SELECT "
      "sum(hash(id, "
      "nation, segment, balance, joined) % 1000003) FROM customer) + (SELECT sum(hash(id, customer, placed, status, "
      "items, "
      "total) % 1000003) FROM orders)";
  create();
  const Int128 first = number(*open("sample.toml"), sum);
  std::ofstream(folder / "sample.ledger") << "spent";
  create();
  EXPECT_EQ(number(*open("sample.toml"), sum), first);
  EXPECT_FALSE(fs::exists(folder / "sample.ledger"));
  EXPECT_EQ(number(*open("sample.toml"), "SELECT sum(cost * 100)::HUGEINT FROM visit"), 2113614234);
}

TEST_F(SampleTest, KeepsAPolicySomebodyChangedAndItsLedger) {
  create();
  std::ofstream(folder / "sample.toml", std::ios::app) << "\n# mine now\n";
  std::ofstream(folder / "sample.ledger") << "spent";
  const std::string before = read_file(folder / "sample.toml");
  const auto again = create_sample_database(folder.string());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, FailureCode::usage);
  EXPECT_EQ(again.error().where, (folder / "sample.toml").string());
  EXPECT_EQ(read_file(folder / "sample.toml"), before);
  EXPECT_EQ(read_file(folder / "sample.ledger"), "spent");
}

TEST_F(SampleTest, SaysWhenItCannotBeWritten) {
  std::ofstream(folder) << "a file where the folder should be";
  const auto sample = create_sample_database(folder.string());
  ASSERT_FALSE(sample);
  EXPECT_EQ(sample.error().code, FailureCode::usage);
}

TEST_F(SampleTest, WritesTheQueriesItNames) {
  create();
  const auto queries = sample_queries();
  ASSERT_GE(queries.size(), 3u);
  const auto engine = open("sample.toml");
  for (const SampleQuery& query : queries) {
    EXPECT_FALSE(query.title.empty());
    EXPECT_NE(read_file(folder / "queries" / (query.name + ".sql")).find(query.sql), std::string::npos);
    EXPECT_TRUE(engine->measure(query.sql)) << query.name;
  }
}

TEST(SampleRandomTest, StaysInRangeAndReachesTheEnds) {
  SampleRandom random(7);
  std::set<int> seen;
  for (int i = 0; i < 2000; ++i) {
    seen.insert(random.between(-2, 3));
    EXPECT_TRUE(random.bell(5, 9) >= 5 && random.bell(5, 9) <= 9);
    const int skewed = random.skewed(10, 20);
    EXPECT_TRUE(skewed >= 10 && skewed <= 20);
  }
  EXPECT_EQ(seen, (std::set<int>{-2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(random.between(4, 4), 4);
}

TEST(SampleRandomTest, FollowsWeights) {
  SampleRandom random(8);
  const std::array weights = {1, 0, 3};
  std::array<int, 3> count{};
  for (int i = 0; i < 40000; ++i) ++count[random.weighted(weights)];
  EXPECT_NEAR(count[0], 10000, 500);
  EXPECT_EQ(count[1], 0);
}

}  // namespace
}  // namespace tacit
