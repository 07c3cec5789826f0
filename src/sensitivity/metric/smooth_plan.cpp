#include "sensitivity/metric/smooth_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/assign_rates.hpp"
#include "sensitivity/metric/derivative/bound_sql.hpp"
#include "sensitivity/metric/derivative/norm_dual.hpp"
#include "sensitivity/metric/derivative/rounding_error.hpp"
#include "sensitivity/metric/derivative/sum_over_rows.hpp"
#include "sensitivity/metric/summed_value.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double outward = 1.0 + 1e-11;

// The numbers of one lq norm.
double norm_of(double q, const std::vector<double>& parts) {
  double total = 0.0;
  for (const double part : parts) {
    total = std::isinf(q) ? std::max(total, part) : total + (part == 0.0 ? 0.0 : std::pow(part, q));
  }
  return std::isinf(q) ? total : std::pow(total, 1.0 / q);
}

// The greatest value of the bound over all databases.
double constant_of_cell(const MetricCell& cell, const MetricAnalysis& analysis) {
  std::map<const TablePolicy*, double> by_table;
  for (const auto& role : cell.roles) {
    const Role& place = analysis.flat.roles[role.role];
    const bool takes_greatest = cell.kind != MetricCell::Kind::sum || is_l1(place.metric->rows_combine);
    const bool bounded = takes_greatest && role.join_rows != JoinRows::keyed;
    const double most = bounded ? role.of_join_row->supremum * static_cast<double>(role.fan_out) : infinity;
    by_table[place.table] += most;
  }
  std::vector<double> parts;
  for (const auto& [table, part] : by_table) parts.push_back(part);
  return norm_of(dual_exponent(analysis.tables_combine), parts) * outward;
}

// Whether few different values are to be expected: dates, and numbers whose owner declared a step.
bool has_few_values(const PrivateColumn& column) {
  if (column.column->type.kind == TypeKind::date) return true;
  return column.column->type.is_exact_number() && column.policy && column.policy->step;
}

// Doubles form no groups worth having, and a soft condition computes its exponential row by row anyway.
bool has_soft_leaf(const Bound& bound) {
  const auto leaves = leaves_of(bound);
  return std::any_of(leaves.begin(), leaves.end(),
                     [](const LeafBound* leaf) { return std::holds_alternative<SoftShape>(leaf->shape); });
}

class Planner {
 public:
  explicit Planner(const MetricAnalysis& analysis) : analysis_(analysis) {
    for (std::size_t i = 0; i < analysis.flat.roles.size(); ++i) {
      fan_outs_.push_back(join_rows_per_row(analysis.flat.shape, i));
    }
  }

  // A keyed role's own columns are grouped by anyway; other bounds share the first such level.
  void choose_host(const std::vector<const MetricCell*>& cells) {
    for (const MetricCell* cell : cells) {
      for (const auto& role : cell->roles) {
        if (role.join_rows == JoinRows::keyed && (!host_ || role.role < *host_)) host_ = role.role;
      }
    }
    if (!host_ || !has_unique_key(*host_)) return;
    for (const MetricCell* cell : cells) {
      for (const auto& role : cell->roles) {
        if (role.role != *host_ || role.join_rows != JoinRows::keyed) continue;
        for (const auto& [column, part] : role.gradient) {
          if (analysis_.flat.columns.at(column).role != *host_) continue;
          for (const LeafBound* leaf : leaves_of(*part)) {
            if (is_own(*leaf->statistic, *host_)) positions_.push_back(leaf->statistic);
          }
        }
      }
    }
  }

  void choose_positions(const std::vector<const MetricCell*>& cells) {
    choose_host(cells);
    if (host_ || !analysis_.flat.has_public_filter) return;
    const LeafBound* chosen = nullptr;
    bool chosen_is_date = false;
    for (const MetricCell* cell : cells) {
      for (const auto& role : cell->roles) {
        for (const LeafBound* leaf : leaves_of(*role.of_join_row)) {
          if (!std::holds_alternative<DecayShape>(leaf->shape)) continue;
          const PrivateColumn& column = analysis_.flat.columns.at(leaf->slopes[0].column);
          const bool is_date = column.column->type.kind == TypeKind::date;
          if (!has_few_values(column) || (chosen && (chosen_is_date || !is_date))) continue;
          chosen = leaf;
          chosen_is_date = is_date;
        }
      }
    }
    if (chosen) positions_.push_back(chosen->statistic);
  }

