#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tacit {

// A hospital's visits, a harbour's ships, a shop's customers and orders: a few thousand made-up rows each, the same on
// every machine.
struct SampleDatabase {
  std::string policy_path;  // DIRECTORY/sample.toml
};

// Writes into `directory` (made if needed): sample.duckdb, visits.parquet, sample.toml, own-data.toml, queries/*.sql.
// Safe to run again: files it wrote are written anew, and the ledgers of the two policies are removed with the made-up
// data they were about. A policy somebody changed since is kept, and nothing is written: its ledger may be about real
// data.
Result<SampleDatabase> create_sample_database(const std::string& directory);

// What the demo asks, in order; the same text as queries/*.sql.
struct SampleQuery {
  std::string name;   // "visits-by-ward"
  std::string title;  // its first line, a comment
  std::string sql;
};
std::vector<SampleQuery> sample_queries();

}  // namespace tacit
