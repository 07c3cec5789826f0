#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/type.hpp"
#include "sql/dialects/dialects.hpp"

namespace tacit::totality {

// A database of the test's own, with the session settings that Tacit uses: every table is named with its schema. Cells
// come back as the engine spells them, NULL as nothing.
class Engine {
 public:
  virtual ~Engine() = default;

  using Cells = std::vector<std::vector<std::optional<std::string>>>;  // rows, then columns
  struct Answer {
    Cells cells;
    std::string error;  // empty: none
  };
  virtual const Dialect& dialect() const = 0;
  virtual Answer ask(const std::string& sql) = 0;
  // No statement after this one can write: as a Tacit session is set up.
  virtual void lock_down() = 0;

  // One cell of one row; fails the test on an error.
  std::string value(const std::string& sql);
  // SQL for the engine's own name of an expression's type, and the name that `type` should have.
  std::string type_of(const std::string& expression) const;
  std::string type_name(const SqlType& type) const;
};

// DuckDB in memory, single-threaded; PostgreSQL in a new database of the test program's server.
std::unique_ptr<Engine> new_engine(const Dialect& dialect);
inline std::string name_of(const Dialect& dialect) { return &dialect == &duckdb_dialect() ? "DuckDb" : "Postgres"; }

}  // namespace tacit::totality
