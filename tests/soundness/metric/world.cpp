#include "soundness/metric/world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/value.hpp"
#include "soundness/opened_world.hpp"
#include "support/policy_head.hpp"

namespace tacit::soundness::metric {
namespace {

std::string sql_type(Kind kind) {
  switch (kind) {
    case Kind::integer: return "INTEGER";
    case Kind::date: return "DATE";
    case Kind::decimal: return "DECIMAL(10,2)";
    case Kind::real: return "DOUBLE PRECISION";
    case Kind::text: return "VARCHAR";
    case Kind::boolean: return "BOOLEAN";
    case Kind::timestamp: return "TIMESTAMP";
  }
  return "";
}

std::string hundredths(long long units) {
  const long long size = units < 0 ? -units : units;
  return fmt::format("{}{}.{:02}", units < 0 ? "-" : "", size / 100, size % 100);
}

std::string date_text(long long days) { return to_string(Date{static_cast<std::int32_t>(days)}); }

std::string real_sql(double x) {
  if (std::isnan(x)) return "CAST('NaN' AS DOUBLE PRECISION)";
  if (std::isinf(x)) return fmt::format("CAST('{}inf' AS DOUBLE PRECISION)", x < 0 ? "-" : "");
  return fmt::format("CAST('{:.17g}' AS DOUBLE PRECISION)", x);
}

// As the policy spells a bound or a domain value.
std::string toml_value(Kind kind, const Datum& datum) {
  switch (kind) {
    case Kind::integer: return std::to_string(std::get<long long>(datum));
    case Kind::decimal: return hundredths(std::get<long long>(datum));
    case Kind::date: return date_text(std::get<long long>(datum));
    case Kind::boolean: return std::get<long long>(datum) ? "true" : "false";
    case Kind::real: return fmt::format("{}", std::get<double>(datum));
    case Kind::text: return "\"" + std::get<std::string>(datum) + "\"";
    case Kind::timestamp: return "\"" + to_string(Timestamp{std::get<long long>(datum)}) + "\"";
  }
  return "";
}

std::string facts_of(const Column& column) {
  std::vector<std::string> facts;
  if (column.bounded) {
    facts.push_back("min = " + toml_value(column.kind, datum_of(column.kind, column.lo)));
    facts.push_back("max = " + toml_value(column.kind, datum_of(column.kind, column.hi)));
  }
  if (column.step) facts.push_back(fmt::format("step = {}", *column.step));
  if (column.precision) facts.push_back(fmt::format("precision = {}", *column.precision));
  if (!column.values.empty()) {
    std::vector<std::string> values;
    for (const auto& value : column.values) values.push_back(toml_value(column.kind, value));
    facts.push_back(fmt::format("values = [{}]", fmt::join(values, ", ")));
  }
  return facts.empty() ? "" : fmt::format("{} = {{ {} }}\n", column.name, fmt::join(facts, ", "));
}

std::string model_of(const Table& table) {
  if (table.is_public) return "public = true\n";
  std::vector<std::string> shown;
  for (const auto& column : table.columns)
    if (!column.is_private()) shown.push_back("\"" + column.name + "\"");
  std::string text =
      fmt::format("metric = \"{}\"\npublic_columns = [{}]\n",
                  table.ready.empty() ? to_text(table.metric, table) : table.ready, fmt::join(shown, ", "));
  if (table.ready.empty()) text += fmt::format("rows_combine = \"{}\"\n", norm_name(table.rows_exponent));
  if (table.sensitive_rows) text += "sensitive_rows = \"" + table.sensitive_rows->sql + "\"\n";
  return text;
}

std::string table_text(const Table& table, const std::string& schema) {
  const std::string name = fmt::format("tables.\"{}.{}\"", schema, table.name);
  std::string text = fmt::format("[{}]\n{}", name, model_of(table));
  if (table.declares_key) text += "primary_key = [\"id\"]\n";
  std::vector<std::string> dependencies;
  for (const auto& d : table.dependencies) {
    dependencies.push_back(
        fmt::format("\"{} ->[{}] {}\"", table.columns[d.from].name, d.limit, table.columns[d.to].name));
  }
  if (!dependencies.empty()) text += fmt::format("dependencies = [{}]\n", fmt::join(dependencies, ", "));
  text += fmt::format("[{}.columns]\n", name);
  for (const auto& column : table.columns) text += facts_of(column);
  return text;
}

}  // namespace

bool is_sensitive(const Table& table, const Row& row) {
  if (table.is_public) return false;
  if (!table.sensitive_rows) return true;
  const Cell& cell = row[table.sensitive_rows->column];
  return !cell || std::get<long long>(*cell) > table.sensitive_rows->above;
}

double number_of(Kind kind, const Datum& datum) {
  if (kind == Kind::real) return std::get<double>(datum);
  const auto whole = static_cast<double>(std::get<long long>(datum));
  if (kind == Kind::decimal) return whole / 100.0;
  return kind == Kind::timestamp ? whole / 1e6 : whole;
}

Datum datum_of(Kind kind, double number) {
  if (kind == Kind::real) return number;
  if (kind == Kind::decimal) return std::llround(number * 100.0);
  return std::llround(kind == Kind::timestamp ? number * 1e6 : number);
}

std::string to_sql(Kind kind, const Cell& cell) {
  if (!cell) return "NULL";
  switch (kind) {
    case Kind::integer: return std::to_string(std::get<long long>(*cell));
    case Kind::decimal: return hundredths(std::get<long long>(*cell));
    case Kind::date: return "DATE '" + date_text(std::get<long long>(*cell)) + "'";
    case Kind::boolean: return std::get<long long>(*cell) ? "TRUE" : "FALSE";
    case Kind::real: return real_sql(std::get<double>(*cell));
    case Kind::text: return "'" + std::get<std::string>(*cell) + "'";
    case Kind::timestamp: return "TIMESTAMP '" + to_string(Timestamp{std::get<long long>(*cell)}) + "'";
  }
  return "";
}

std::string number_to_sql(Kind kind, double number) {
  if (kind == Kind::real) return fmt::format("{}", number);
  return to_sql(kind, datum_of(kind, number));
}

std::string norm_name(double exponent) {
  if (std::isinf(exponent)) return "linf";
  if (exponent == 1.0 || exponent == 2.0) return fmt::format("l{}", static_cast<int>(exponent));
  return fmt::format("lp({})", exponent);
}

std::string to_text(const Metric& metric, const Table& table) {
  std::string text = metric.factor == 1.0 ? "" : fmt::format("{} * ", metric.factor);
  if (metric.children.empty()) {
    const Column& column = table.columns[metric.column];
    if (column.use == Column::Use::logarithm) return text + "ln(" + column.name + ")";
    if (column.use == Column::Use::discrete) return text + "discrete(" + column.name + ")";
    return text + column.name;
  }
  std::vector<std::string> children;
  for (const auto& child : metric.children) children.push_back(to_text(child, table));
  std::string norm = norm_name(metric.exponent);
  const bool named = norm.find('(') == std::string::npos;
  norm = named ? norm + "(" : fmt::format("lp({}; ", metric.exponent);
  return fmt::format("{}{}{})", text, norm, fmt::join(children, ", "));
}

std::string policy_text(const World& world, std::size_t versions) {
  const std::string defaults = fmt::format("epsilon = {}\nepsilon_max = 8.0", world.epsilon);
  std::string text = testing::budget_section({.epsilon = 1000.0, .defaults = defaults}) +
                     fmt::format("[metric]\nbeta = {}\n", world.beta_share);
  if (!world.mechanism.empty()) text += fmt::format("mechanism = \"{}\"\n", world.mechanism);
  if (world.writes_tables_combine) text += fmt::format("tables_combine = \"{}\"\n", norm_name(world.tables_exponent));
  for (std::size_t version = 0; version < versions; ++version)
    for (const auto& table : world.tables) text += table_text(table, schema_of(version));
  return text;
}

std::vector<std::string> create_statements(const World& world, std::size_t version) {
  std::vector<std::string> statements{"CREATE SCHEMA " + schema_of(version)};
  for (const auto& table : world.tables) {
    std::vector<std::string> columns;
    for (const auto& column : table.columns) columns.push_back(column.name + " " + sql_type(column.kind));
    if (table.enforces_key) columns.front() += " PRIMARY KEY";
    statements.push_back(
        fmt::format("CREATE TABLE {}.{} ({})", schema_of(version), table.name, fmt::join(columns, ", ")));
  }
  return statements;
}

std::vector<std::string> insert_statements(const World& world, const Data& data, std::size_t version) {
  std::vector<std::string> statements;
  for (std::size_t t = 0; t < data.size(); ++t) {
    std::vector<std::string> rows;
    for (const auto& row : data[t]) {
      std::vector<std::string> cells;
      for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(to_sql(world.tables[t].columns[c].kind, row[c]));
      rows.push_back(fmt::format("({})", fmt::join(cells, ", ")));
    }
    if (!rows.empty())
      statements.push_back(fmt::format("INSERT INTO {}.{} VALUES {}", schema_of(version), world.tables[t].name,
                                       fmt::join(rows, ",\n  ")));
  }
  return statements;
}

}  // namespace tacit::soundness::metric
