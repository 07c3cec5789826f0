#include "rewrite/metric_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.hpp"
#include "rewrite/bound_sql.hpp"
#include "rewrite/metric_value.hpp"
#include "sensitivity/derivative/norm_dual.hpp"
#include "sensitivity/metric/smooth_plan.hpp"
#include "sensitivity/metric/summed_value.hpp"
#include "sql/coerce.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

// One SELECT over the joined rows: grouped by keys and `groups`, or row by row. A second SELECT around it turns its
// statistics into bounds.
class Level {
 public:
  // grouped: by keys and public columns, or the key of a role and what it determines. by_position: by private
  // positions.
  enum class Rows { grouped, by_position, each };
  Level(const PrintedRelation& relation, Dialect dialect, Rows rows, std::size_t keys)
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
      outer_.emplace_back(name, bound_sql(bound, names(nullptr), dialect_));
      return;
    }
    const auto* max = std::get_if<MaxBound>(&bound.node);
    std::vector<std::string> choices;
    for (const auto& choice : max ? max->choices : std::vector{std::make_shared<const Bound>(bound)}) {
      choices.push_back(bound_sql(*choice, names(paired_statistic(*choice)), dialect_));
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
      add(found == outer_.end() ? fmt::format("CAST(NULL AS {})", engine_type_name(SqlType::real(), dialect_))
                                : found->second,
          name);
    }
    if (outer.empty()) outer = "1 AS one";
    return fmt::format("SELECT {}\n  FROM (\n    {}) AS s", outer, sql);
  }

 private:
  std::string print(const Expr& expr) const { return print_expression(expr, relation_, dialect_); }
  std::string operand(const Expr& expr) const { return print_operand(expr, relation_, dialect_); }
  std::string as_double(const std::string& sql) const {
    return fmt::format("CAST({} AS {})", sql, engine_type_name(SqlType::real(), dialect_));
  }

  bool is_grouped(const Expr& expr) const {
    const auto read = columns_read(expr);
    return std::all_of(read.begin(), read.end(), [this](const ColumnPtr& column) {
      return groups_.contains(relation_.names.at(column.get()));
    });
  }

  std::string print_over_groups(const Expr& expr) {
    ExpressionPrinter printer(dialect_, [this](const Column& column) { return group_name(relation_.names.at(&column)); });
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
      if (std::holds_alternative<DecayShape>(leaf->shape)) continue;
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
    // The least integer of a type has no opposite in it.
    const SqlType wider = SqlType::integer(expr.type.bits <= 32 ? 64 : 128);
    return fmt::format("ABS(CAST({} AS {}))", sql, computed_type_name(wider, dialect_));
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
    if (std::holds_alternative<DecayShape>(leaf.shape)) return position(*leaf.statistic);
    const std::string size = magnitude(*leaf.statistic);
    const bool alone = by_position_ && !(paired && same_expression(*paired, *leaf.statistic));
    return leaf.is_summed ? statistic(or_zero(fmt::format("SUM({})", size))) : greatest(size, alone);
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
          const bool is_position = std::holds_alternative<DecayShape>(leaf.shape);
          const std::string sql = as_double(is_position ? operand(*leaf.statistic) : magnitude(*leaf.statistic));
          return is_position ? sql : fmt::format("COALESCE({}, {})", sql, double_literal(0.0, dialect_));
        },
        [this](const PublicBound& of_public) { return or_zero(magnitude(*of_public.expression)); },
        [](const RowSumBound&) -> std::string { TACIT_CHECK(false, "a sum over rows holds no other"); },
        []() -> std::string { TACIT_CHECK(false, "a sum over rows holds no count"); }};
    return statistic(or_zero(fmt::format("SUM({})", bound_sql(*row_sum.of_row, in_row, dialect_))));
  }

  const PrintedRelation& relation_;
  Dialect dialect_;
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

class Statement {
 public:
  Statement(const MechanismPlan& plan, Dialect dialect)
      : plan_(plan),
        analysis_(*plan.analyzed.metric),
        smooth_(*plan.smooth),
        dialect_(dialect),
        relation_(print_relation(*analysis_.flat.relation, dialect)) {
    for (const auto& key : analysis_.flat.keys) keys_.push_back(print_expression(*key.expression, relation_, dialect));
    for (const auto& cell : analysis_.cells) values_.push_back(value_sql(cell, false, relation_, dialect));
  }

  std::string engine(bool with_values, bool with_bounds) {
    const bool needs_bounds = with_bounds && std::any_of(smooth_.cells.begin(), smooth_.cells.end(),
                                                         [](const SmoothCell& cell) { return !cell.is_constant; });
    if (!needs_bounds) return values_only();
    // Without groups and public filters the engine filters for the value at full speed while it scans for the bound.
    const bool apart = with_values && keys_.empty() && !analysis_.flat.has_public_filter;
    build_levels(with_values && !apart);
    if (!apart) return assemble(with_values);
    return fmt::format("SELECT {}\nFROM ({}) AS v CROSS JOIN (\n{}) AS b", columns_apart(), values_only(),
                       assemble(false));
  }

