#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "catalog/catalog.hpp"
#include "policy/policy.hpp"
#include "sensitivity/analyze.hpp"
#include "sensitivity/metric/metric_analysis.hpp"
#include "sql/bind.hpp"
#include "sql/parse.hpp"
#include "support/checked_policy.hpp"
#include "support/policy_head.hpp"

namespace tacit::testing {

// Two private tables, item and part, and the public kind:
//   item(id, partner, part_id, tag; x, y, day, size)   part(id, kind_id; u, v)   kind(id, label)
struct MetricWorld {
  std::string item_metric = "l1(x, y, day, size)";
  std::string item_rows = "l1";
  std::string part_rows = "l1";
  std::string tables = "l1";
  std::string item_more = "primary_key = [\"id\"]\n";  // keys, dependencies, sensitive_rows
  std::string item_facts = "size = { min = 0, max = 10 }\n";

  static Catalog catalog() {
    const auto column = [](std::string name, SqlType type) { return catalog_column(std::move(name), type); };
    const SqlType number = SqlType::integer(32);
    Catalog catalog;
    catalog.search_path = {"main"};
    catalog.tables.push_back(
        {"main",
         "item",
         {column("id", number), column("partner", number), column("part_id", number), column("tag", SqlType::text()),
          column("x", number), column("y", number), column("day", SqlType::date()), column("size", number)},
         {}});
    catalog.tables.push_back(
        {"main",
         "part",
         {column("id", number), column("kind_id", number), column("u", number), column("v", number)},
         {}});
    catalog.tables.push_back({"main", "kind", {column("id", number), column("label", SqlType::text())}, {}});
    return catalog;
  }

  Policy policy() const {
    const std::string text = fmt::format(R"toml(
[metric]
tables_combine = "{}"
[tables.item]
metric = "{}"
public_columns = ["id", "partner", "part_id", "tag"]
rows_combine = "{}"
{}
[tables.item.columns]
{}
[tables.part]
primary_key = ["id"]
metric = "l1(u, v)"
public_columns = ["id", "kind_id"]
rows_combine = "{}"
[tables.kind]
public = true
primary_key = ["id"]
)toml",
                                         tables, item_metric, item_rows, item_more, item_facts, part_rows);
    return checked_policy(policy_head({.epsilon = 40.0, .each_epsilon = 20.0}) + text, catalog());
  }
};

// A question, with the policy that its answer points into.
struct MetricQuestion {
  std::shared_ptr<const Policy> policy;
  Result<TypedQuery> typed = refuse("not asked", "");

  MetricQuestion(const std::string& sql, const MetricWorld& world = {})
      : policy(std::make_shared<const Policy>(world.policy())), typed(bind(sql)) {}

  Result<AnalyzedQuery> analyzed() const {
    if (!typed) return fail(typed.error());
    return analyze(*typed, *policy);
  }
  MetricAnalysis analysis() const {
    auto found = analyzed();
    EXPECT_TRUE(found.has_value()) << (found ? "" : to_line(found.error()));
    return found ? std::get<MetricAnalysis>(std::move(found->model)) : MetricAnalysis{};
  }
  std::string refusal() const {
    const auto found = analyzed();
    if (found) return "accepted";
    EXPECT_EQ(found.error().code, FailureCode::refused);
    EXPECT_FALSE(found.error().hint.empty());
    return found.error().what;
  }

 private:
  Result<TypedQuery> bind(const std::string& sql) const {
    TACIT_TRY(const ParseTree tree, parse_sql(sql));
    return bind_query(tree, MetricWorld::catalog(), *policy);
  }
};

}  // namespace tacit::testing
