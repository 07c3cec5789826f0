#include "rewrite/rows/rows_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.hpp"
#include "rewrite/null_witness.hpp"
#include "rewrite/to_grid_units.hpp"
#include "rewrite/without_clamps.hpp"
#include "sensitivity/rows/rows_statistic.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

std::string cast(const std::string& sql, const SqlType& type, const Dialect& dialect) {
  return fmt::format("CAST({} AS {})", sql, dialect.computed_type_name(type));
}

SqlType sum_type(const Grid& grid) {
  const bool fraction = grid.base == Grid::Base::decimal && grid.exponent > 0;
  return fraction ? SqlType::decimal(38, grid.exponent) : SqlType::integer(128);
}

// What the aggregate reads from each row; sums read an exact number of at most 18 digits, in an engine type whose sum
// never overflows.
std::string argument_of(const Aggregate& aggregate, const Grid& grid, const PrintedRelation& relation,
                        const Dialect& dialect) {
  if (!aggregate.argument) return "*";
  const Expr& argument = *aggregate.argument;
  std::string sql = print_expression(argument, relation, dialect);
  if (!rows_statistic_of(aggregate.kind).adds_values()) return sql;
  if (grid.base == Grid::Base::binary) {
    return to_grid_units(sql, grid.exponent, dialect);
  }
  const auto summed = dialect.summed_type(argument.type);
  return summed ? cast(sql, *summed, dialect) : sql;
}

bool counts_what_it_sums(const Aggregate& aggregate) {
  const auto cells = rows_statistic_of(aggregate.kind).cells();
  return std::ranges::any_of(cells,
                             [](RowsCell cell) { return cell == RowsCell::above_low || cell == RowsCell::below_high; });
}

// What COUNT reads to count the rows that the sum adds up.
std::string counted_of(const Aggregate& aggregate, const PrintedRelation& relation, const Dialect& dialect) {
  return print_expression(*null_witness(aggregate.argument, dialect), relation, dialect);
}

struct Cell {
  std::string sql;
  int scale = 0;  // digits after the point
};

std::string total_of(const std::string& x, const SqlType& type, const Dialect& dialect) {
  return fmt::format("COALESCE(SUM({}), {})", x, cast("0", type, dialect));
}

// What SELECT calls an aggregate's argument: what it sums, and what it counts, which is NULL on the same rows.
struct Argument {
  std::string value;
  std::string counted;
};

std::string count_of(const Aggregate& aggregate, const std::string& x, const Dialect& dialect) {
  if (aggregate.kind != AggregateKind::count_distinct) return fmt::format("COUNT({})", x);
  // An engine may sort to find what is distinct: bytes are the quickest order, and only equality is meant.
  return fmt::format("COUNT(DISTINCT {}{})", x, dialect.byte_order_of(aggregate.argument->type));
}

// The bound times the number of rows with a value. 19 digits hold any count, 18 the bound: their product fits 38.
std::string times_count(const Argument& x, Int128 units, const SqlType& type, const Dialect& dialect) {
  const bool fraction = type.kind == TypeKind::decimal;
  const SqlType count_type = fraction ? SqlType::decimal(19, 0) : SqlType::integer(128);
  const SqlType bound_type = fraction ? SqlType::decimal(18, type.scale) : SqlType::integer(64);
  return fmt::format("{} * {}", cast(fmt::format("COUNT({})", x.counted), count_type, dialect),
                     print_literal(Decimal{units, fraction ? type.scale : 0}, bound_type, dialect));
}

Cell cell_of(RowsCell cell, const Aggregate& aggregate, const Argument& x, const RowsAggregate& bound,
             const Dialect& dialect) {
  const SqlType type = sum_type(bound.grid);
  const int scale = type.kind == TypeKind::decimal ? type.scale : 0;
  switch (cell) {
    case RowsCell::count:
    case RowsCell::distinct: return {count_of(aggregate, x.value, dialect)};
    case RowsCell::sum: return {total_of(x.value, type, dialect), scale};
    case RowsCell::above_low:
      return {fmt::format("{} - {}", total_of(x.value, type, dialect), times_count(x, bound.lo, type, dialect)), scale};
    case RowsCell::below_high:
      return {fmt::format("{} - {}", times_count(x, bound.hi, type, dialect), total_of(x.value, type, dialect)), scale};
  }
  TACIT_CHECK(false, "every cell is printed");
}

// FROM and WHERE, and what SELECT calls the keys and arguments there.
struct Source {
  std::string from_and_where;
  std::vector<std::string> keys;
  std::vector<Argument> arguments;  // one per aggregate
};

Source plain_source(const TypedQuery& query, const PrintedRelation& relation, const Dialect& dialect,
                    std::vector<Argument> arguments) {
  Source source{"FROM " + relation.from, {}, std::move(arguments)};
  if (!relation.where.empty()) source.from_and_where += "\nWHERE " + relation.where;
  for (const auto& key : query.keys) source.keys.push_back(print_expression(*key.expression, relation, dialect));
  return source;
}

