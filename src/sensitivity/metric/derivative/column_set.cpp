#include "sensitivity/metric/derivative/column_set.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/work_limit.hpp"
#include "sensitivity/metric/derivative/constant_comparison.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_intervals = 64;
constexpr double double_slack = 0x1p-19;  // by how much a step between doubles may differ from the declared one
constexpr double farthest = 1e300;        // stands for the infinities, and NaN is NULL

std::optional<Decimal> grid_step(const PrivateColumn& column) {
  if (column.declared_step) {
    const TypeKind kind = column.column->type.kind;
    // Ramps are computed on numbers; dates and timestamps keep their type's grid.
    if (kind != TypeKind::date && kind != TypeKind::timestamp) return column.declared_step;
  }
  const SqlType& type = column.column->type;
  if (type.kind == TypeKind::decimal) return Decimal{1, type.scale};
  if (column.type_step) return Decimal{1, 0};
  return std::nullopt;
}

std::optional<GridSet> compared(Meaning relation, const Decimal& value, const Decimal& step) {
  const auto below = index_below(value, step);
  const auto above = index_above(value, step);
  if (!below || !above) return std::nullopt;
  const bool on_grid = *below == *above;
  switch (relation) {
    case Meaning::less: return GridSet::at_most(*above - 1);
    case Meaning::at_most: return GridSet::at_most(*below);
    case Meaning::greater: return GridSet::at_least(*below + 1);
    case Meaning::at_least: return GridSet::at_least(*above);
    case Meaning::equal: return on_grid ? GridSet::only(*below) : GridSet::none();
    case Meaning::different: return on_grid ? GridSet::only(*below).complement() : GridSet::all();
    default: return std::nullopt;
  }
}

class Fold {
 public:
  Fold(const Differentiator& differentiator, const PrivateColumn& column, const Decimal& step)
      : differentiator_(differentiator), column_(column), step_(step) {}

  std::optional<GridSet> set_of(const ExprPtr& predicate) const {
    const auto* call = std::get_if<Call>(&predicate->node);
    if (!call) return std::nullopt;
    switch (call->rule->traits.meaning) {
      case Meaning::conjunction:
      case Meaning::disjunction: return connected(*call);
      case Meaning::negation: {
        const auto inner = set_of(call->args[0]);
        if (!inner) return std::nullopt;
        return inner->complement();
      }
      case Meaning::listed: return listed(*call);
      default: return call->args.size() == 2 ? comparison(*call) : std::nullopt;
    }
  }

 private:
  std::optional<GridSet> connected(const Call& call) const {
    const bool is_and = call.rule->traits.meaning == Meaning::conjunction;
    std::optional<GridSet> result;
    count_work(call.args.size());
    for (const auto& arg : call.args) {
      const auto part = set_of(arg);
      if (!part) return std::nullopt;
      if (!result) {
        result = part;
      } else {
        result = is_and ? result->intersected(*part) : result->united(*part);
      }
      if (result->intervals().size() > most_intervals) return std::nullopt;
    }
    return result;
  }

  std::optional<GridSet> listed(const Call& call) const {
    if (bare_column(*call.args[0], differentiator_) != &column_) return std::nullopt;
    std::vector<GridSet::Interval> points;
    for (std::size_t i = 1; i < call.args.size(); ++i) {
      const auto value = constant_value(*call.args[i], differentiator_);
      const auto point = value ? compared(Meaning::equal, *value, step_) : std::nullopt;
      if (!point) return std::nullopt;
      points.insert(points.end(), point->intervals().begin(), point->intervals().end());
    }
    GridSet result = GridSet::union_of(std::move(points));
    if (result.intervals().size() > most_intervals) return std::nullopt;
    return result;
  }

  std::optional<GridSet> comparison(const Call& call) const {
    const auto found = constant_comparison(call, differentiator_);
    if (!found || found->column != &column_) return std::nullopt;
    return compared(found->relation, found->value, step_);
  }

