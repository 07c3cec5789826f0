#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tacit::soundness::metric {

// A database of the test's own making: tables, what the owner says about them, and rows.

enum class Kind { integer, date, decimal, real, text, boolean, timestamp };

// Integers, days since 1970-01-01, hundredths of a decimal(10,2), microseconds; doubles; text. Booleans are 0 and 1.
using Datum = std::variant<long long, double, std::string>;
using Cell = std::optional<Datum>;  // nothing: NULL
using Row = std::vector<Cell>;

struct Column {
  enum class Role { shown, private_cell };  // shown: a public column
  enum class Use { plain, logarithm, discrete };
  std::string name;
  Kind kind = Kind::integer;
  Role role = Role::shown;
  Use use = Use::plain;  // in the metric
  double lo = 0.0;       // most values lie from lo to hi
  double hi = 10.0;
  bool bounded = false;             // the policy declares lo and hi as min and max
  std::optional<double> step;       // declared, on doubles
  std::optional<double> precision;  // declared, on doubles without a step
  std::vector<Datum> values;        // declared domain
  std::vector<double> points;       // numbers that queries compare with and data likes to take

  bool is_private() const { return role == Role::private_cell; }
  bool is_number() const { return kind == Kind::integer || kind == Kind::decimal || kind == Kind::real; }
};

// The owner's metric, as the test understands it.
struct Metric {
  double factor = 1.0;
  double exponent = 1.0;         // of a norm; infinity: the largest
  std::vector<Metric> children;  // empty: a column
  std::size_t column = 0;        // index in the table
};

// Which rows are private: the row is public only where the condition is false.
struct SensitiveRows {
  std::string sql;
  std::size_t column = 0;
  long long above = 0;  // "column > above"; booleans: above = 0
};

struct Dependency {
  std::size_t from = 0;
  std::size_t to = 0;
  long long limit = 1;
};

struct Table {
  std::string name;
  bool is_public = false;
  std::vector<Column> columns;  // the first is the key `id`
  bool declares_key = true;
  bool enforces_key = true;
  std::vector<Dependency> dependencies;
  Metric metric;
  double rows_exponent = 1.0;
  std::string ready = {};  // the policy names the metric; empty: it is written out, with rows_combine
  std::optional<SensitiveRows> sensitive_rows;
};

struct World {
  std::vector<Table> tables;
  double tables_exponent = 1.0;
  bool writes_tables_combine = true;  // false: it follows from the name of a metric
  double beta_share = 0.2;
  double epsilon = 1.0;
  bool is_tight = false;       // tight_world.hpp
  std::string mechanism = {};  // the noise that the policy wants: bounds are smooth then; empty: whatever is best
};

using Data = std::vector<std::vector<Row>>;  // rows of each table

bool is_sensitive(const Table& table, const Row& row);

// The column's value in the metric's unit: days, seconds. REQUIRES: not text.
double number_of(Kind kind, const Datum& datum);
// The nearest value the column can hold.
Datum datum_of(Kind kind, double number);

std::string to_sql(Kind kind, const Cell& cell);
std::string number_to_sql(Kind kind, double number);  // a literal that may be compared with the column
std::string to_text(const Metric& metric, const Table& table);
std::string norm_name(double exponent);

// The policy without [engine], the same for every version.
std::string policy_text(const World& world, std::size_t versions);
std::vector<std::string> create_statements(const World& world, std::size_t version);
std::vector<std::string> insert_statements(const World& world, const Data& data, std::size_t version);

}  // namespace tacit::soundness::metric