// For an engine that computes a repeated CASE as often as it is written: where an argument is read more than once (AVG
// sums and counts it), a subquery computes every key and argument once.
Source computed_once(const Source& plain) {
  Source once;
  std::string select;
  const auto name = [&](const std::string& sql, std::string alias) {
    select += fmt::format("{}\n    {} AS {}", select.empty() ? "" : ",", sql, alias);
    return alias;
  };
  for (const auto& key : plain.keys) once.keys.push_back(name(key, fmt::format("k{}", once.keys.size() + 1)));
  std::map<std::string, std::string> aliases{{"*", "*"}};
  for (const auto& argument : plain.arguments) {
    const auto [found, is_new] = aliases.try_emplace(argument.value);
    if (is_new) found->second = name(argument.value, fmt::format("x{}", aliases.size() - 1));
    once.arguments.push_back({found->second, found->second});
  }
  once.from_and_where = fmt::format("FROM (\n  SELECT{}\n  {}) AS r", select, plain.from_and_where);
  return once;
}

bool reads_an_argument_twice(const TypedQuery& query, const Source& source) {
  std::map<std::string, int> reads;
  for (std::size_t i = 0; i < query.aggregates.size(); ++i) {
    if (source.arguments[i].value == "*") continue;
    int& count = reads[source.arguments[i].value];
    count += static_cast<int>(rows_statistic_of(query.aggregates[i].kind).cells().size());
    if (count > 1) return true;
  }
  return false;
}

EngineQuery assemble(const TypedQuery& query, const Source& source, const std::vector<Cell>& cells) {
  EngineQuery result;
  std::string select;
  std::string group_by;
  for (std::size_t i = 0; i < source.keys.size(); ++i) {
    select += fmt::format("{}\n  {} AS k{}", i == 0 ? "" : ",", source.keys[i], i + 1);
    group_by += fmt::format("{}{}", i == 0 ? "\nGROUP BY " : ", ", i + 1);
    result.keys.push_back(query.keys[i].expression->type);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    select += fmt::format("{}\n  {} AS a{}", select.empty() ? "" : ",", cells[i].sql, i + 1);
    result.cell_scales.push_back(cells[i].scale);
  }
  for (const Relation* scan : scans_of(*query.input)) {
    const auto& table = std::get<Scan>(scan->node);
    TableName name{table.schema, table.name};
    if (std::find(result.tables.begin(), result.tables.end(), name) == result.tables.end()) {
      result.tables.push_back(std::move(name));
    }
  }
  result.sql = fmt::format("SELECT{}\n{}{}", select, source.from_and_where, group_by);
  return result;
}

}  // namespace

EngineQuery rows_statement(const MechanismPlan& plan, const Dialect& dialect) {
  const TypedQuery& query = plan.analyzed.query;
  const auto& bounds = analysis_of<RowsAnalysis>(plan.analyzed).aggregates;
  const auto& plans = plan_of<RowsPlan>(plan).aggregates;
  const PrintedRelation relation = print_relation(*query.input, dialect);
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < query.aggregates.size(); ++i) {
    const Aggregate& aggregate = query.aggregates[i];
    Argument argument{argument_of(aggregate, bounds[i].grid, relation, dialect), {}};
    if (counts_what_it_sums(aggregate)) argument.counted = counted_of(aggregate, relation, dialect);
    arguments.push_back(std::move(argument));
  }
  Source source = plain_source(query, relation, dialect, std::move(arguments));
  if (dialect.computes_repetitions() && reads_an_argument_twice(query, source)) source = computed_once(source);

  std::vector<Cell> cells;
  for (std::size_t i = 0; i < query.aggregates.size(); ++i) {
    TACIT_CHECK(plans[i].first_cell == cells.size(), "cells are printed in plan order");
    for (const RowsCell cell : rows_statistic_of(query.aggregates[i].kind).cells()) {
      cells.push_back(cell_of(cell, query.aggregates[i], source.arguments[i], bounds[i], dialect));
    }
  }
  return assemble(query, source, cells);
}

EngineQuery plain_statement(const TypedQuery& query, const Dialect& dialect) {
  const PrintedRelation relation = print_relation(*query.input, dialect);
  std::vector<Cell> cells;
  for (const auto& aggregate : query.aggregates) {
    const std::string x =
        aggregate.argument ? print_expression(*without_clamps(aggregate.argument), relation, dialect) : "*";
    if (aggregate.kind == AggregateKind::quantile) {
      const std::string share = double_literal(aggregate.fraction, dialect);
      cells.push_back({dialect.quantile_of(x, share)});
    } else if (traits_of(aggregate.kind).counts) {
      cells.push_back({count_of(aggregate, x, dialect)});
    } else {
      cells.push_back({fmt::format("{}({})", traits_of(aggregate.kind).function, x)});
    }
  }
  return assemble(query, plain_source(query, relation, dialect, {}), cells);
}

}  // namespace tacit
