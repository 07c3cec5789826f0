#include "engine/relied_on.hpp"

#include <gtest/gtest.h>

#include "engine/postgres_fixture.hpp"
#include "sql/dialects/dialects.hpp"

namespace tacit {
namespace {

class ReliedOnTest : public PostgresTest {};

// An engine of the tests is a tested one, so that opening it asks nothing.
TEST_F(ReliedOnTest, HoldsOnTheEnginesOfTheTests) {
  for (const std::string& url : {std::string("duckdb:"), policy.engine.url}) {
    policy.engine.url = url;
    const auto engine = open();
    EXPECT_EQ(engine->version().untested, "") << engine->version().name;
    const auto holds = check_relied_on(*engine);
    EXPECT_TRUE(holds) << to_line(holds.error());
  }
}

// Another engine behind the same interface, whose answer is never true.
class Contrary final : public Engine {
 public:
  const Dialect& dialect() const override { return duckdb_dialect(); }
  EngineVersion version() const override { return {"DuckDB 99.0.0"}; }
  std::string identity() const override { return ""; }
  Result<Catalog> catalog() override { return Catalog{}; }
  Status begin_snapshot(const std::vector<TableName>&) override { return {}; }
  void end_snapshot() override {}
  Result<std::vector<std::vector<Value>>> read_public(const PublicQuery&) override { return answer(); }
  Result<ExactRows> run(const EngineQuery&) override { return fail({}); }
  Result<std::vector<std::vector<Value>>> read_for_owner(const OwnerQuery&) override { return answer(); }
  Status measure(const std::string&) override { return {}; }
  std::string state_of(const TableName&) override { return ""; }
  void cancel() override {}

 private:
  static std::vector<std::vector<Value>> answer() { return {{Value(false)}}; }
};

TEST(ReliedOn, RefusesAnEngineThatDiffers) {
  Contrary engine;
  const auto refused = check_relied_on(engine);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("DuckDB 99.0.0 does not do what Tacit relies on"), std::string::npos);
}

}  // namespace
}  // namespace tacit