  SmoothRole plan(const MetricCell& cell, const RoleBound& bound, Beta beta) const {
    const Role& role = analysis_.flat.roles[bound.role];
    SmoothRole smooth{bound.role, nullptr, SmoothRole::Level::grouped, bound.key, role.metric->rows_combine};
    const bool takes_greatest = cell.kind != MetricCell::Kind::sum || is_l1(role.metric->rows_combine);
    if (takes_greatest) smooth.rows_combine = NormExponent{};
    const bool is_keyed = bound.join_rows == JoinRows::keyed;
    BoundPtr symbolic = is_keyed ? summed(bound, role) : scaled(static_cast<double>(bound.fan_out), bound.of_join_row);
    if (is_keyed) {
      smooth.level = SmoothRole::Level::keyed;
    } else if (!takes_greatest || !moves_by_l1(*symbolic) || has_soft_leaf(*symbolic)) {
      smooth.level = SmoothRole::Level::each_row;
    }
    // Row by row every leaf can be evaluated. Where rows are grouped first, only what the groups tell apart decays.
    if (smooth.level != SmoothRole::Level::each_row) {
      symbolic = without_scattered_decay(symbolic, bound.role, is_keyed);
    }
    smooth.bound =
        assign_rates(symbolic, analysis_.flat.roles, analysis_.flat.columns, analysis_.tables_combine, beta.value());
    return smooth;
  }

  const std::vector<ExprPtr>& positions() const { return positions_; }

 private:
  // Then grouping by the role's own private columns too makes no other groups.
  bool has_unique_key(std::size_t role) const {
    const Role& place = analysis_.flat.roles[role];
    return !place.table->primary_key.empty() &&
           std::all_of(place.table->primary_key.begin(), place.table->primary_key.end(), [&](const std::string& name) {
             return std::any_of(place.scan->columns.begin(), place.scan->columns.end(), [&](const ColumnPtr& column) {
               return column->name == name && !analysis_.flat.columns.contains(column.get());
             });
           });
  }

  bool is_own(const Expr& expr, std::size_t role) const {
    const auto& own = analysis_.flat.roles[role].scan->columns;
    const auto read = columns_read(expr);
    return std::all_of(read.begin(), read.end(),
                       [&](const ColumnPtr& column) { return std::find(own.begin(), own.end(), column) != own.end(); });
  }

  // Many rows may move at once; only where rows combine by l1 is it enough to look at each alone.
  bool moves_by_l1(const Column* column) const {
    return is_l1(analysis_.flat.roles[analysis_.flat.columns.at(column).role].metric->rows_combine);
  }
  bool moves_by_l1(const Bound& bound) const {
    const auto leaves = leaves_of(bound);
    return std::all_of(leaves.begin(), leaves.end(), [&](const LeafBound* leaf) {
      return std::all_of(leaf->slopes.begin(), leaf->slopes.end(),
                         [&](const Slope& slope) { return moves_by_l1(slope.column); });
    });
  }

  BoundPtr summed(const RoleBound& bound, const Role& role) const {
    const auto own = [&](const Expr& expr) { return is_own(expr, bound.role); };
    const auto fan_out = [&](const Column* column) -> long long {
      if (!moves_by_l1(column)) return 0;
      return fan_outs_[analysis_.flat.columns.at(column).role].value_or(0);
    };
    Gradient sums;
    for (const auto& [column, part] : bound.gradient) {
      if (analysis_.flat.columns.at(column).role == bound.role) sums[column] = sum_over_rows(part, own, fan_out);
    }
    return dual_of_gradient(*role.metric->metric, sums, role.scan->columns);
  }

  BoundPtr without_scattered_decay(const BoundPtr& bound, std::size_t role, bool keyed) const {
    return map_leaves(bound, [&](const BoundPtr& part) -> BoundPtr {
      const auto* leaf = std::get_if<LeafBound>(&part->node);
      if (!leaf || !is_position(leaf->shape)) return nullptr;
      if (keyed && has_unique_key(role) && is_own(*leaf->statistic, role)) return nullptr;
      // Another keyed level does not tell the host's positions apart.
      const bool grouped = !(keyed && host_ && role != *host_) &&
                           std::any_of(positions_.begin(), positions_.end(), [&](const ExprPtr& position) {
                             return same_expression(*position, *leaf->statistic);
                           });
      return grouped ? nullptr : constant_bound(leaf->cap);
    });
  }

  const MetricAnalysis& analysis_;
  FanOuts fan_outs_;
  std::optional<std::size_t> host_;  // the first keyed role
  std::vector<ExprPtr> positions_;
};

bool has_row_sum(const Bound& bound) {
  const auto any = [](const std::vector<BoundPtr>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const BoundPtr& part) { return has_row_sum(*part); });
  };
  if (std::holds_alternative<RowSumBound>(bound.node)) return true;
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) return any(sum->terms);
  if (const auto* product = std::get_if<ProductBound>(&bound.node)) return any(product->factors);
  if (const auto* max = std::get_if<MaxBound>(&bound.node)) return any(max->choices);
  if (const auto* root = std::get_if<RootBound>(&bound.node)) return any(root->terms);
  return false;
}

