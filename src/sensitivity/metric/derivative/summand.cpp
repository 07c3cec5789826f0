#include "sensitivity/metric/derivative/summand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/metric/derivative/affine.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double outward = 1.0 + 1e-12;

void flatten_product(const ExprPtr& expr, std::vector<ExprPtr>& factors) {
  const auto* call = std::get_if<Call>(&expr->node);
  const Meaning meaning = call ? call->rule->traits.meaning : Meaning::other;
  const bool passes =
      meaning == Meaning::same_value || meaning == Meaning::nearest_double || meaning == Meaning::negative;
  if (meaning != Meaning::product && !passes) {
    factors.push_back(expr);
    return;
  }
  for (const auto& arg : call->args) flatten_product(arg, factors);
}

// A column with a set, and the factor of the value that reads only this column.
struct Part {
  ColumnSet set;
  ExprPtr factor;        // null: 1
  BoundPtr value;        // of factor * set
  BoundPtr plain_slope;  // of the factor where the set does not change; null without factor
  BoundPtr steep_slope;  // where it does
};

bool reads(const Expr& expr, const Column* column) {
  const auto read = columns_read(expr);
  return std::any_of(read.begin(), read.end(), [&](const ColumnPtr& c) { return c.get() == column; });
}

double magnitude_at(const ExprPtr& factor, const Column& column, double x) {
  return factor ? std::fabs(*monotone_value(*factor, column, x)) * outward : 1.0;
}

// The factor of `column` alone, removed from the list; null when there is none or it is not simple enough.
ExprPtr take_factor(std::vector<ExprPtr>& factors, const PrivateColumn& column) {
  if (column.use != MetricColumn::Use::plain) return nullptr;
  auto found = factors.end();
  for (auto factor = factors.begin(); factor != factors.end(); ++factor) {
    if (!reads(**factor, column.column)) continue;
    if (found != factors.end()) return nullptr;
    found = factor;
  }
  if (found == factors.end() || !monotone_value(**found, *column.column, 0.0)) return nullptr;
  ExprPtr factor = *found;
  factors.erase(found);
  return factor;
}

bool is_bounded(const GridSet& set) {
  return !set.is_empty() && set.intervals().front().lo && set.intervals().back().hi;
}

// Interpolating from the factor's value at the last point inside to 0 may exceed the factor, where that falls faster or
// changes its sign on the way.
void add_interpolated(std::vector<Bump>& edges, const ExprPtr& factor, const Column& column, double inside,
                      double outside) {
  const double from = *monotone_value(*factor, column, inside);
  const double to = *monotone_value(*factor, column, outside);
  if (from * to >= 0.0 && std::fabs(to) >= std::fabs(from)) return;
  edges.push_back({std::min(inside, outside), std::max(inside, outside), std::fabs(from) * outward});
}

Result<Part> make_part(const ColumnSet& set, ExprPtr factor, const Differentiator& differentiator) {
  Part part{set, std::move(factor), nullptr, nullptr, nullptr};
  if (!part.factor) {
    part.value = support_bound(set);
    part.steep_slope = slope_bound(set);
    return part;
  }
  const Column& column = *set.column->column;
  TACIT_TRY(const RowFunction f, differentiator.derive(part.factor));
  const Gradient gradient = joint_gradient(f.pieces);
  const double lipschitz = gradient.empty() ? 0.0 : gradient.begin()->second->supremum;

  std::vector<Bump> plain;
  std::vector<Bump> values;
  std::vector<Bump> steep;
  std::vector<Bump> edges;
  const double step = set.step_in_metric();
  const double outside = set.is_exact ? step : step * (1.0 + set.slack());
  const double inside = set.is_exact ? 0.0 : step * set.slack();
  const double steepness = (1.0 + set.slack()) / step;
  for (const auto& interval : set.set.intervals()) {
    const double lo = interval.lo ? set.point(*interval.lo) : -infinity;
    const double hi = interval.hi ? set.point(*interval.hi) : infinity;
    plain.push_back({lo - outside, hi + outside, lipschitz * outward});
    steep.push_back(plain.back());
    // Exact sets are interpolated with the factor, from its value at the last point inside to 0; otherwise the factor
    // goes on along the ramp.
    const double reach = set.is_exact ? 0.0 : outside;
    const double extra = set.is_exact ? 0.0 : lipschitz;
    double largest = 0.0;
    if (interval.lo) {
      const double u = std::max(magnitude_at(part.factor, column, lo), magnitude_at(part.factor, column, lo - reach));
      steep.push_back({lo - outside, lo + inside, (u * steepness + extra) * outward});
      largest = std::max(largest, u);
      if (set.is_exact) add_interpolated(edges, part.factor, column, lo, lo - step);
    }
    if (interval.hi) {
      const double u = std::max(magnitude_at(part.factor, column, hi), magnitude_at(part.factor, column, hi + reach));
      steep.push_back({hi - inside, hi + outside, (u * steepness + extra) * outward});
      largest = std::max(largest, u);
      if (set.is_exact) add_interpolated(edges, part.factor, column, hi, hi + step);
    }
    values.push_back({lo - outside, hi + outside, largest});
  }
  part.plain_slope = decay_bound(*set.column, std::move(plain));
  part.steep_slope = decay_bound(*set.column, std::move(steep));
  part.value = is_bounded(set.set)
                   ? decay_bound(*set.column, std::move(values))
                   : max_of({product_of({f.value, support_bound(set)}), decay_bound(*set.column, std::move(edges))});
  return part;
}

