#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/type.hpp"
#include "policy/table_name.hpp"

namespace tacit {

// The one statement a private query runs. Its rows are the group keys, then the cells: numbers of at most 38 digits,
// never NULL, whole multiples of the cell's grid.
struct EngineQuery {
  std::string sql;
  std::vector<SqlType> keys;
  std::vector<int> cell_scales;   // of each cell: the number of digits after its point; its grid is 10^-scale
  std::vector<TableName> tables;  // every table it reads, with schema
};

// Chooses which groups of a person stay (users_statement.md). A plan has none: it is drawn where noise is, fresh for
// every answer and private until that is out. The statement of an explanation has the key 0.
struct SamplingKey {
  std::uint64_t value = 0;
};

// A statement over public tables only; its rows are ordinary values.
struct PublicQuery {
  std::string sql;
  std::vector<SqlType> columns;
};

// A statement over private tables for the owner's own eyes (`policy check --verify`); its rows never reach an analyst.
struct OwnerQuery {
  std::string sql;
  std::vector<SqlType> columns;
};

}  // namespace tacit