// How far the engine's doubles may be off: a few roundings, or many added up (docs/theory/sampling.md, "What doubles
// cost in the metric model").
double rounding_of(const SmoothCell& cell) {
  constexpr double few = 0x1p-36;
  constexpr double many = 0x1p-29;
  const auto adds_doubles = [](const SmoothRole& role) {
    const auto leaves = leaves_of(*role.bound);
    return has_row_sum(*role.bound) || !is_l1(role.rows_combine) ||
           std::any_of(leaves.begin(), leaves.end(),
                       [](const LeafBound* leaf) { return leaf->is_summed && !adds_up_exactly(*leaf->statistic); });
  };
  return std::any_of(cell.roles.begin(), cell.roles.end(), adds_doubles) ? many : few;
}

bool can_fall(const SmoothCell& cell) {
  double least = 0.0;
  for (const auto& role : cell.roles) least += infimum_of(*role.bound);
  return least < 0.5 * cell.constant;
}

// What computing one row's value and the ramp it is multiplied with rounds.
double rounding_of_row(const MetricCell& cell, const PrivateColumns& columns) {
  const ExprPtr value = cell.counts_value ? nullptr : cell.value;
  if (cell.kind != MetricCell::Kind::sum || !cell.filter->soft) {
    return value ? rounding_error(*value, columns).over(value->range) : 0.0;
  }
  const auto ramped = ramped_value(value, *cell.filter);
  TACIT_CHECK(ramped.has_value(), "a summed value can be multiplied with its ramp");
  return rounding_error(**ramped, columns).over((*ramped)->range);
}

// Floor and jump of a cell (docs/theory/sampling.md, "What doubles cost in the metric model").
SmoothCell cell_on_grid(const MetricCell& value, double signed_step, const PrivateColumns& columns) {
  // The least and the greatest value are one row's.
  const double most_rows = value.kind == MetricCell::Kind::sum ? 0x1p26 : 1.0;
  const double step = std::fabs(signed_step);
  SmoothCell cell;
  // Doubles: each row is off by a grid step or two and by what computing it rounds; the floor keeps all of them
  // together below a share of 2^-20.
  const bool is_real = signed_step < 0.0;
  const double rounding = is_real ? rounding_of_row(value, columns) : 0.0;
  cell.jump = is_real ? most_rows * (2.0 * step + 2.0 * rounding) : 0.0;
  cell.least = is_real ? cell.jump * 0x1p20 : step * 0x1p-20;
  return cell;
}

// The statement adds up bounds over rows, roles and tables.
Status check_total(const SmoothCell& cell, const MetricCell& value) {
  constexpr double largest_floor = 1e150;
  double peak = cell.is_constant ? std::log(std::max(cell.constant, 1e-300)) : 0.0;
  for (const auto& role : cell.roles) {
    peak = std::max(peak, peak_log(*role.bound) + log_most_rows + std::log(static_cast<double>(cell.roles.size())));
  }
  const double floor = std::max(cell.least, cell.jump);
  if (peak <= largest_log_bound && floor <= largest_floor) return {};  // neither is NaN
  return refuse("some value that a column may hold would make the noise of this expression larger than any number",
                "ask the owner to declare min and max of the columns it reads, or multiply and nest less",
                value.value ? value.value->position : 0);
}

}  // namespace

Result<SmoothPlan> plan_smooth_bounds(const MetricAnalysis& analysis, const std::vector<double>& steps,
                                      const std::vector<Beta>& betas, BoundChoice choice) {
  const bool cheap_count = analysis.flat.roles.size() == 1 && analysis.flat.has_public_filter;
  SmoothPlan plan;
  std::vector<const MetricCell*> smooth;
  for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
    const MetricCell& cell = analysis.cells[i];
    SmoothCell planned = cell_on_grid(cell, steps[i], analysis.flat.columns);
    planned.constant = constant_of_cell(cell, analysis);
    const bool has_constant = std::isfinite(planned.constant);
    const bool is_value = cell.kind == MetricCell::Kind::sum && cell.value && !cell.counts_value;
    const bool tries_both =
        choice == BoundChoice::automatic && cell.kind == MetricCell::Kind::sum && (is_value || cheap_count);
    planned.is_constant = planned.constant == 0.0 || (has_constant && choice != BoundChoice::smooth && !tries_both);
    if (!planned.is_constant) smooth.push_back(&cell);
    plan.cells.push_back(std::move(planned));
  }
  Planner planner(analysis);
  planner.choose_positions(smooth);
  for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
    SmoothCell& cell = plan.cells[i];
    if (cell.is_constant) continue;
    for (const auto& role : analysis.cells[i].roles)
      cell.roles.push_back(planner.plan(analysis.cells[i], role, betas[i]));
    cell.rounding = rounding_of(cell);
    if (choice == BoundChoice::smooth || !std::isfinite(cell.constant) || can_fall(cell)) continue;
    cell.is_constant = true;
    cell.roles.clear();
    cell.rounding = 0.0;
  }
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    TACIT_TRY_STATUS(check_total(plan.cells[i], analysis.cells[i]));
  }
  plan.positions = planner.positions();
  return plan;
}

}  // namespace tacit
