#include "rewrite/metric/metric_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.hpp"
#include "rewrite/metric/bound_level.hpp"
#include "rewrite/metric/date_window.hpp"
#include "rewrite/metric/metric_value.hpp"
#include "sensitivity/metric/derivative/bound_sql.hpp"
#include "sensitivity/metric/derivative/norm_dual.hpp"
#include "sensitivity/metric/smooth_plan.hpp"
#include "sensitivity/metric/summed_value.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

class Statement {
 public:
  Statement(const MechanismPlan& plan, const Dialect& dialect)
      : analysis_(analysis_of<MetricAnalysis>(plan.analyzed)),
        smooth_(plan_of<MetricPlan>(plan).smooth),
        dialect_(dialect),
        relation_(print_relation(*analysis_.flat.relation, dialect)),
        near_relation_(relation_) {
    for (const auto& key : analysis_.flat.keys) keys_.push_back(print_expression(*key.expression, relation_, dialect));
    for (const auto& cell : analysis_.cells) values_.push_back(value_sql(cell, false, relation_, dialect));
  }

  std::string engine(bool with_values, bool with_bounds) {
    const bool needs_bounds = with_bounds && std::any_of(smooth_.cells.begin(), smooth_.cells.end(),
                                                         [](const SmoothCell& cell) { return !cell.is_constant; });
    if (!needs_bounds) return values_only();
    // Without groups and public filters the engine filters for the value at full speed while it scans for the bound.
    const bool apart = with_values && keys_.empty() && !analysis_.flat.has_public_filter;
    leave_out_far_rows();
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
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (is_extremum(analysis_.cells[i]))
        select += fmt::format(",\n  {} AS e{}", is_empty(values_[i].aggregate), i + 1);
    }
    std::string where = relation_.where;
    if (!shared.empty()) where = where.empty() ? shared : fmt::format("({}) AND {}", where, shared);
    return fmt::format("SELECT{}\nFROM {}{}{}", select, relation_.from, where.empty() ? "" : "\nWHERE " + where,
                       grouping);
  }

  // Rows that neither count nor lift a bound above its floor.
  void leave_out_far_rows() {
    const auto window = date_window(analysis_, smooth_);
    if (!window) return;
    const std::string near = print_expression(*window_condition(*window), relation_, dialect_);
    std::string& where = near_relation_.where;
    where = where.empty() ? near : fmt::format("({}) AND {}", where, near);
  }

  std::string columns_apart() const {
    std::string columns;
    for (std::size_t i = 0; i < values_.size(); ++i) columns += fmt::format("{}a{}", i == 0 ? "" : ", ", i + 1);
    for (std::size_t i = 0; i < smooth_.cells.size(); ++i) {
      if (!smooth_.cells[i].is_constant) columns += fmt::format(", c{}", i + 1);
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (is_extremum(analysis_.cells[i])) columns += fmt::format(", e{}", i + 1);
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

  // Whether MIN or MAX has no row to choose from: a public fact, for no condition of theirs is private.
  static std::string is_empty(const std::string& extremum) {
    return fmt::format("CAST(CASE WHEN {} IS NULL THEN 1 ELSE 0 END AS BIGINT)", extremum);
  }

  static std::string bound_name(std::size_t cell, std::size_t role) {
    return fmt::format("b{}_{}", cell + 1, role + 1);
  }

  BoundLevel& level_for(const SmoothRole& role) {
    if (role.level == SmoothRole::Level::each_row) {
      if (!by_row_)
        by_row_ = std::make_unique<BoundLevel>(near_relation_, dialect_, BoundLevel::Rows::each, keys_.size());
      return *by_row_;
    }
    if (role.level == SmoothRole::Level::keyed) {
      auto& level = keyed_[role.role];
      if (!level) {
        level = std::make_unique<BoundLevel>(near_relation_, dialect_, BoundLevel::Rows::grouped, keys_.size());
        for (const auto& column : role.key) level->group_by(*column);
      }
      return *level;
    }
    return host();
  }

  // Greatest statistics may be taken at any grouping, so that they share the first keyed level where there is one.
  BoundLevel& host() {
    if (!keyed_.empty()) return *keyed_.begin()->second;
    if (!grouped_) {
      const auto rows = smooth_.positions.empty() ? BoundLevel::Rows::grouped : BoundLevel::Rows::by_position;
      grouped_ = std::make_unique<BoundLevel>(near_relation_, dialect_, rows, keys_.size());
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
    for (std::size_t i = 0; i < cells; ++i) {
      if (!is_extremum(analysis_.cells[i])) continue;
      add(is_empty(fmt::format("{}(v{})", values_[i].again, i + 1)), fmt::format("e{}", i + 1));
    }
    return fmt::format("SELECT{}\nFROM (\n  {}) AS l{}", select, with_greatest(from), grouping);
  }

  std::string role_total(std::size_t cell, const SmoothRole& role) const {
    const std::string name = bound_name(cell, role.role);
    const double q = dual_exponent(role.rows_combine);
    const std::string zero = double_literal(0.0, dialect_);
    if (std::isinf(q)) return fmt::format("COALESCE(MAX({}), {})", name, zero);
    if (q == 1.0) return fmt::format("COALESCE(SUM({}), {})", name, zero);
    const std::string powers = power_sum_sql(name, unit_sql("w_" + name, dialect_), q, dialect_);
    return fmt::format("COALESCE({} * POWER(SUM({}), {}), {})", unit_sql(fmt::format("MAX(w_{})", name), dialect_),
                       powers, double_literal(1.0 / q, dialect_), zero);
  }

  // Bounds whose rows combine by another norm than l1 or linf are divided by the greatest of all rows first.
  std::string with_greatest(const std::string& levels) const {
    std::string columns;
    for (std::size_t i = 0; i < smooth_.cells.size(); ++i) {
      for (const auto& role : smooth_.cells[i].roles) {
        const double q = dual_exponent(role.rows_combine);
        if (std::isinf(q) || q == 1.0) continue;
        const std::string name = bound_name(i, role.role);
        columns += fmt::format(", MAX({0}) OVER () AS w_{0}", name);
      }
    }
    return columns.empty() ? levels : fmt::format("SELECT u.*{} FROM (\n  {}) AS u", columns, levels);
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
      c = root_sql(parts, q, dialect_);
    }
    const std::string least = double_literal(smooth_.cells[cell].least, dialect_);
    return fmt::format("CAST(ROUND(LN(GREATEST({}, {})) * {}) AS BIGINT)", c, least, double_literal(0x1p40, dialect_));
  }

  const MetricAnalysis& analysis_;
  const SmoothPlan& smooth_;
  const Dialect& dialect_;
  PrintedRelation relation_;
  PrintedRelation near_relation_;  // without the rows that bounds need not look at
  std::vector<std::string> keys_;
  std::vector<ValueSql> values_;
  mutable std::vector<ValueSql> bare_values_;
  std::map<std::size_t, std::unique_ptr<BoundLevel>> keyed_;  // by role
  std::unique_ptr<BoundLevel> grouped_;
  std::unique_ptr<BoundLevel> by_row_;
  std::vector<std::string> bound_names_;
};

}  // namespace

