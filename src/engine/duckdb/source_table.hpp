#pragma once

#include <string>

#include "engine/duckdb/read_catalog.hpp"
#include "engine/sql_text.hpp"
#include "policy/policy.hpp"

namespace tacit::duckdb_engine {

struct SourceTable {
  const TablePolicy& table;
  std::string path;   // absolute, of a readable file
  std::string where;  // the table's place in the policy
  std::string database;

  // What it is called in the engine.
  std::string spelled() const {
    return quote_name(database) + "." + default_schema + "." + quote_name(table.name.name);
  }
};

}  // namespace tacit::duckdb_engine
