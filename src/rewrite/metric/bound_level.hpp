#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "rewrite/metric/metric_value.hpp"
#include "sensitivity/metric/derivative/bound_sql.hpp"
#include "sensitivity/metric/derivative/sum_over_rows.hpp"
#include "sql/coerce.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"

namespace tacit {

// One SELECT over the joined rows: grouped by keys and `groups`, or row by row. A second SELECT around it turns its
// statistics into bounds.
class BoundLevel {
 public:
  // grouped: by keys and public columns, or the key of a role and what it determines. by_position: by private
  // positions.
  enum class Rows { grouped, by_position, each };
  BoundLevel(const PrintedRelation& relation, const Dialect& dialect, Rows rows, std::size_t keys)
      : relation_(relation), dialect_(dialect), by_row_(rows == Rows::each), by_position_(rows == Rows::by_position) {
    for (std::size_t i = 0; i < keys; ++i) partition_ += fmt::format("{}k{}", i == 0 ? "PARTITION BY " : ", ", i + 1);
  }

  void group_by(const Expr& expr) {
    for (const auto& column : columns_read(expr)) group_name(relation_.names.at(column.get()));
  }
  // Conditions on what is grouped by are looked at once a group.
  void add_value(std::size_t index, const MetricCell& cell) {
    std::string outside;
    const MetricCell inside = without_grouped_conditions(cell, outside);
    inner_ += fmt::format(",\n      {} AS v{}", value_sql(inside, false, relation_, dialect_).aggregate, index + 1);
    const std::string name = fmt::format("v{}", index + 1);
    values_[index] = outside.empty() ? name : fmt::format("CASE WHEN {} THEN {} END", outside, name);
  }
  void add_bound(const std::string& name, const Bound& bound) {
    if (!by_position_) {
      outer_.emplace_back(name, bound_sql(bound, names(nullptr), dialect_).sql);
      return;
    }
    const auto* max = std::get_if<MaxBound>(&bound.node);
    std::vector<std::string> choices;
    for (const auto& choice : max ? max->choices : std::vector{std::make_shared<const Bound>(bound)}) {
      choices.push_back(bound_sql(*choice, names(paired_statistic(*choice)), dialect_).sql);
    }
    outer_.emplace_back(name, greatest_of(choices, dialect_));
  }
  bool has_value(std::size_t cell) const { return values_.contains(cell); }

  // SELECT keys, values (NULL where another level has them), bounds (the same).
  std::string sql(const std::vector<std::string>& keys, std::size_t cells, const std::vector<ValueSql>& all_values,
                  const std::vector<std::string>& bound_names) const {
    std::string inner;
    std::string grouping;
    const auto add_group = [&](const std::string& expr, const std::string& name) {
      inner += fmt::format("{}\n      {} AS {}", inner.empty() ? "" : ",", expr, name);
      grouping += fmt::format("{}{}", grouping.empty() ? "" : ", ", grouping_count_ + 1);
      ++grouping_count_;
    };
    grouping_count_ = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) add_group(keys[i], fmt::format("k{}", i + 1));
    for (const auto& [expr, name] : groups_) add_group(expr, name);
    std::string rest = inner_;
    if (inner.empty()) rest = rest.empty() ? "\n      1 AS one" : rest.substr(1);
    std::string sql = fmt::format("SELECT{}{}\n    FROM {}", inner, rest, relation_.from);
    if (!relation_.where.empty()) sql += "\n    WHERE " + relation_.where;
    if (!by_row_ && !grouping.empty()) sql += "\n    GROUP BY " + grouping;

    std::string outer;
    const auto add = [&](const std::string& expr, const std::string& name) {
      outer += fmt::format("{}{} AS {}", outer.empty() ? "" : ",\n    ", expr, name);
    };
    for (std::size_t i = 0; i < keys.size(); ++i) add(fmt::format("k{}", i + 1), fmt::format("k{}", i + 1));
    for (std::size_t i = 0; i < cells; ++i) {
      const auto found = values_.find(i);
      const std::string value =
          found == values_.end() ? fmt::format("CAST(NULL AS {})", all_values[i].type) : found->second;
      add(value, fmt::format("v{}", i + 1));
    }
    for (const auto& name : bound_names) {
      const auto found =
          std::find_if(outer_.begin(), outer_.end(), [&](const auto& bound) { return bound.first == name; });
      add(found == outer_.end() ? fmt::format("CAST(NULL AS {})", dialect_.type_name(SqlType::real())) : found->second,
          name);
    }
    if (outer.empty()) outer = "1 AS one";
    return fmt::format("SELECT {}\n  FROM (\n    {}) AS s", outer, sql);
  }

 private:
  std::string print(const Expr& expr) const { return print_expression(expr, relation_, dialect_); }
  std::string operand(const Expr& expr) const { return print_operand(expr, relation_, dialect_); }
  std::string as_double(const std::string& sql) const {
    return fmt::format("CAST({} AS {})", sql, dialect_.type_name(SqlType::real()));
  }

  bool is_grouped(const Expr& expr) const {
    const auto read = columns_read(expr);
    return std::all_of(read.begin(), read.end(),
                       [this](const ColumnPtr& column) { return groups_.contains(relation_.names.at(column.get())); });
  }

  std::string print_over_groups(const Expr& expr) {
    ExpressionPrinter printer(dialect_,
                              [this](const Column& column) { return group_name(relation_.names.at(&column)); });
    printer.expression(expr);
    return printer.take();
  }