EngineQuery metric_statement(const MechanismPlan& plan, const Dialect& dialect) {
  const auto& analysis = analysis_of<MetricAnalysis>(plan.analyzed);
  EngineQuery query;
  query.sql = Statement(plan, dialect).engine(true, true);
  for (const auto& key : analysis.flat.keys) query.keys.push_back(key.expression->type);
  for (const auto& cell : analysis.cells) {
    const Grid grid = grid_of(cell);
    query.cell_scales.push_back(grid.base == Grid::Base::decimal ? grid.exponent : 0);
  }
  for (const auto& cell : plan_of<MetricPlan>(plan).smooth.cells) {
    if (!cell.is_constant) query.cell_scales.push_back(0);
  }
  for (const auto& cell : analysis.cells) {
    if (is_extremum(cell)) query.cell_scales.push_back(0);
  }
  for (const auto& role : analysis.flat.roles) {
    const auto& scan = std::get<Scan>(role.scan->node);
    TableName name{scan.schema, scan.name};
    if (std::find(query.tables.begin(), query.tables.end(), name) == query.tables.end())
      query.tables.push_back(std::move(name));
  }
  return query;
}

std::string modified_statement(const MechanismPlan& plan, const Dialect& dialect) {
  return Statement(plan, dialect).engine(true, false);
}

std::string sensitivity_statement(const MechanismPlan& plan, const Dialect& dialect) {
  const auto& cells = plan_of<MetricPlan>(plan).smooth.cells;
  const bool all_constant =
      std::all_of(cells.begin(), cells.end(), [](const SmoothCell& cell) { return cell.is_constant; });
  return all_constant ? "" : Statement(plan, dialect).engine(false, true);
}

}  // namespace tacit
