#include "sql/dialects/dialects.hpp"

namespace tacit {

std::span<const Dialect* const> all_dialects() {
  static const Dialect* const all[] = {&duckdb_dialect(), &postgres_dialect()};
  return all;
}

const Dialect& ledger_dialect() { return postgres_dialect(); }

const Dialect& any_dialect() { return duckdb_dialect(); }

}  // namespace tacit
