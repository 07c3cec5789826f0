#pragma once

#include <string>

#include "policy/policy.hpp"

namespace tacit::duckdb_engine {

struct SourceTable {
  const TablePolicy& table;
  std::string path;   // absolute, of a readable file
  std::string where;  // the table's place in the policy
};

}  // namespace tacit::duckdb_engine
