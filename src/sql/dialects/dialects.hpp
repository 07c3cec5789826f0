#pragma once

#include <span>

#include "sql/dialect.hpp"

namespace tacit {

// The dialect of each engine, defined in the file of its name. Only an engine names its own (scripts/lint-layers.py);
// everyone else is given one.
const Dialect& duckdb_dialect();
const Dialect& postgres_dialect();

// All of them, in a fixed order.
std::span<const Dialect* const> all_dialects();

// Of conditions that ledgers keep as text: the same one whatever the engine, and for ever.
const Dialect& ledger_dialect();
// Where SQL is printed for what every dialect's has in common.
const Dialect& any_dialect();

}  // namespace tacit
