#include "rewrite/private_statement.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "rewrite/without_clamps.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

// One aggregate's engine columns.
class CellPrinter {
 public:
  CellPrinter(const PrintedRelation& relation, Dialect dialect) : relation_(relation), dialect_(dialect) {}

  std::vector<std::string> cells(const Aggregate& aggregate, const AnalyzedAggregate& bound) const {
    switch (aggregate.kind) {
      case AggregateKind::count_rows: return {"COUNT(*)"};
      case AggregateKind::count: return {fmt::format("COUNT({})", print(*aggregate.argument))};
      case AggregateKind::count_distinct: return {fmt::format("COUNT(DISTINCT {})", print(*aggregate.argument))};
      case AggregateKind::sum: return {sum(summand(*aggregate.argument, bound.grid), sum_type(bound.grid))};
      case AggregateKind::average: return average(*aggregate.argument, bound);
    }
    TACIT_CHECK(false, "every aggregate is printed");
  }

 private:
  std::string print(const Expr& expr) const { return print_expression(expr, relation_, dialect_); }
  std::string cast(const std::string& sql, const SqlType& type) const {
    return fmt::format("CAST({} AS {})", sql, engine_type_name(type, dialect_));
  }

  static SqlType sum_type(const Grid& grid) {
    return grid.base == Grid::Base::decimal && grid.exponent > 0 ? SqlType::decimal(38, grid.exponent)
                                                                 : SqlType::integer(128);
  }

  // The argument as an exact number of at most 18 digits.
  std::string summand(const Expr& argument, const Grid& grid) const {
    const std::string sql = print(argument);
    if (grid.base == Grid::Base::binary) {
      const std::string factor = print_literal(std::ldexp(1.0, grid.exponent), SqlType::real(), dialect_);
      return cast(fmt::format("({}) * {}", sql, factor), SqlType::integer(64));
    }
    if (argument.type.kind == TypeKind::integer) return argument.type.bits > 64 ? cast(sql, SqlType::integer(64)) : sql;
    return argument.type.precision > 18 ? cast(sql, SqlType::decimal(18, argument.type.scale)) : sql;
  }

  std::string sum(const std::string& summand, const SqlType& type) const {
    return fmt::format("COALESCE(SUM({}), {})", summand, cast("0", type));
  }

  std::vector<std::string> average(const Expr& argument, const AnalyzedAggregate& bound) const {
    const SqlType type = sum_type(bound.grid);
    const std::string x = summand(argument, bound.grid);
    const std::string total = sum(x, type);
    const auto times_count = [&](Int128 units) {
      const Decimal number{units, type.kind == TypeKind::decimal ? type.scale : 0};
      // 19 digits hold any count, 18 the bound: their product fits 38.
      const SqlType count_type = type.kind == TypeKind::decimal ? SqlType::decimal(19, 0) : SqlType::integer(128);
      const SqlType bound_type =
          type.kind == TypeKind::decimal ? SqlType::decimal(18, type.scale) : SqlType::integer(64);
      return fmt::format("{} * {}", cast(fmt::format("COUNT({})", x), count_type),
                         print_literal(number, bound_type, dialect_));
    };
    return {fmt::format("{} - {}", total, times_count(bound.lo)), fmt::format("{} - {}", times_count(bound.hi), total)};
  }

  const PrintedRelation& relation_;
  Dialect dialect_;
};

EngineQuery assemble(const TypedQuery& query, const PrintedRelation& relation, Dialect dialect,
                     const std::vector<std::string>& cells) {
  EngineQuery result;
  std::string select;
  std::string group_by;
  for (std::size_t i = 0; i < query.keys.size(); ++i) {
    const Expr& key = *query.keys[i].expression;
    select += fmt::format("{}\n  {} AS k{}", i == 0 ? "" : ",", print_expression(key, relation, dialect), i + 1);
    group_by += fmt::format("{}{}", i == 0 ? "\nGROUP BY " : ", ", i + 1);
    result.keys.push_back(key.type);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    select += fmt::format("{}\n  {} AS a{}", select.empty() ? "" : ",", cells[i], i + 1);
  }
  result.cells = cells.size();
  result.sql = fmt::format("SELECT{}\nFROM {}{}{}", select, relation.from,
                           relation.where.empty() ? "" : "\nWHERE " + relation.where, group_by);
  return result;
}

}  // namespace

EngineQuery private_statement(const MechanismPlan& plan, Dialect dialect) {
  const TypedQuery& query = plan.analyzed.query;
  const PrintedRelation relation = print_relation(*query.input, dialect);
  const CellPrinter printer(relation, dialect);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < query.aggregates.size(); ++i) {
    TACIT_CHECK(plan.aggregates[i].first_cell == cells.size(), "cells are printed in plan order");
    for (auto& cell : printer.cells(query.aggregates[i], plan.analyzed.aggregates[i])) cells.push_back(std::move(cell));
  }
  return assemble(query, relation, dialect, cells);
}

EngineQuery plain_statement(const TypedQuery& query, Dialect dialect) {
  const PrintedRelation relation = print_relation(*query.input, dialect);
  std::vector<std::string> cells;
  for (const auto& aggregate : query.aggregates) {
    const std::string x =
        aggregate.argument ? print_expression(*without_clamps(aggregate.argument), relation, dialect) : "*";
    switch (aggregate.kind) {
      case AggregateKind::count_rows:
      case AggregateKind::count: cells.push_back(fmt::format("COUNT({})", x)); break;
      case AggregateKind::count_distinct: cells.push_back(fmt::format("COUNT(DISTINCT {})", x)); break;
      case AggregateKind::sum: cells.push_back(fmt::format("SUM({})", x)); break;
      case AggregateKind::average: cells.push_back(fmt::format("AVG({})", x)); break;
    }
  }
  return assemble(query, relation, dialect, cells);
}

}  // namespace tacit
