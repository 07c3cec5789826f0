#pragma once

#include <string>

#include "catalog/catalog.hpp"
#include "policy/policy.hpp"
#include "sensitivity/analyze.hpp"
#include "sql/bind.hpp"
#include "sql/parse.hpp"
#include "support/checked_policy.hpp"
#include "support/policy_head.hpp"

namespace tacit::testing {

// A small schema for the rows model: private `visit` (neighbour relation to choose), public `ward` and `building`.
inline Catalog rows_catalog(bool enforced_keys = true) {
  const auto column = [](std::string name, SqlType type) { return catalog_column(std::move(name), type); };
  Catalog catalog;
  catalog.search_path = {"main"};
  catalog.tables.push_back(
      {"main",
       "visit",
       {column("id", SqlType::integer(64)), column("ward", SqlType::text()), column("age", SqlType::integer(32)),
        column("cost", SqlType::decimal(10, 2)), column("delta", SqlType::integer(32)),
        column("score", SqlType::real()), column("admitted", SqlType::date()), column("emergency", SqlType::boolean()),
        column("wild", SqlType::integer(64)), column("wild_real", SqlType::real())},
       {}});
  catalog.tables.push_back({"main",
                            "ward",
                            {column("name", SqlType::text()), column("building", SqlType::integer(32)),
                             column("beds", SqlType::integer(32))},
                            {}});
  catalog.tables.push_back(
      {"main", "building", {column("id", SqlType::integer(32)), column("city", SqlType::text())}, {}});
  if (enforced_keys) {
    catalog.tables[1].unique_keys = {{"name"}};
    catalog.tables[2].unique_keys = {{"id"}};
  }
  return catalog;
}

inline std::string rows_policy_text(const std::string& neighbour) {
  return policy_head({.epsilon = 40.0, .delta = 1e-6, .each_epsilon = 20.0, .each_delta = 5e-7}) + R"([tables.visit]
rows = ")" +
         neighbour +
         R"("
[tables.visit.columns]
ward = { values = ["icu", "er", "surgery"] }
age = { min = 0, max = 120 }
cost = { min = 0, max = 9999.99 }
delta = { min = -7, max = 3 }
score = { min = -1.5, max = 2.25 }
admitted = { min = 2020-01-01, max = 2020-12-31 }
[tables.ward]
public = true
primary_key = ["name"]
[tables.building]
public = true
primary_key = ["id"]
)";
}

// The policy, checked against the catalog; ends the test when it is refused.
inline Policy rows_policy(const std::string& neighbour = "add-remove", const Catalog& catalog = rows_catalog()) {
  return checked_policy(rows_policy_text(neighbour), catalog);
}

// From text to proof.
inline Result<AnalyzedQuery> analyze_text(const std::string& sql, const Catalog& catalog, const Policy& policy) {
  TACIT_TRY(const ParseTree tree, parse_sql(sql));
  TACIT_TRY(TypedQuery query, bind_query(tree, catalog, policy));
  return analyze(std::move(query), policy);
}

}  // namespace tacit::testing