  const Differentiator& differentiator_;
  const PrivateColumn& column_;
  const Decimal& step_;
};

ExprPtr column_expression(const PrivateColumn& column) {
  // An owning pointer of the scan's column: expressions share it.
  const std::shared_ptr<const Column> shared(std::shared_ptr<const Column>{}, column.column);
  return make_column(shared, 0);
}

Decimal grid_value(const ColumnSet& set, Int128 index) {
  const auto value = multiply(Decimal{index, 0}, set.step);
  TACIT_CHECK(value.has_value(), "a grid point of a predicate fits");
  return *value;
}

Result<ExprPtr> literal_of(const ColumnSet& set, Int128 index) {
  return number_literal(to_string(grid_value(set, index)), 0);
}

Result<ExprPtr> compare(std::string_view rule, const ColumnSet& set, Int128 index) {
  TACIT_TRY(ExprPtr literal, literal_of(set, index));
  return bind_call(rule, {column_expression(*set.column), std::move(literal)}, 0);
}

// From a grid point to the next as doubles have them: the ramp between them is as steep as that.
double double_step(const ColumnSet& set, Int128 first) {
  return to_double(grid_value(set, first + 1)) - to_double(grid_value(set, first));
}

// Doubles far from 0 lie so far apart that two grid points are nearer to each other than a step, or the same.
bool has_true_steps(const ColumnSet& set) {
  const double step = to_double(set.step);
  const auto is_true = [&](Int128 first) {
    return std::fabs(double_step(set, first) / step - 1.0) <= double_slack / 2;
  };
  return std::all_of(set.set.intervals().begin(), set.set.intervals().end(), [&](const auto& interval) {
    return (!interval.lo || is_true(*interval.lo - 1)) && (!interval.hi || is_true(*interval.hi));
  });
}

// x - from or from - x of a stored double, used only where it lies within one step: no bounds are needed.
ExprPtr double_distance(const ColumnSet& set, Int128 from, bool down) {
  const ExprPtr x = column_expression(*set.column);
  const ExprPtr start = make_literal(to_double(grid_value(set, from)), SqlType::real(), 0);
  const double width = double_step(set, down ? from - 1 : from);
  const RealRange range{{0.0, true}, {width * (1.0 + 1e-9), true}};
  ExprPtr distance =
      make_call(subtract_rule, down ? std::vector{start, x} : std::vector{x, start}, SqlType::real(), range, 0);
  const ExprPtr inverse = make_literal(1.0 / width, SqlType::real(), 0);
  return make_call(multiply_rule, {std::move(distance), inverse}, SqlType::real(), RealRange{{0.0, true}, {1.0, true}},
                   0);
}

// (x - from) / step or (from - x) / step, kept in [0, 1] and in few digits.
Result<ExprPtr> rising(const ColumnSet& set, Int128 from, bool down) {
  if (set.column->column->type.kind == TypeKind::real) return double_distance(set, from, down);
  TACIT_TRY(ExprPtr start, literal_of(set, from));
  // The stored number, as the comparisons around it read it; on this arm the clamp changes nothing.
  const Int128 first = down ? from - 1 : from;
  ExactRange here{{grid_value(set, first), true}, {grid_value(set, first + 1), true}};
  const auto of_type = std::get<ExactRange>(type_range(set.column->column->type));
  if (here.lo.value > of_type.hi.value || here.hi.value < of_type.lo.value) return number_literal("0", 0);  // no value
  here.lo.value = std::max(here.lo.value, of_type.lo.value);
  here.hi.value = std::min(here.hi.value, of_type.hi.value);
  const ExprPtr x = clamped(column_expression(*set.column), here);
  TACIT_TRY(ExprPtr within_step, down ? bind_call("-", {start, x}, 0) : bind_call("-", {x, start}, 0));
  // 1 / step is a whole number or has few digits: checked by fold_to_set.
  const double inverse = 1.0 / to_double(set.step);
  TACIT_TRY(ExprPtr factor, number_literal(to_string(inverse), 0));
  TACIT_TRY(ExprPtr ramp, bind_call("*", {within_step, std::move(factor)}, 0));
  const SqlType narrow = SqlType::decimal(ramp->type.scale + 1, ramp->type.scale);
  if (ramp->type.kind != TypeKind::decimal || !fits_exactly(*ramp, narrow)) return ramp;
  return as_exact(std::move(ramp), narrow);
}

