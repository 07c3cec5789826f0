#include "rewrite/metric/date_window.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/bound_sql.hpp"
#include "sensitivity/metric/derivative/norm_dual.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/calendar.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// More than what the engine's doubles and ours can differ by.
constexpr double outward = 1.0 + 1e-6;
// With a wider margin few rows would be left out.
constexpr int most_margin = 1096;

double magnitude_of(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return std::max(std::fabs(to_double(exact->lo.value)), std::fabs(to_double(exact->hi.value))) * outward;
  }
  if (const auto* real = std::get_if<RealRange>(&range)) {
    return std::max(std::fabs(real->lo.value), std::fabs(real->hi.value)) * outward;
  }
  return infinity;
}

// The greatest value that the engine can compute for a bound when the position lies outside [first, last], whatever
// else the row holds: magnitudes as large as their types allow.
class Beyond {
 public:
  Beyond(const Expr& position, double first, double last, double join_rows)
      : position_(position), first_(first), last_(last), join_rows_(join_rows) {}

  double greatest(const Bound& bound) const {
    const double value = of(bound);
    return std::isnan(value) ? infinity : value * outward;
  }

 private:
  double of(const Bound& bound) const {
    const auto total = [&](const std::vector<BoundPtr>& parts) {
      double value = 0.0;
      for (const auto& part : parts) value += of(*part);
      return value;
    };
    if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) return constant->value;
    if (const auto* of_public = std::get_if<PublicBound>(&bound.node)) {
      return std::max(std::min(of_public->cap, magnitude_of(of_public->expression->range)), 1.0);
    }
    if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) return of_leaf(*leaf);
    if (const auto* sum = std::get_if<SumBound>(&bound.node)) return total(sum->terms);
    if (const auto* product = std::get_if<ProductBound>(&bound.node)) {
      double value = 1.0;
      for (const auto& factor : product->factors) {
        value = std::max(value * std::max(of(*factor), least_factor), least_product);
      }
      return value;
    }
    if (const auto* max = std::get_if<MaxBound>(&bound.node)) {
      double value = 0.0;
      for (const auto& choice : max->choices) value = std::max(value, of(*choice));
      return value;
    }
    if (std::holds_alternative<RowCountBound>(bound.node)) return join_rows_;
    if (const auto* row_sum = std::get_if<RowSumBound>(&bound.node)) return join_rows_ * of(*row_sum->of_row);
    const auto& root = std::get<RootBound>(bound.node);
    return total(root.terms) +
           static_cast<double>(root.terms.size()) * root_floor(root);  // no lq norm is above the sum
  }

  double of_leaf(const LeafBound& leaf) const {
    if (!is_position(leaf.shape)) {
      const double size = magnitude_of(leaf.statistic->range) * (leaf.is_summed ? join_rows_ : 1.0);
      return std::isfinite(size) ? leaf.leaf->at(size) : infinity;
    }
    const auto* decay = std::get_if<DecayShape>(&leaf.shape);
    const bool is_here = decay && same_expression(*leaf.statistic, position_);
    return is_here ? of_decay(*decay, *leaf.leaf) : leaf.leaf->supremum();
  }

  // Beyond all bumps a decay falls with the distance.
  double of_decay(const DecayShape& decay, const Leaf& leaf) const {
    const bool is_inside = std::all_of(decay.bumps.begin(), decay.bumps.end(), [this](const Bump& bump) {
      return bump.height == 0.0 || (bump.lo >= first_ && bump.hi <= last_);
    });
    if (!is_inside) return leaf.supremum();
    return std::max(std::isinf(first_) ? 0.0 : leaf.at(first_), std::isinf(last_) ? 0.0 : leaf.at(last_));
  }

  const Expr& position_;
  double first_;
  double last_;
  double join_rows_;
};

// The one role by whose key rows are grouped, where every bound is a greatest over its groups and c is the greatest of
// all bounds; empty otherwise.
std::optional<std::size_t> only_keyed_role(const MetricAnalysis& analysis, const SmoothPlan& smooth) {
  if (!is_l1(analysis.tables_combine)) return std::nullopt;
  std::set<std::size_t> keyed;
  for (const auto& cell : smooth.cells) {
    std::set<const TablePolicy*> tables;
    for (const auto& role : cell.roles) {
      const bool is_greatest = is_l1(role.rows_combine) && role.level != SmoothRole::Level::each_row;
      if (!is_greatest || !tables.insert(analysis.flat.roles[role.role].table).second) return std::nullopt;
      if (role.level == SmoothRole::Level::keyed) keyed.insert(role.role);
    }
  }
  if (keyed.size() != 1 || analysis.flat.roles[*keyed.begin()].optional) return std::nullopt;
  return *keyed.begin();
}

