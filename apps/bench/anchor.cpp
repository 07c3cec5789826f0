#include "bench/anchor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/metric_queries.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

struct AnchorTable {
  const char* source;
  const char* name;     // the authors' name of it
  const char* columns;  // those their SQL reads
  const char* indexes;  // of PostgreSQL
};

constexpr AnchorTable anchor_tables[] = {
    {"region", "region", "r_regionkey, r_name", "r_regionkey"},
    {"nation", "nations", "n_nationkey, n_name, n_regionkey", "n_nationkey"},
    {"supplier", "supplier", "s_suppkey, s_nationkey, s_comment", "s_suppkey,s_nationkey"},
    {"customer", "customer", "c_custkey, c_nationkey, c_mktsegment", "c_custkey,c_nationkey"},
    {"part", "part",
     "p_partkey, p_name, p_brand, p_type, p_size, p_container, CAST(p_retailprice AS DOUBLE PRECISION) AS "
     "p_retailprice",
     "p_partkey"},
    {"partsupp", "partsupp",
     "ps_partkey, ps_suppkey, ps_availqty, CAST(ps_supplycost AS DOUBLE PRECISION) AS ps_supplycost",
     "ps_partkey,ps_suppkey"},
    {"orders", "orders",
     "o_orderkey, o_custkey, o_orderpriority, o_shippriority, o_orderdate - DATE '1980-01-01' AS o_orderdateF",
     "o_orderkey,o_custkey"},
    {"lineitem", "lineitem",
     "l_orderkey, l_partkey, l_suppkey, l_linenumber, CAST(l_quantity AS DOUBLE PRECISION) AS l_quantity, "
     "CAST(l_extendedprice AS DOUBLE PRECISION) AS l_extendedprice, CAST(l_discount AS DOUBLE PRECISION) AS "
     "l_discount, CAST(l_tax AS DOUBLE PRECISION) AS l_tax, l_returnflag, l_linestatus, l_shipinstruct, l_shipmode, "
     "l_shipdate - DATE '1980-01-01' AS l_shipdateF, l_commitdate - DATE '1980-01-01' AS l_commitdateF, "
     "l_receiptdate - DATE '1980-01-01' AS l_receiptdateF",
     "l_orderkey,l_partkey,l_suppkey"},
};

Status make_tables(BenchConnection& connection, const std::string& source_schema) {
  for (const AnchorTable& table : anchor_tables) {
    TACIT_TRY_STATUS(connection.run(fmt::format("CREATE TABLE {} AS SELECT row_number() OVER () AS ID, {} FROM {}.{}",
                                                table.name, table.columns, source_schema, table.source)));
    TACIT_TRY_STATUS(
        connection.run(fmt::format("CREATE TABLE {0}_sensRows AS SELECT ID, true AS sensitive FROM {0}", table.name)));
  }
  return {};
}

std::vector<std::string> index_statements(const AnchorTable& table) {
  std::vector<std::string> statements{fmt::format("ALTER TABLE {} ADD PRIMARY KEY (ID)", table.name),
                                      fmt::format("ALTER TABLE {}_sensRows ADD PRIMARY KEY (ID)", table.name)};
  const std::string columns = table.indexes;
  for (std::size_t start = 0; start < columns.size();) {
    const std::size_t end = std::min(columns.find(',', start), columns.size());
    statements.push_back(fmt::format("CREATE INDEX ON {} ({})", table.name, columns.substr(start, end - start)));
    start = end + 1;
  }
  statements.push_back(fmt::format("VACUUM ANALYZE {}", table.name));
  statements.push_back(fmt::format("VACUUM ANALYZE {}_sensRows", table.name));
  return statements;
}

}  // namespace

std::optional<AnchorQuery> read_anchor_query(const std::string& folder, const std::string& name) {
  const auto modified = read_whole_file((fs::path(folder) / (name + ".qm.sql")).string());
  if (!modified) return std::nullopt;
  AnchorQuery query{*modified, {}};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(name + ".qs.")) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    const auto text = read_whole_file(file);
    if (!text) return std::nullopt;
    query.sensitivities.push_back(*text);
  }
  return query;
}

Result<std::unique_ptr<BenchConnection>> open_duckdb_anchor(const TpchFolders& folders, double scale,
                                                            const std::string& tpch_file) {
  const fs::path finished = fs::absolute(folders.data / scale_name(scale) / "anchor.duckdb");
  if (!fs::exists(finished)) {
    const fs::path unfinished = finished.string() + ".part";
    std::error_code error;
    fs::remove(unfinished, error);
    {
      TACIT_TRY(const auto connection, open_duckdb_file(unfinished.string(), false));
      TACIT_TRY_STATUS(connection->run(fmt::format("ATTACH '{}' AS tpch (READ_ONLY)", tpch_file)));
      TACIT_TRY_STATUS(make_tables(*connection, "tpch.main"));
      TACIT_TRY_STATUS(connection->run("CHECKPOINT"));
    }
    fs::rename(unfinished, finished, error);
  }
  return open_duckdb_file(finished.string(), true);
}

Result<std::unique_ptr<BenchConnection>> open_postgres_anchor(double scale, const std::string& tpch_schema,
                                                              const std::string& url) {
  const std::string finished = "tacit_anchor_" + scale_identifier(scale);
  const std::string unfinished = finished + "_part";
  TACIT_TRY(const auto connection, open_postgres_schema(url, unfinished));
  TACIT_TRY(const auto found, connection->value(fmt::format("SELECT to_regnamespace('{}')", finished)));
  if (!found) {
    TACIT_TRY_STATUS(connection->run(fmt::format("DROP SCHEMA IF EXISTS {} CASCADE", unfinished)));
    TACIT_TRY_STATUS(connection->run(fmt::format("CREATE SCHEMA {}", unfinished)));
    TACIT_TRY_STATUS(make_tables(*connection, tpch_schema));
    for (const AnchorTable& table : anchor_tables) {
      for (const std::string& sql : index_statements(table)) TACIT_TRY_STATUS(connection->run(sql));
    }
    TACIT_TRY_STATUS(connection->run(fmt::format("ALTER SCHEMA {} RENAME TO {}", unfinished, finished)));
  }
  return open_postgres_schema(url, finished);
}

Result<double> run_anchor(BenchConnection& connection, const AnchorQuery& query) {
  TACIT_TRY_STATUS(connection.run(query.modified));
  double largest = 0.0;
  for (const std::string& sql : query.sensitivities) {
    TACIT_TRY(const auto value, connection.value(sql));
    if (value) largest = std::max(largest, std::stod(*value));
  }
  return largest;
}

}  // namespace tacit
