#include "sensitivity/metric/epsilon_divisor.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sensitivity/metric/derivative/norm_dual.hpp"

namespace tacit {
namespace {

using Outputs = std::set<std::size_t>;           // indices of cells of the answer
using Readers = std::map<std::string, Outputs>;  // by column name

Outputs all_of(const Readers& readers) {
  Outputs all;
  for (const auto& [column, outputs] : readers) all.insert(outputs.begin(), outputs.end());
  return all;
}

std::set<std::string> names_in(const MetricNode& metric) {
  std::set<std::string> names;
  for (const auto& column : columns_of(metric)) names.insert(column.column);
  return names;
}

// The divisor of every column that is read: outputs that read it, or anything it shares a norm other than l1 with.
void column_divisors(const MetricNode& metric, const Readers& readers, std::map<std::string, double>& divisors) {
  if (const auto* column = std::get_if<MetricColumn>(&metric.node)) {
    const auto found = readers.find(column->column);
    if (found != readers.end()) divisors[column->column] = static_cast<double>(found->second.size());
    return;
  }
  if (const auto* scale = std::get_if<MetricScale>(&metric.node))
    return column_divisors(*scale->child, readers, divisors);
  const auto& norm = std::get<MetricNorm>(metric.node);
  if (is_l1(norm.exponent) || norm.children.size() == 1) {
    for (const auto& child : norm.children) column_divisors(*child, readers, divisors);
    return;
  }
  const auto names = names_in(metric);
  Readers inside;
  for (const auto& [column, outputs] : readers) {
    if (names.contains(column)) inside.emplace(column, outputs);
  }
  for (const auto& [column, outputs] : inside) divisors[column] = static_cast<double>(all_of(inside).size());
}

std::map<std::string, double> table_divisors(const MetricTable& table, const Readers& readers) {
  std::map<std::string, double> divisors;
  if (is_l1(table.rows_combine)) {
    column_divisors(*table.metric, readers, divisors);
  } else {
    // One output's cells may move in one row and another's in another, together at the price of less than their sum.
    for (const auto& [column, outputs] : readers) divisors[column] = static_cast<double>(all_of(readers).size());
  }
  return divisors;
}

// The sum over groups of their parts' norms, against the norm of all: a row of each table may move in groups of its
// own.
double dual_of_groups(const NormExponent& tables_combine, const std::vector<double>& groups) {
  const double q = dual_exponent(tables_combine);
  double total = 0.0;
  for (const double of_table : groups) {
    total = std::isinf(q) ? std::max(total, of_table) : total + std::pow(of_table, q);
  }
  return std::isinf(q) ? total : std::pow(total, 1.0 / q) * (1.0 + 1e-12);
}

// The product of the scales above a column: the norm is at least that times the column's own move.
void weights_of(const MetricNode& metric, double weight, std::map<std::string, double>& weights) {
  if (const auto* column = std::get_if<MetricColumn>(&metric.node)) {
    weights[column->column] = weight;
  } else if (const auto* scale = std::get_if<MetricScale>(&metric.node)) {
    weights_of(*scale->child, weight * to_double(scale->factor), weights);
  } else if (const auto* norm = std::get_if<MetricNorm>(&metric.node)) {
    for (const auto& child : norm->children) weights_of(*child, weight, weights);
  }
}

std::optional<double> least_move(const PrivateColumn& column) {
  if (column.use == MetricColumn::Use::discrete) return 1.0;
  if (column.use == MetricColumn::Use::plain) return column.type_step;
  // |ln x - ln x'| >= |x - x'| / max.
  const auto* exact = std::get_if<ExactRange>(&column.column->declared);
  if (!column.type_step || !exact || !exact->hi.stated) return std::nullopt;
  return *column.type_step / to_double(exact->hi.value);
}

}  // namespace

std::vector<double> epsilon_divisors(const MetricAnalysis& analysis, const std::vector<long long>& groups_per_row) {
  std::map<const TablePolicy*, Readers> readers;
  std::map<const TablePolicy*, double> groups;
  Outputs all;
  const auto table_of = [&](const Column* column) {
    return analysis.flat.roles[analysis.flat.columns.at(column).role].table;
  };
  for (std::size_t cell = 0; cell < analysis.cells.size(); ++cell) {
    for (const Column* column : analysis.cells[cell].reads) {
      readers[table_of(column)][column->name].insert(cell);
      all.insert(cell);
    }
  }
  const bool grouped = !analysis.flat.keys.empty();
  for (std::size_t role = 0; role < analysis.flat.roles.size(); ++role) {
    // The same row may stand in several roles: its groups add up.
    if (analysis.flat.roles[role].metric) {
      groups[analysis.flat.roles[role].table] += static_cast<double>(groups_per_row[role]);
    }
  }
  std::map<const TablePolicy*, std::map<std::string, double>> divisors;
  std::vector<double> groups_of_tables;
  for (const auto& [table, by_column] : readers) {
    divisors[table] = table_divisors(std::get<MetricTable>(table->model), by_column);
    groups_of_tables.push_back(groups[table]);
  }
  const double all_groups = grouped ? dual_of_groups(analysis.tables_combine, groups_of_tables) : 1.0;
  std::vector<double> of_cells;
  for (const auto& cell : analysis.cells) {
    double divisor = 1.0;
    for (const Column* column : cell.reads) {
      const TablePolicy* table = table_of(column);
      divisor = std::max(divisor, divisors[table][column->name] * (grouped ? groups[table] : 1.0));
    }
    if (!is_l1(analysis.tables_combine) && !cell.reads.empty()) divisor = all_groups * static_cast<double>(all.size());
    of_cells.push_back(divisor);
  }
  return of_cells;
}

std::optional<double> least_distance(const MetricAnalysis& analysis) {
  std::optional<double> least;
  for (const auto& cell : analysis.cells) {
    for (const Column* column : cell.reads) {
      const PrivateColumn& found = analysis.flat.columns.at(column);
      const auto move = least_move(found);
      if (!move) return std::nullopt;
      std::map<std::string, double> weights;
      weights_of(*analysis.flat.roles[found.role].metric->metric, 1.0, weights);
      const double distance = *move * weights.at(column->name) * (1.0 - 1e-9);
      least = least ? std::min(*least, distance) : distance;
    }
  }
  return least;
}

}  // namespace tacit
