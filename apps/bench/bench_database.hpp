#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tacit {

// Where a suite makes its tables: a DuckDB file of its own, or the schema tacit_bench of a PostgreSQL database. Gone
// with the object.
class BenchDatabase {
 public:
  // `postgres_url` empty: DuckDB. An older schema tacit_bench is dropped.
  static Result<BenchDatabase> make(const std::optional<std::string>& postgres_url);
  BenchDatabase(BenchDatabase&&) noexcept;
  BenchDatabase& operator=(BenchDatabase&&) = delete;
  ~BenchDatabase();

  bool is_postgres() const { return url_.has_value(); }
  std::string engine() const { return is_postgres() ? "postgresql" : "duckdb"; }  // as results call it
  std::string qualified(const std::string& table) const;                          // for the engine's own SQL

  // Each statement alone; tables without a schema are made in the right one.
  Status run(const std::vector<std::string>& statements) const;
  // The first column as text.
  Result<std::vector<std::string>> texts(const std::string& sql) const;

  // Writes a policy over this database, `text` being all but its [engine], and gives its path.
  std::string write_policy(const std::string& text) const;

 private:
  BenchDatabase() = default;
  std::filesystem::path folder_;
  std::optional<std::string> url_;
};

}  // namespace tacit
