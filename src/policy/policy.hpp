#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/type.hpp"
#include "base/units.hpp"
#include "base/value.hpp"
#include "metric/metric.hpp"
#include "policy/table_name.hpp"

namespace tacit {

// The owner's word, read from one TOML file (docs/policy.md). A Policy that exists has passed every check that needs no
// engine; check_against_catalog.hpp does the rest.

// A place in the policy file, for messages.
struct PolicyPlace {
  int line = 0;
  std::string key;  // "tables.visit.columns.age.min"
};

struct ColumnPolicy {
  PolicyPlace place;
  std::optional<Value> min;  // Decimal, double, Date or Timestamp, as the column's type asks
  std::optional<Value> max;
  std::optional<Decimal> step;      // granularity: a public fact
  std::optional<double> precision;  // of soft conditions on doubles of a metric, per unit of the column
  std::vector<Value> values;        // the declared domain; empty when none was declared
  std::optional<SqlType> type;      // of CSV columns, and of stored numbers without declared digits
};

// "X ->[k] Y": at most k different Y for one X. k = 1 is a functional dependency. "X ->[k] rows": at most k rows, and
// `to` is empty.
struct Dependency {
  PolicyPlace place;
  std::vector<std::string> from;
  std::vector<std::string> to;
  long long limit = 1;
};

struct PublicTable {};

enum class RowNeighbour { add_remove, replace };
struct RowsTable {
  RowNeighbour neighbour = RowNeighbour::add_remove;
};

struct OwnerColumn {  // rows belong to people
  std::string column;
};
struct OwnerThrough {
  std::vector<std::string> columns;
  TableName references;
};
struct UsersTable {
  std::variant<OwnerColumn, OwnerThrough> owner;
};

struct MetricTable {
  MetricPtr metric;
  std::vector<std::string> public_columns = {};
  NormExponent rows_combine = {};
  std::optional<std::string> sensitive_rows = std::nullopt;  // SQL predicate over public columns
  std::optional<ReadyMetric> ready = std::nullopt;           // the name that the owner wrote (ready_metric.hpp)
};

using TableModel = std::variant<PublicTable, RowsTable, UsersTable, MetricTable>;

struct TablePolicy {
  PolicyPlace place;
  TableName name;
  TableModel model;
  std::vector<std::string> primary_key;  // empty: none declared
  bool keys_trusted = false;             // users and rows tables: the owner vouches for keys and dependencies
  std::vector<Dependency> dependencies;
  std::optional<std::string> source;  // Parquet or CSV file, path relative to the policy
  std::map<std::string, ColumnPolicy> columns;
  std::vector<std::string> column_order;  // the names of `columns` as the policy lists them

  bool is_public() const { return std::holds_alternative<PublicTable>(model); }
};

struct EnginePolicy {
  PolicyPlace place;
  std::string url;  // as written: "duckdb:shop.duckdb", "duckdb:", "postgresql://..."
  double timeout_seconds = 60.0;
  std::optional<std::size_t> memory_bytes;
  std::optional<int> threads;
  std::optional<std::string> library;  // DuckDB's, path relative to the policy; empty: as load_duckdb() finds it
};

struct QueryDefaults {
  Epsilon epsilon{1.0};
  Delta delta{0.0};
  Epsilon epsilon_min{0.001};
  Epsilon epsilon_max{4.0};
};

struct Allowance {
  Epsilon epsilon;
  Delta delta;
};

struct BudgetPolicy {
  Allowance global;
  std::map<std::string, Allowance> analysts;
};

// The noise laws that an owner may ask for in the metric model: those of mechanism/noise_law.hpp that are for bounds
// (noise_law_test.cpp compares).
inline constexpr std::string_view metric_noise_names[] = {"power-laplace", "laplace", "generalized-cauchy", "student-t",
                                                          "laplace-delta"};

// How the users model chooses which private group keys are shown.
enum class GroupSelection {
  optimal,    // mechanism/users/group_selection.md: shows the most groups at the same price
  threshold,  // a noisy count of users against tau
};
// How the users model finds bounds nobody stated.
enum class BoundsInference {
  histogram,  // a noisy histogram of magnitudes
  race,       // race to the top
};
struct UsersDefaults {
  std::optional<int> max_groups;                // C_u: how many groups of an answer one user may touch; empty: auto
  std::optional<long long> max_rows_per_group;  // how many rows of one user count in one group
  std::optional<long long> max_rows;            // how many rows of one user count in all groups together
  std::optional<GroupSelection> selection;      // empty: whichever is expected to be better
  BoundsInference bounds = BoundsInference::histogram;
};

struct Policy {
  std::string path;       // of the file, as given
  std::string directory;  // relative paths in the policy start here
  EnginePolicy engine;
  std::string ledger_path;  // resolved
  QueryDefaults defaults;
  BudgetPolicy budget;
  UsersDefaults users;
  NormExponent tables_combine;
  double metric_beta = 0.1;                 // smoothness as a share of epsilon
  std::optional<std::string> metric_noise;  // one of metric_noise_names; empty: the smallest
  std::vector<TablePolicy> tables;
  std::map<std::string, int> key_lines;  // every key of the file and its line, for messages

  const TablePolicy* find_table(const TableName& name) const;
  std::string resolve(const std::string& relative) const;  // against `directory`
  // The key's place, or that of the nearest key above it.
  PolicyPlace place_of(const std::string& key) const;
};

// Reads and checks a policy. A wrong policy is refused whole: the failure names file:line, the key, what was expected,
// and the nearest known name where one was misspelt.
Result<Policy> read_policy(const std::string& path);
Result<Policy> parse_policy(const std::string& text, const std::string& path);

}  // namespace tacit