// Decimal text of 1 / step reads back exactly, in few digits: 4, 0.5, 20; not 1/3, and not 1e-17, whose ramp would need
// more digits than a sum has.
bool has_exact_inverse(const Decimal& step) {
  const double inverse = 1.0 / to_double(step);
  const auto decimal = parse_decimal(to_string(inverse));
  if (!decimal || digits(decimal->units) > 9 || decimal->scale > 9) return false;
  const auto one = multiply(*decimal, step);
  return one && *one == Decimal{1, 0};
}

}  // namespace

double ColumnSet::step_in_metric() const {
  const double value = to_double(step);
  return column->column->type.kind == TypeKind::timestamp ? value * 1e-6 : value;
}

double ColumnSet::slack() const { return column->column->type.kind == TypeKind::real ? double_slack : 1e-12; }

double ColumnSet::point(Int128 index) const { return static_cast<double>(index) * step_in_metric(); }

std::optional<ColumnSet> fold_to_set(const ExprPtr& predicate, const Differentiator& differentiator) {
  const auto read = private_columns_read(*predicate, differentiator.columns());
  if (read.size() != 1 || read[0]->use == MetricColumn::Use::discrete) return std::nullopt;
  const auto step = grid_step(*read[0]);
  if (!step || step->units <= 0) return std::nullopt;
  const auto set = Fold(differentiator, *read[0], *step).set_of(predicate);
  if (!set) return std::nullopt;
  ColumnSet found{read[0], *set, *step, true};
  const double type_step = read[0]->type_step.value_or(0.0);
  found.is_exact = read[0]->type_step && found.step_in_metric() <= type_step * (1.0 + 1e-9);
  if (!found.is_exact && (!has_exact_inverse(*step) || read[0]->use != MetricColumn::Use::plain)) return std::nullopt;
  if (read[0]->column->type.kind == TypeKind::real && !has_true_steps(found)) return std::nullopt;
  return found;
}

std::vector<Bump> change_bumps(const ColumnSet& set) {
  std::vector<Bump> bumps;
  const double slope = (1.0 + set.slack()) / set.step_in_metric();
  const double wider = set.is_exact ? 0.0 : set.slack() * set.step_in_metric();
  const auto add = [&](Int128 first) {
    bumps.push_back({set.point(first) - wider, set.point(first + 1) + wider, slope});
  };
  for (const auto& interval : set.set.intervals()) {
    if (interval.lo) add(*interval.lo - 1);
    if (interval.hi) add(*interval.hi);
  }
  return bumps;
}

ExprPtr position_of(const PrivateColumn& column) {
  if (column.use != MetricColumn::Use::plain) return nullptr;
  const SqlType& type = column.column->type;
  // Filter and ramp read the stored number, so its distance from the change is the stored number's.
  if (type.is_exact_number()) return column_expression(column);
  if (type.is_number()) return clamped(column_expression(column), RealRange{{-farthest, false}, {farthest, false}});
  if (type.kind != TypeKind::date) return nullptr;
  ExprPtr clamped_date = clamped(column_expression(column), calendar_days());
  auto days = bind_call("-", {std::move(clamped_date), make_literal(Date{0}, SqlType::date(), 0)}, 0);
  return days ? *days : nullptr;
}

BoundPtr decay_bound(const PrivateColumn& column, std::vector<Bump> bumps) {
  double height = 0.0;
  for (auto& bump : bumps) {
    // In ln x a slope is steeper by x; x is at most the interval's upper end.
    if (column.use == MetricColumn::Use::logarithm) bump.height *= std::max(bump.hi, 0.0);
    height = std::max(height, bump.height);
  }
  ExprPtr position = position_of(column);
  if (!position || !std::isfinite(height)) return std::isfinite(height) ? constant_bound(height) : nullptr;
  return leaf_bound({DecayShape{std::move(bumps)}, std::move(position), {{column.column, 1.0}}, height, nullptr});
}

