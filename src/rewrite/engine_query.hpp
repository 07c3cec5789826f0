#pragma once

#include <string>
#include <vector>

#include "base/type.hpp"

namespace tacit {

// The one statement a private query runs. Its rows are the group keys, then the cells: integers (units of the cell's
// grid) that fit 38 digits and are never NULL.
struct EngineQuery {
  std::string sql;
  std::vector<SqlType> keys;
  std::size_t cells = 0;
};

// A statement over public tables only; its rows are ordinary values.
struct PublicQuery {
  std::string sql;
  std::vector<SqlType> columns;
};

}  // namespace tacit
