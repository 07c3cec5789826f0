#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tacit {

// A connection a suite keeps open for statements of its own: loading data, exact values, the anchor's SQL. None of it
// passes through Tacit.
class BenchConnection {
 public:
  virtual ~BenchConnection() = default;

  virtual Status run(const std::string& sql) = 0;
  // The first column of the first row as text; empty for NULL and for no row.
  virtual Result<std::optional<std::string>> value(const std::string& sql) = 0;
  // Every row as text; NULL is the empty text.
  virtual Result<std::vector<std::vector<std::string>>> rows(const std::string& sql) = 0;
  // Appends the rows of a CSV file with a heading line.
  virtual Status load_csv(const std::string& table, const std::string& file) = 0;
};

// The file is made when it is missing, unless `read_only`.
Result<std::unique_ptr<BenchConnection>> open_duckdb_file(const std::string& path, bool read_only);

// Names without a schema mean `schema`, which need not exist yet.
Result<std::unique_ptr<BenchConnection>> open_postgres_schema(const std::string& url, const std::string& schema);

// The url with this search path, for a policy.
std::string url_with_schema(const std::string& url, const std::string& schema);

// Both engines get as many threads as the benchmark's policies give Tacit.
constexpr int bench_threads = 2;

}  // namespace tacit