BoundPtr slope_bound(const ColumnSet& set) { return decay_bound(*set.column, change_bumps(set)); }

BoundPtr support_bound(const ColumnSet& set) {
  if (set.set.is_empty()) return constant_bound(0.0);
  if (set.column->use != MetricColumn::Use::plain) return constant_bound(1.0);
  std::vector<Bump> bumps;
  for (const auto& interval : set.set.intervals()) {
    bumps.push_back({interval.lo ? set.point(*interval.lo - 1) : -infinity,
                     interval.hi ? set.point(*interval.hi + 1) : infinity, 1.0});
  }
  return decay_bound(*set.column, std::move(bumps));
}

Result<ExprPtr> ramp_of(const ColumnSet& set) {
  std::vector<ExprPtr> arms;
  const auto arm = [&](Result<ExprPtr> condition, Result<ExprPtr> value) -> Status {
    TACIT_TRY(ExprPtr when, std::move(condition));
    TACIT_TRY(ExprPtr then, std::move(value));
    arms.push_back(std::move(when));
    arms.push_back(std::move(then));
    return {};
  };
  for (const auto& interval : set.set.intervals()) {
    if (interval.lo) {
      TACIT_TRY_STATUS(arm(compare("<=", set, *interval.lo - 1), number_literal("0", 0)));
      TACIT_TRY_STATUS(arm(compare("<", set, *interval.lo), rising(set, *interval.lo - 1, false)));
    }
    if (!interval.hi) {
      TACIT_TRY(ExprPtr any, bind_call("is not null", {column_expression(*set.column)}, 0));
      TACIT_TRY_STATUS(arm(any, number_literal("1", 0)));
      break;
    }
    TACIT_TRY_STATUS(arm(compare("<=", set, *interval.hi), number_literal("1", 0)));
    TACIT_TRY_STATUS(arm(compare("<", set, *interval.hi + 1), rising(set, *interval.hi + 1, true)));
  }
  if (arms.empty()) return number_literal("0", 0);
  TACIT_TRY(ExprPtr zero, number_literal("0", 0));
  arms.push_back(std::move(zero));
  return bind_call("case", std::move(arms), 0);
}

namespace {

Result<ExprPtr> any_of(std::vector<ExprPtr> conditions) {
  if (conditions.empty()) return boolean_literal(false, 0);
  if (conditions.size() == 1) return conditions.front();
  return bind_call("or", std::move(conditions), 0);
}

Result<ExprPtr> between_points(const ColumnSet& set, int margin, std::string_view above, std::string_view below) {
  std::vector<ExprPtr> conditions;
  for (const auto& interval : set.set.intervals()) {
    std::vector<ExprPtr> both;
    if (interval.lo) {
      TACIT_TRY(ExprPtr from, compare(above, set, *interval.lo - margin));
      both.push_back(std::move(from));
    }
    if (interval.hi) {
      TACIT_TRY(ExprPtr to, compare(below, set, *interval.hi + margin));
      both.push_back(std::move(to));
    }
    if (both.empty()) {
      TACIT_TRY(ExprPtr any, bind_call("is not null", {column_expression(*set.column)}, 0));
      both.push_back(std::move(any));
    }
    TACIT_TRY(ExprPtr inside, bind_call("and", std::move(both), 0));
    conditions.push_back(std::move(inside));
  }
  return any_of(std::move(conditions));
}

}  // namespace

Result<ExprPtr> core_condition(const ColumnSet& set) { return between_points(set, 0, ">=", "<="); }
Result<ExprPtr> support_condition(const ColumnSet& set) { return between_points(set, 1, ">", "<"); }

}  // namespace tacit
