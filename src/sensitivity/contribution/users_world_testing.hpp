#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "policy/check_against_catalog.hpp"
#include "sensitivity/analyze.hpp"
#include "sensitivity/contribution/users_analysis.hpp"
#include "sql/bind.hpp"
#include "sql/dialect.hpp"
#include "sql/parse.hpp"
#include "sql/print_relation.hpp"

namespace tacit::testing {

// A shop: customers own orders, orders have items, items have returns; `event` is a log of customers' visits. `loose`
// refers to a table whose key nobody enforces. Public: nation, and day without an enforced key.
inline Catalog users_catalog() {
  const auto column = [](std::string name, SqlType type, bool not_null = false) {
    return CatalogColumn{std::move(name), type, to_string(type), not_null};
  };
  const SqlType id = SqlType::integer(64);
  Catalog catalog;
  catalog.search_path = {"main"};
  const auto add = [&](std::string name, std::vector<CatalogColumn> columns,
                       std::vector<std::vector<std::string>> unique, std::vector<std::string> primary = {}) {
    CatalogTable table{"main", std::move(name), std::move(columns), std::move(unique)};
    table.primary_key = std::move(primary);
    catalog.tables.push_back(std::move(table));
  };
  add("customer",
      {column("custkey", id), column("segment", SqlType::text()), column("nationkey", id),
       column("balance", SqlType::decimal(12, 2)), column("email", SqlType::text())},
      {{"custkey"}, {"email"}}, {"custkey"});
  add("orders",
      {column("orderkey", id), column("custkey", id), column("priority", SqlType::text()),
       column("total", SqlType::decimal(12, 2)), column("placed", SqlType::date())},
      {{"orderkey"}}, {"orderkey"});
  add("lineitem",
      {column("orderkey", id), column("linenumber", id), column("quantity", SqlType::integer(32)),
       column("price", SqlType::decimal(12, 2)), column("weight", SqlType::real()), column("wild", id),
       column("wild_real", SqlType::real())},
      {{"orderkey", "linenumber"}}, {"orderkey", "linenumber"});
  add("returned", {column("orderkey", id), column("linenumber", id), column("reason", SqlType::text())}, {});
  add("event", {column("uid", id), column("kind", SqlType::text()), column("day", SqlType::date())}, {});
  add("daily", {column("uid", id), column("day", SqlType::date(), true), column("steps", SqlType::integer(32))},
      {{"uid", "day"}});
  add("heap", {column("id", id), column("uid", id)}, {});
  add("loose", {column("heap_id", id), column("x", id)}, {});
  add("nation", {column("nationkey", id), column("name", SqlType::text())}, {{"nationkey"}}, {"nationkey"});
  add("calendar", {column("day", SqlType::date()), column("season", SqlType::text())}, {});
  return catalog;
}

inline std::string users_policy_text() {
  return R"(
[engine]
url = "duckdb:"
[budget]
epsilon = 40.0
delta = 1e-6
[budget.analysts]
ana = { epsilon = 20.0, delta = 5e-7 }
[users]
max_groups = 2
[tables.customer]
owner = "custkey"
primary_key = ["custkey"]
[tables.customer.columns]
segment = { values = ["a", "b", "c"] }
balance = { min = -100, max = 1000 }
[tables.orders]
owner_through = { columns = ["custkey"], references = "customer" }
primary_key = ["orderkey"]
[tables.orders.columns]
priority = { values = ["high", "low"] }
[tables.lineitem]
owner_through = { columns = ["orderkey"], references = "orders" }
primary_key = ["orderkey", "linenumber"]
[tables.lineitem.columns]
quantity = { min = 0, max = 50 }
weight = { min = 0, max = 2.5 }
[tables.returned]
owner_through = { columns = ["orderkey", "linenumber"], references = "lineitem" }
[tables.event]
owner = "uid"
[tables.daily]
owner = "uid"
[tables.heap]
owner = "uid"
primary_key = ["id"]
[tables.loose]
owner_through = { columns = ["heap_id"], references = "heap" }
[tables.nation]
public = true
primary_key = ["nationkey"]
[tables.calendar]
public = true
)";
}

class UsersWorld : public ::testing::Test {
 protected:
  UsersWorld() {
    auto read = parse_policy(users_policy_text(), "test.toml");
    EXPECT_TRUE(read.has_value()) << (read ? "" : to_line(read.error()));
    auto checked = check_against_catalog(std::move(*read), catalog_);
    EXPECT_TRUE(checked.has_value()) << (checked ? "" : to_line(checked.error()));
    policy_ = std::make_unique<Policy>(std::move(*checked));
  }

  Result<TypedQuery> bind(const std::string& sql) const {
    TACIT_TRY(const ParseTree tree, parse_sql(sql));
    return bind_query(tree, catalog_, *policy_);
  }
  Result<AnalyzedQuery> analyze_sql(const std::string& sql) const {
    TACIT_TRY(TypedQuery query, bind(sql));
    return analyze(std::move(query), *policy_);
  }

  AnalyzedQuery accept(const std::string& sql) const {
    auto analyzed = analyze_sql(sql);
    EXPECT_TRUE(analyzed.has_value()) << sql << "\n" << (analyzed ? "" : to_line(analyzed.error()));
    if (analyzed) return std::move(*analyzed);
    AnalyzedQuery nothing;
    nothing.users = std::make_shared<UsersAnalysis>();
    return nothing;
  }
  std::string refuse(const std::string& sql) const {
    const auto analyzed = analyze_sql(sql);
    EXPECT_FALSE(analyzed.has_value()) << sql;
    if (analyzed) return "";
    EXPECT_EQ(analyzed.error().code, FailureCode::refused) << sql;
    EXPECT_FALSE(analyzed.error().hint.empty()) << sql;
    return analyzed.error().what;
  }

  // The owner and FROM ... WHERE of the analysed query.
  std::string printed(const std::string& sql) const {
    const AnalyzedQuery analyzed = accept(sql);
    if (!analyzed.users->owner) return "";
    const PrintedRelation relation = print_relation(*analyzed.query.input, Dialect::duckdb);
    return print_expression(*analyzed.users->owner, relation, Dialect::duckdb) + " FROM " + relation.from +
           (relation.where.empty() ? "" : " WHERE " + relation.where);
  }
  std::size_t scans(const std::string& sql) const {
    const AnalyzedQuery analyzed = accept(sql);
    return analyzed.query.input ? scans_of(*analyzed.query.input).size() : 0;
  }

  Catalog catalog_ = users_catalog();
  std::unique_ptr<Policy> policy_;
};

}  // namespace tacit::testing