// The days that the condition of every value selects, as far as it says so by itself.
const ColumnSet* selected_days(const MetricAnalysis& analysis, std::size_t role) {
  const auto& filter = analysis.cells.front().filter;
  for (const auto& cell : analysis.cells) {
    if (cell.filter != filter || cell.kind != MetricCell::Kind::sum) return nullptr;
  }
  for (const auto& set : filter->sets) {
    const bool is_date = set.column->column->type.kind == TypeKind::date && set.is_exact;
    const bool is_plain = set.column->role == role && set.column->use == MetricColumn::Use::plain;
    if (is_date && is_plain && !set.set.is_empty() && !set.set.is_all()) return &set;
  }
  return nullptr;
}

bool stays_below_floors(const SmoothPlan& smooth, const Beyond& beyond) {
  return std::all_of(smooth.cells.begin(), smooth.cells.end(), [&](const SmoothCell& cell) {
    return std::all_of(cell.roles.begin(), cell.roles.end(),
                       [&](const SmoothRole& role) { return beyond.greatest(*role.bound) <= cell.least; });
  });
}

std::optional<Date> day_at(double day) {
  const ExactRange calendar = calendar_days();
  if (day < to_double(calendar.lo.value) || day > to_double(calendar.hi.value)) return std::nullopt;
  return Date{static_cast<std::int32_t>(day)};
}

ExprPtr column_of(const MetricAnalysis& analysis, const ColumnSet& set) {
  for (const auto& column : analysis.flat.roles[set.column->role].scan->columns) {
    if (column.get() == set.column->column) return make_column(column, 0);
  }
  TACIT_CHECK(false, "a private column belongs to its role's scan");
}

}  // namespace

std::optional<DateWindow> date_window(const MetricAnalysis& analysis, const SmoothPlan& smooth) {
  // Which groups come back must not depend on private dates.
  if (!analysis.flat.keys.empty()) return std::nullopt;
  const auto role = only_keyed_role(analysis, smooth);
  const ColumnSet* set = role ? selected_days(analysis, *role) : nullptr;
  const auto join_rows = role ? join_rows_per_row(analysis.flat.shape, *role) : std::nullopt;
  const ExprPtr position = set ? position_of(*set->column) : nullptr;
  if (!position || !join_rows) return std::nullopt;

  const auto& days = set->set.intervals();
  const double lo = days.front().lo ? set->point(*days.front().lo) - 1.0 : -infinity;
  const double hi = days.back().hi ? set->point(*days.back().hi) + 1.0 : infinity;
  const auto is_enough = [&](int margin) {
    return stays_below_floors(smooth, Beyond(*position, lo - margin, hi + margin, static_cast<double>(*join_rows)));
  };
  if (!is_enough(most_margin)) return std::nullopt;
  int margin = most_margin;
  for (int too_small = -1; margin - too_small > 1;) {
    const int middle = (margin + too_small) / 2;
    (is_enough(middle) ? margin : too_small) = middle;
  }
  DateWindow window{column_of(analysis, *set), day_at(lo - margin), day_at(hi + margin)};
  if (!window.first && !window.last) return std::nullopt;
  return window;
}

ExprPtr window_condition(const DateWindow& window) {
  std::vector<ExprPtr> ends;
  const auto add = [&](const char* rule, const std::optional<Date>& day) {
    if (!day) return;
    auto end = bind_call(rule, {window.column, make_literal(*day, SqlType::date(), 0)}, 0);
    TACIT_CHECK(end.has_value(), "a date compares with a date");
    ends.push_back(std::move(*end));
  };
  add(">=", window.first);
  add("<=", window.last);
  if (ends.size() == 1) return ends.front();
  auto both = bind_call("and", std::move(ends), 0);
  TACIT_CHECK(both.has_value(), "conditions can be joined by AND");
  return *both;
}

}  // namespace tacit
