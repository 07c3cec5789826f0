#include "sensitivity/metric/assumed_facts.hpp"

#include <gmock/gmock.h>

#include "policy/dependency.hpp"
#include "sensitivity/metric/metric_world_testing.hpp"
#include "support/required.hpp"

namespace tacit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// t is private; kind and fans are public, and the engine enforces what `keys` and `not_null` say of them.
struct PublicWorld {
  std::vector<std::vector<std::string>> keys = {};
  bool not_null = false;

  Catalog catalog() const {
    const auto column = [](std::string name, bool present = false) {
      return CatalogColumn{std::move(name), SqlType::integer(32), "integer", present};
    };
    const CatalogTable t{"main", "t", {column("id"), column("k"), column("x")}, {}};
    const CatalogTable kind{"main", "kind", {column("id", not_null), column("label")}, keys};
    const CatalogTable fans{"main", "fans", {column("id", not_null), column("k"), column("label")}, keys};
    return {{"main"}, {t, kind, fans}};
  }

  Policy policy() const {
    const auto parsed = parse_policy(
        "[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 1.0\n[budget.analysts]\nana = { epsilon = 1.0 }\n"
        "[tables.t]\nprimary_key = [\"id\"]\nmetric = \"x\"\npublic_columns = [\"id\", \"k\"]\n"
        "[tables.kind]\npublic = true\nprimary_key = [\"id\"]\n"
        "[tables.fans]\npublic = true\nprimary_key = [\"id\"]\ndependencies = [\"k ->[3] id\", \"k ->[2] label\"]\n",
        "test.toml");
    return testing::required(check_against_catalog(testing::required(parsed), catalog()));
  }
};

std::vector<std::string> assumed(const std::string& sql, const PublicWorld& world = {}) {
  const Policy policy = world.policy();
  const ParseTree tree = testing::required(parse_sql(sql), sql);
  const auto typed = testing::required(bind_query(tree, world.catalog(), policy), sql);
  auto flat = testing::required(flatten_query(typed), sql);
  const AssumedFacts facts = settle_public_facts(flat);
  std::vector<std::string> names;
  for (const auto& key : facts.keys) {
    EXPECT_TRUE(key.has_no_nulls);
    names.push_back("key of " + std::get<Scan>(key.scan->node).name);
  }
  for (const auto& [scan, dependency] : facts.dependencies) names.push_back(to_string(*dependency));
  return names;
}

constexpr const char* on_key = "SELECT SUM(x) FROM t JOIN kind ON t.k = kind.id";

TEST(AssumedFacts, WhatABoundNeedsIsLookedUp) {
  EXPECT_THAT(assumed(on_key), ElementsAre("key of kind"));
  EXPECT_THAT(assumed("SELECT SUM(x) FROM t JOIN fans ON t.k = fans.k"), ElementsAre("key of fans", "k ->[3] id"));
  EXPECT_THAT(assumed("SELECT label, SUM(x) FROM t JOIN fans ON t.k = fans.k GROUP BY label"),
              ElementsAre("key of fans", "k ->[3] id", "k ->[2] label"));
}

TEST(AssumedFacts, WhatNoBoundNeedsIsNot) {
  EXPECT_THAT(assumed("SELECT SUM(x) FROM t"), IsEmpty());
  EXPECT_THAT(assumed("SELECT SUM(x) FROM t CROSS JOIN kind"), IsEmpty());
  EXPECT_THAT(assumed("SELECT SUM(x) FROM t JOIN kind ON t.k = kind.label"), IsEmpty());
}

TEST(AssumedFacts, WhatTheEngineEnforcesIsNot) {
  EXPECT_THAT(assumed(on_key, {.keys = {{"id"}}, .not_null = true}), IsEmpty());
  EXPECT_THAT(assumed(on_key, {.keys = {{"label"}}, .not_null = true}), ElementsAre("key of kind"));
  // UNIQUE on what the join compares: NULL meets nothing.
  EXPECT_THAT(assumed(on_key, {.keys = {{"id"}}}), IsEmpty());
  // Along a dependency a NULL could be met.
  EXPECT_THAT(assumed("SELECT SUM(x) FROM t JOIN fans ON t.k = fans.k", {.keys = {{"id"}}}),
              ElementsAre("key of fans", "k ->[3] id"));
}

TEST(AssumedFacts, ATableIsLookedUpOnceHoweverOftenItIsJoined) {
  EXPECT_THAT(assumed("SELECT SUM(x) FROM t JOIN kind a ON t.k = a.id JOIN kind b ON t.id = b.id"),
              ElementsAre("key of kind"));
}

}  // namespace
}  // namespace tacit::testing
