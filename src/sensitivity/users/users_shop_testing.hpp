#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "support/checked_policy.hpp"
#include "support/policy_head.hpp"

namespace tacit::testing {

// A shop: customers own orders, orders have items, items have returns; `event` is a log of customers' visits. `loose`
// refers to a table whose key nobody enforces, `boxed` to one
// of which the engine enforces another key. The key of `visit` holds the owner, not in the first place. Public: nation,
// and day without an enforced key.
inline Catalog users_catalog() {
  const auto column = [](std::string name, SqlType type, bool not_null = false) {
    return catalog_column(std::move(name), type, not_null);
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
  add("loose", {column("heap_id", id), column("x", id)}, {{"x"}});
  add("looser", {column("loose_x", id)}, {});
  add("box", {column("aisle", id), column("shelf", id), column("place", id), column("uid", id)}, {{"shelf", "place"}});
  add("boxed", {column("aisle", id), column("shelf", id)}, {});
  add("visit", {column("number", id), column("uid", id)}, {{"number", "uid"}}, {"number", "uid"});
  add("note", {column("visit_number", id), column("visit_uid", id)}, {});
  add("nation", {column("nationkey", id), column("name", SqlType::text())}, {{"nationkey"}}, {"nationkey"});
  add("calendar", {column("day", SqlType::date()), column("season", SqlType::text())}, {});
  return catalog;
}

inline std::string users_policy_text() {
  return policy_head({.epsilon = 40.0, .delta = 1e-6, .each_epsilon = 20.0, .each_delta = 5e-7}) + R"([users]
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
primary_key = ["x"]
[tables.looser]
owner_through = { columns = ["loose_x"], references = "loose" }
[tables.box]
owner = "uid"
primary_key = ["aisle", "shelf"]
[tables.boxed]
owner_through = { columns = ["aisle", "shelf"], references = "box" }
[tables.visit]
owner = "uid"
primary_key = ["number", "uid"]
[tables.note]
owner_through = { columns = ["visit_number", "visit_uid"], references = "visit" }
[tables.nation]
public = true
primary_key = ["nationkey"]
[tables.calendar]
public = true
)";
}

}  // namespace tacit::testing