  // The cell with those conjuncts of its filter that groups do not tell; the others as SQL over the groups.
  MetricCell without_grouped_conditions(const MetricCell& cell, std::string& outside) {
    if (by_row_ || !cell.filter->hard || cell.kind != MetricCell::Kind::sum) return cell;
    std::vector<ExprPtr> kept;
    for (const auto& conjunct : conjuncts(cell.filter->hard)) {
      if (is_grouped(*conjunct)) {
        outside += (outside.empty() ? "" : " AND ") + print_over_groups(*conjunct);
      } else {
        kept.push_back(conjunct);
      }
    }
    if (outside.empty()) return cell;
    auto filter = std::make_shared<SoftFilter>(*cell.filter);
    filter->hard = nullptr;
    if (!kept.empty()) {
      auto both = bind_call("and", std::move(kept), 0);
      TACIT_CHECK(both.has_value(), "conditions can be joined by AND");
      filter->hard = *both;
    }
    MetricCell inside = cell;
    inside.filter = std::move(filter);
    return inside;
  }

  std::string group_name(const std::string& expr) {
    const auto [found, is_new] = groups_.try_emplace(expr);
    if (is_new) found->second = fmt::format("g{}", groups_.size());
    return found->second;
  }

  // The alias of a statistic of the inner SELECT.
  std::string statistic(const std::string& expr) {
    const auto [found, is_new] = statistics_.try_emplace(expr);
    if (is_new) {
      found->second = fmt::format("m{}", statistics_.size());
      inner_ += fmt::format(",\n      {} AS {}", expr, found->second);
    }
    return found->second;
  }

  // Which rows share a private position is private: two statistics of one group may come from two rows, and the bound
  // would jump when one of them leaves. So one statistic is taken with the position, and the others over all rows.
  static const Expr* paired_statistic(const Bound& bound) {
    const Expr* capped = nullptr;
    for (const LeafBound* leaf : leaves_of(bound)) {
      if (is_position(leaf->shape)) continue;
      if (!std::isfinite(leaf->cap)) return leaf->statistic.get();
      if (!capped) capped = leaf->statistic.get();
    }
    return capped;
  }

  std::string greatest(const std::string& expr, bool over_all_rows) {
    const std::string name = statistic(or_zero(by_row_ ? expr : fmt::format("MAX({})", expr)));
    return over_all_rows ? fmt::format("MAX({}) OVER ({})", name, partition_) : name;
  }

  // A number as a double that is not NULL.
  std::string or_zero(const std::string& sql) const {
    return fmt::format("COALESCE({}, {})", as_double(sql), double_literal(0.0, dialect_));
  }

  static bool is_not_negative(const Expr& expr) {
    const auto* exact = std::get_if<ExactRange>(&expr.range);
    return exact && exact->lo.value >= Decimal{0, 0};
  }

  std::string magnitude(const Expr& expr) const {
    const std::string sql = operand(expr);
    if (is_not_negative(expr)) return sql;
    if (expr.type.kind != TypeKind::integer) return fmt::format("ABS({})", sql);
    // The least integer of a type has no opposite in it; that of the widest type has one as a double.
    if (expr.type.bits > 64) return fmt::format("ABS({})", as_double(sql));
    const SqlType wider = SqlType::integer(expr.type.bits <= 32 ? 64 : 128);
    return fmt::format("ABS(CAST({} AS {}))", sql, dialect_.computed_type_name(wider));
  }

  // `paired`: the statistic that stays with its position; null where groups are public.
  StatisticNames names(const Expr* paired) {
    return {[this, paired](const LeafBound& leaf) { return leaf_name(leaf, paired); },
            [this](const PublicBound& of_public) {
              const std::string sql = magnitude(*of_public.expression);
              return greatest(sql, by_position_);
            },
            [this](const RowSumBound& row_sum) { return row_sum_name(row_sum); },
            [this] { return statistic(as_double(by_row_ ? "1" : "COUNT(*)")); }};
  }

  std::string leaf_name(const LeafBound& leaf, const Expr* paired) {
    if (is_position(leaf.shape)) return position(*leaf.statistic);
    const std::string size = magnitude(*leaf.statistic);
    const bool alone = by_position_ && !(paired && same_expression(*paired, *leaf.statistic));
    if (!leaf.is_summed) return greatest(size, alone);
    const std::string summed = adds_up_exactly(*leaf.statistic) ? size : as_double(size);
    return statistic(or_zero(fmt::format("SUM({})", summed)));
  }

  // Of a column that is grouped by.
  std::string position(const Expr& expr) {
    if (!by_row_) group_by(expr);
    return statistic(as_double(operand(expr)));
  }

  // Row by row inside the sum: statistics are the expressions themselves.
  std::string row_sum_name(const RowSumBound& row_sum) {
    const StatisticNames in_row{
        [this](const LeafBound& leaf) {
          const bool signed_number = is_position(leaf.shape);
          const std::string sql = as_double(signed_number ? operand(*leaf.statistic) : magnitude(*leaf.statistic));
          return signed_number ? sql : fmt::format("COALESCE({}, {})", sql, double_literal(0.0, dialect_));
        },
        [this](const PublicBound& of_public) { return or_zero(magnitude(*of_public.expression)); },
        [](const RowSumBound&) -> std::string { TACIT_CHECK(false, "a sum over rows holds no other"); },
        []() -> std::string { TACIT_CHECK(false, "a sum over rows holds no count"); }};
    return statistic(or_zero(fmt::format("SUM({})", bound_sql(*row_sum.of_row, in_row, dialect_).sql)));
  }

  const PrintedRelation& relation_;
  const Dialect& dialect_;
  bool by_row_;
  bool by_position_;
  std::string partition_;
  std::string inner_;
  std::map<std::string, std::string> groups_;      // SQL to alias
  std::map<std::string, std::string> statistics_;  // SQL to alias
  std::map<std::size_t, std::string> values_;
  std::vector<std::pair<std::string, std::string>> outer_;  // name, SQL
  mutable std::size_t grouping_count_ = 0;
};

}  // namespace tacit
