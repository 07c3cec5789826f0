#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bench/bench_connection.hpp"
#include "bench/tpch_data.hpp"

namespace tacit {

// The SQL that Laud et al. 2020 run in place of one query: `modified` gives the continuous query's value, and one
// statement a table gives its sensitivity. The query's own is the largest of them.
struct AnchorQuery {
  std::string modified;
  std::vector<std::string> sensitivities;
};

// Reads NAME.qm.sql and NAME.qs.TABLE.sql of the folder; empty when the first is missing.
std::optional<AnchorQuery> read_anchor_query(const std::string& folder, const std::string& name);

// Tables as the authors' SQL expects them, beside the benchmark's own and never in their way: every table with a
// numbered column ID, dates as days since 1980-01-01 in columns named ...F, amounts in double precision (numeric takes
// the authors' exp() several times longer), and a table of sensitive rows each. Made when missing.
Result<std::unique_ptr<BenchConnection>> open_duckdb_anchor(const TpchFolders& folders, double scale,
                                                            const std::string& tpch_file);
Result<std::unique_ptr<BenchConnection>> open_postgres_anchor(double scale, const std::string& tpch_schema,
                                                              const std::string& url);

// Runs all statements; the sensitivity they give, 0 where no row joins.
Result<double> run_anchor(BenchConnection& connection, const AnchorQuery& query);

}  // namespace tacit