 private:
  std::string values_only() const {
    std::string select;
    std::string grouping;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      select += fmt::format("{}\n  {} AS k{}", i == 0 ? "" : ",", keys_[i], i + 1);
      grouping += fmt::format("{}{}", i == 0 ? "\nGROUP BY " : ", ", i + 1);
    }
    // Without groups a private condition that every value shares may stand in WHERE: one row comes back either way.
    const std::string shared = keys_.empty() ? shared_condition() : "";
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const ValueSql& value = shared.empty() ? values_[i] : bare_values_[i];
      select += fmt::format("{}\n  {} AS a{}", select.empty() ? "" : ",", value.cell(value.aggregate), i + 1);
    }
    std::string where = relation_.where;
    if (!shared.empty()) where = where.empty() ? shared : fmt::format("({}) AND {}", where, shared);
    return fmt::format("SELECT{}\nFROM {}{}{}", select, relation_.from, where.empty() ? "" : "\nWHERE " + where,
                       grouping);
  }

  std::string columns_apart() const {
    std::string columns;
    for (std::size_t i = 0; i < values_.size(); ++i) columns += fmt::format("{}a{}", i == 0 ? "" : ", ", i + 1);
    for (std::size_t i = 0; i < smooth_.cells.size(); ++i) {
      if (!smooth_.cells[i].is_constant) columns += fmt::format(", c{}", i + 1);
    }
    return columns;
  }

  // The hard part of the filter, when every value is computed with it.
  std::string shared_condition() const {
    const auto& filter = analysis_.cells.front().filter;
    if (!filter->hard && !filter->edge) return "";
    bare_values_.clear();
    for (const auto& cell : analysis_.cells) {
      if (cell.filter != filter) return "";
      bare_values_.push_back(value_sql(cell, true, relation_, dialect_));
    }
    std::string condition = filter->hard ? print_expression(*filter->hard, relation_, dialect_) : "";
    // Beyond the ramps nothing counts.
    if (filter->edge) {
      condition += (condition.empty() ? "" : " AND ") + print_expression(*filter->edge, relation_, dialect_);
    }
    return condition;
  }

  static std::string bound_name(std::size_t cell, std::size_t role) {
    return fmt::format("b{}_{}", cell + 1, role + 1);
  }

  Level& level_for(const SmoothRole& role) {
    if (role.level == SmoothRole::Level::each_row) {
      if (!by_row_) by_row_ = std::make_unique<Level>(relation_, dialect_, Level::Rows::each, keys_.size());
      return *by_row_;
    }
    if (role.level == SmoothRole::Level::keyed) {
      auto& level = keyed_[role.role];
      if (!level) {
        level = std::make_unique<Level>(relation_, dialect_, Level::Rows::grouped, keys_.size());
        for (const auto& column : role.key) level->group_by(*column);
      }
      return *level;
    }
    return host();
  }

  // Greatest statistics may be taken at any grouping, so that they share the first keyed level where there is one.
  Level& host() {
    if (!keyed_.empty()) return *keyed_.begin()->second;
    if (!grouped_) {
      const auto rows = smooth_.positions.empty() ? Level::Rows::grouped : Level::Rows::by_position;
      grouped_ = std::make_unique<Level>(relation_, dialect_, rows, keys_.size());
      for (const auto& position : smooth_.positions) grouped_->group_by(*position);
    }
    return *grouped_;
  }

  void build_levels(bool with_values) {
    for (const auto level : {SmoothRole::Level::keyed, SmoothRole::Level::grouped, SmoothRole::Level::each_row}) {
      for (std::size_t i = 0; i < smooth_.cells.size(); ++i) {
        for (const auto& role : smooth_.cells[i].roles) {
          if (role.level != level) continue;
          bound_names_.push_back(bound_name(i, role.role));
          level_for(role).add_bound(bound_names_.back(), *role.bound);
        }
      }
    }
    if (!with_values) return;
    for (std::size_t i = 0; i < values_.size(); ++i) host().add_value(i, analysis_.cells[i]);
  }

  std::string assemble(bool with_values) const {
    std::vector<std::string> levels;
    const std::size_t cells = with_values ? values_.size() : 0;
    for (const auto& [role, level] : keyed_) levels.push_back(level->sql(keys_, cells, values_, bound_names_));
    if (grouped_) levels.push_back(grouped_->sql(keys_, cells, values_, bound_names_));
    if (by_row_) levels.push_back(by_row_->sql(keys_, cells, values_, bound_names_));
    std::string from;
    for (const auto& level : levels) from += (from.empty() ? "" : "\n  UNION ALL\n  ") + level;

    std::string select;
    std::string grouping;
    const auto add = [&](const std::string& sql, const std::string& name) {
      select += fmt::format("{}\n  {} AS {}", select.empty() ? "" : ",", sql, name);
    };
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      add(fmt::format("k{}", i + 1), fmt::format("k{}", i + 1));
      grouping += fmt::format("{}{}", i == 0 ? "\nGROUP BY " : ", ", i + 1);
    }
    for (std::size_t i = 0; i < cells; ++i) {
      add(values_[i].cell(fmt::format("{}(v{})", values_[i].again, i + 1)), fmt::format("a{}", i + 1));
    }
    for (std::size_t i = 0; i < smooth_.cells.size(); ++i) {
      if (!smooth_.cells[i].is_constant) add(log_bound(i), fmt::format("c{}", i + 1));
    }
    return fmt::format("SELECT{}\nFROM (\n  {}) AS l{}", select, from, grouping);
  }

  std::string role_total(std::size_t cell, const SmoothRole& role) const {
    const std::string name = bound_name(cell, role.role);
    const double q = dual_exponent(role.rows_combine);
    const std::string zero = double_literal(0.0, dialect_);
    if (std::isinf(q)) return fmt::format("COALESCE(MAX({}), {})", name, zero);
    if (q == 1.0) return fmt::format("COALESCE(SUM({}), {})", name, zero);
    const std::string tiny = double_literal(1e-60, dialect_);
    return fmt::format("POWER(COALESCE(SUM(POWER(GREATEST({}, {}), {})), {}), {})", name, tiny,
                       double_literal(q, dialect_), tiny, double_literal(1.0 / q, dialect_));
  }

  // round(2^40 ln max(c, c0)), c over tables of the sum over roles.
  std::string log_bound(std::size_t cell) const {
    std::map<const TablePolicy*, std::string> tables;
    for (const auto& role : smooth_.cells[cell].roles) {
      std::string& total = tables[analysis_.flat.roles[role.role].table];
      total += (total.empty() ? "" : " + ") + role_total(cell, role);
    }
    const double q = dual_exponent(analysis_.tables_combine);
    std::vector<std::string> parts;
    for (const auto& [table, total] : tables) parts.push_back("(" + total + ")");
    std::string c;
    if (std::isinf(q)) {
      c = greatest_of(parts, dialect_);
    } else if (q == 1.0) {
      for (const auto& part : parts) c += (c.empty() ? "" : " + ") + part;
    } else {
      for (const auto& part : parts) {
        c += fmt::format("{}POWER(GREATEST({}, {}), {})", c.empty() ? "" : " + ", part, double_literal(1e-60, dialect_),
                         double_literal(q, dialect_));
      }
      c = fmt::format("POWER({}, {})", c, double_literal(1.0 / q, dialect_));
    }
    const std::string least = double_literal(smooth_.cells[cell].least, dialect_);
    return fmt::format("CAST(ROUND(LN(GREATEST({}, {})) * {}) AS BIGINT)", c, least, double_literal(0x1p40, dialect_));
  }

  const MechanismPlan& plan_;
  const MetricAnalysis& analysis_;
  const SmoothPlan& smooth_;
  Dialect dialect_;
  PrintedRelation relation_;
  std::vector<std::string> keys_;
  std::vector<ValueSql> values_;
  mutable std::vector<ValueSql> bare_values_;
  std::map<std::size_t, std::unique_ptr<Level>> keyed_;  // by role
  std::unique_ptr<Level> grouped_;
  std::unique_ptr<Level> by_row_;
  std::vector<std::string> bound_names_;
};

}  // namespace

