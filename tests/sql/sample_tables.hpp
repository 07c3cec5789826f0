#pragma once

#include <memory>
#include <string>

#include "base/value.hpp"
#include "catalog/catalog.hpp"
#include "policy/policy.hpp"

// The fixed little world of the SQL-file tests and of the SQL fuzzer: one table of each privacy model, a second schema,
// a table the policy does not name (secret) and one the database does not have (ghost).
namespace tacit::sample {

inline CatalogColumn column(std::string name, SqlType type) { return {std::move(name), type, to_string(type), false}; }

inline Catalog catalog() {
  Catalog catalog;
  catalog.search_path = {"main"};
  catalog.tables.push_back(
      {"main",
       "visit",
       {column("id", SqlType::integer(64)), column("patient", SqlType::integer(32)), column("region", SqlType::text()),
        column("age", SqlType::integer(32)), column("cost", SqlType::decimal(10, 2)), column("weight", SqlType::real()),
        column("score", SqlType::real()), column("admitted", SqlType::date()), column("seen", SqlType::timestamp()),
        column("urgent", SqlType::boolean()), column("note", SqlType::text()), column("Ward Name", SqlType::text()),
        CatalogColumn{"doc", std::nullopt, "BLOB", false}, column("code", SqlType::integer(16)),
        column("Grade", SqlType::integer(32))},
       {{"id"}}});
  catalog.tables.push_back({"main",
                            "region",
                            {column("name", SqlType::text()), column("country", SqlType::text()),
                             column("population", SqlType::integer(64))},
                            {{"name"}}});
  catalog.tables.push_back(
      {"main",
       "ship",
       {column("id", SqlType::integer(64)), column("name", SqlType::text()), column("flag", SqlType::text()),
        column("x", SqlType::real()), column("y", SqlType::real()), column("speed", SqlType::real()),
        column("crew", SqlType::integer(32))},
       {{"id"}}});
  catalog.tables.push_back({"clinic",
                            "doctor",
                            {column("id", SqlType::integer(64)), column("region", SqlType::text()),
                             column("salary", SqlType::decimal(12, 2))},
                            {}});
  catalog.tables.push_back(
      {"main", "customer", {column("id", SqlType::integer(64)), column("region", SqlType::text())}, {{"id"}}});
  catalog.tables.push_back({"main",
                            "orders",
                            {column("id", SqlType::integer(64)), column("customer", SqlType::integer(64)),
                             column("total", SqlType::decimal(12, 2))},
                            {{"id"}}});
  catalog.tables.push_back({"main", "secret", {column("id", SqlType::integer(64))}, {}});
  return catalog;
}

inline Value whole(long long number) { return Decimal{number, 0}; }

inline ColumnPolicy bounds(Value min, Value max) {
  ColumnPolicy policy;
  policy.min = std::move(min);
  policy.max = std::move(max);
  return policy;
}

inline ColumnPolicy values(std::vector<Value> domain) {
  ColumnPolicy policy;
  policy.values = std::move(domain);
  return policy;
}

inline MetricPtr metric_column(std::string name, MetricColumn::Use use) {
  return std::make_shared<MetricNode>(MetricNode{MetricColumn{std::move(name), use}});
}

inline Policy policy() {
  TablePolicy visit;
  visit.name = {"", "visit"};
  visit.model = RowsTable{};
  visit.primary_key = {"id"};
  visit.columns["region"] =
      values({std::string("north"), std::string("south"), std::string("east"), std::string("west")});
  visit.columns["age"] = bounds(whole(0), whole(120));
  visit.columns["cost"] = bounds(Decimal{0, 2}, Decimal{500000, 2});
  visit.columns["weight"] = bounds(0.0, 300.0);
  visit.columns["admitted"] = bounds(*parse_date("2020-01-01"), *parse_date("2026-12-31"));
  visit.columns["code"].min = whole(0);

  TablePolicy region;
  region.name = {"main", "region"};
  region.model = PublicTable{};
  region.primary_key = {"name"};

  TablePolicy ship;
  ship.name = {"", "ship"};
  MetricTable metric;
  metric.metric = std::make_shared<MetricNode>(
      MetricNode{MetricNorm{{false, {1, 0}},
                            {metric_column("x", MetricColumn::Use::plain), metric_column("y", MetricColumn::Use::plain),
                             metric_column("speed", MetricColumn::Use::logarithm)}}});
  metric.public_columns = {"id", "name", "flag"};
  ship.model = metric;
  ship.columns["speed"] = bounds(1.0, 60.0);

  TablePolicy doctor;
  doctor.name = {"clinic", "doctor"};
  doctor.model = RowsTable{RowNeighbour::replace};

  TablePolicy customer;
  customer.name = {"", "customer"};
  customer.model = UsersTable{OwnerColumn{"id"}};
  TablePolicy orders;
  orders.name = {"", "orders"};
  orders.model = UsersTable{OwnerThrough{{"customer"}, {"", "customer"}}};

  TablePolicy ghost;
  ghost.name = {"", "ghost"};
  ghost.model = PublicTable{};

  Policy policy;
  policy.tables = {visit, region, ship, doctor, customer, orders, ghost};
  return policy;
}

}  // namespace tacit::sample