void add_to(Gradient& gradient, const Column* column, const BoundPtr& bound) {
  const auto found = gradient.find(column);
  gradient[column] = found == gradient.end() ? bound : sum_of({found->second, bound});
}

// Product of every part's value but one's.
BoundPtr values_but(const std::vector<Part>& parts, std::size_t left_out, const BoundPtr& rest) {
  std::vector<BoundPtr> factors{rest};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != left_out) factors.push_back(parts[i].value);
  }
  return product_of(std::move(factors));
}

std::string describe(const Part& part) {
  return fmt::format("{}: {} interval(s) of its grid{}{}", part.set.column->column->table_column,
                     part.set.set.intervals().size(),
                     part.set.is_exact ? ", exact by type" : ", a ramp of the declared step",
                     part.factor ? ", folded with its factor" : "");
}

RowFunction combine(const RowFunction& unfiltered, const std::vector<Part>& parts, const SoftFilter& filter) {
  const std::size_t none = parts.size();
  const std::vector<Gradient>& others = filter.pieces;
  // What no comparison changes is multiplied by the whole minimum; the slope of the comparison that attains it is not.
  RowFunction rest = unfiltered;
  rest.value = product_of({rest.value, filter.value});
  RowFunction f{values_but(parts, none, rest.value), {}, {"summand", "", {rest.derivation}}};
  const BoundPtr unfiltered_value = values_but(parts, none, unfiltered.value);
  const BoundPtr parts_value = values_but(parts, none, filter.value);

  // No comparison changes: the slopes of the value. Where a factor is interpolated with its exact set, its steep slope
  // can meet any other.
  std::vector<Gradient> bases;
  for (const auto& piece : rest.pieces) {
    Gradient base;
    for (const auto& [column, bound] : piece) base[column] = product_of({bound, parts_value});
    bases.push_back(std::move(base));
  }
  if (bases.empty()) bases.emplace_back();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!parts[k].factor) continue;
    const BoundPtr slope = parts[k].set.is_exact ? parts[k].steep_slope : parts[k].plain_slope;
    for (auto& base : bases) {
      add_to(base, parts[k].set.column->column, product_of({slope, values_but(parts, k, rest.value)}));
    }
  }
  const bool too_many = bases.size() * (1 + parts.size() + others.size()) > most_pieces;
  if (too_many) bases = {joint_gradient(bases)};
  for (const auto& base : bases) {
    count_work(4 * base.size() * (1 + parts.size() + others.size()));
    if (!base.empty()) f.pieces.push_back(base);
    // One comparison changes: the filter is a minimum.
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].factor && parts[k].set.is_exact) continue;
      Gradient piece = base;
      const BoundPtr slope = product_of({parts[k].steep_slope, values_but(parts, k, unfiltered.value)});
      if (is_zero(*slope)) continue;
      if (parts[k].factor) piece.erase(parts[k].set.column->column);
      add_to(piece, parts[k].set.column->column, slope);
      f.pieces.push_back(std::move(piece));
    }
    for (const auto& other : others) {
      Gradient piece = base;
      for (const auto& [column, bound] : other) add_to(piece, column, product_of({bound, unfiltered_value}));
      f.pieces.push_back(std::move(piece));
    }
  }
  for (const auto& part : parts) f.derivation.children.push_back({"set of one column", describe(part), {}});
  for (const auto& derivation : filter.derivations) f.derivation.children.push_back(derivation);
  f.derivation.bound = "|f| <= " + to_string(*f.value);
  return f;
}

}  // namespace

Result<RowFunction> summand(const ExprPtr& value, const SoftFilter& filter, const Differentiator& differentiator) {
  std::vector<ExprPtr> factors;
  if (value) flatten_product(value, factors);
  std::vector<Part> parts;
  for (const auto& set : filter.sets) {
    TACIT_TRY(Part part, make_part(set, take_factor(factors, *set.column), differentiator));
    parts.push_back(std::move(part));
  }
  RowFunction rest{constant_bound(1.0), {}, {"constant", "1", {}}};
  bool first = true;
  const bool folded = std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.factor != nullptr; });
  if (!folded && value) {
    TACIT_TRY(rest, differentiator.derive(value));
  } else {
    for (const auto& factor : factors) {
      TACIT_TRY(RowFunction f, differentiator.derive(factor));
      rest = first ? std::move(f) : multiplied(std::move(rest), std::move(f));
      first = false;
    }
  }
  return combine(rest, parts, filter);
}

}  // namespace tacit