EngineQuery metric_statement(const MechanismPlan& plan, Dialect dialect) {
  const MetricAnalysis& analysis = *plan.analyzed.metric;
  EngineQuery query;
  query.sql = Statement(plan, dialect).engine(true, true);
  for (const auto& key : analysis.flat.keys) query.keys.push_back(key.expression->type);
  for (const auto& cell : analysis.cells) {
    const Grid grid = grid_of(cell);
    query.cell_scales.push_back(grid.base == Grid::Base::decimal ? grid.exponent : 0);
  }
  for (const auto& cell : plan.smooth->cells) {
    if (!cell.is_constant) query.cell_scales.push_back(0);
  }
  for (const auto& role : analysis.flat.roles) {
    const auto& scan = std::get<Scan>(role.scan->node);
    TableName name{scan.schema, scan.name};
    if (std::find(query.tables.begin(), query.tables.end(), name) == query.tables.end())
      query.tables.push_back(std::move(name));
  }
  return query;
}

std::string modified_statement(const MechanismPlan& plan, Dialect dialect) {
  return Statement(plan, dialect).engine(true, false);
}

std::string sensitivity_statement(const MechanismPlan& plan, Dialect dialect) {
  const auto& cells = plan.smooth->cells;
  const bool all_constant =
      std::all_of(cells.begin(), cells.end(), [](const SmoothCell& cell) { return cell.is_constant; });
  return all_constant ? "" : Statement(plan, dialect).engine(false, true);
}

}  // namespace tacit
