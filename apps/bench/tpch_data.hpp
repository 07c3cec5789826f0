#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace tacit {

// Small tables first.
inline constexpr std::array<const char*, 8> tpch_tables{"region", "nation",   "supplier", "customer",
                                                        "part",   "partsupp", "orders",   "lineitem"};

// TPC-H data, bit for bit that of dbgen, made once by the command tpchgen-cli and kept for later runs.
struct TpchFolders {
  std::filesystem::path definitions;  // schema.sql and indexes.sql
  std::filesystem::path data;         // where the data of all scale factors is kept; made when missing
};

// "sf0.1", the folder's name, and "sf0_1", good in a name of SQL.
std::string scale_name(double scale);
std::string scale_identifier(double scale);

// The tables as CSV files in DATA/sf<scale>/csv; false when the command tpchgen-cli is not there and neither are they.
Result<bool> make_tpch_csv(const TpchFolders& folders, double scale);

// REQUIRES: make_tpch_csv gave true. The DuckDB file with the tables, loaded when missing.
Result<std::string> load_tpch_into_duckdb(const TpchFolders& folders, double scale);

// REQUIRES: make_tpch_csv gave true. The same tables in a file of their own, with the keys of `keys_file` enforced.
Result<std::string> load_tpch_with_keys_into_duckdb(const TpchFolders& folders, const std::filesystem::path& keys_file,
                                                    double scale);

// REQUIRES: make_tpch_csv gave true. The schema of the PostgreSQL database that holds the tables, with keys, indexes
// and statistics; loaded when missing.
Result<std::string> load_tpch_into_postgres(const TpchFolders& folders, double scale, const std::string& url);

}  // namespace tacit
