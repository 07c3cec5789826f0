#include "sensitivity/metric/derivative/soft_comparison.hpp"

#include <cmath>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/column_set.hpp"
#include "sensitivity/metric/derivative/constant_comparison.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/rules.hpp"
#include "sql/functions/soft_comparison.hpp"

namespace tacit {
namespace {

using Kind = SoftComparison::Kind;

std::optional<Kind> kind_of(Meaning relation) {
  switch (relation) {
    case Meaning::greater:
    case Meaning::at_least: return Kind::above;
    case Meaning::less:
    case Meaning::at_most: return Kind::below;
    case Meaning::equal: return Kind::equal;
    case Meaning::different: return Kind::different;
    default: return std::nullopt;
  }
}

ExprPtr stored_number(const SoftComparison& comparison) {
  // An owning pointer of the scan's column: expressions share it.
  return make_column(std::shared_ptr<const Column>(std::shared_ptr<const Column>{}, comparison.column->column), 0);
}

// How far x lies beyond the center; `down`: below it. A difference of doubles within 1e300 does not overflow.
BoundPtr soft_bound(const SoftComparison& comparison, SoftShape::Of of, bool down = false) {
  constexpr double farthest = 3e300;
  ExprPtr position = position_of(*comparison.column);
  TACIT_CHECK(position, "a column of doubles that is measured as it is has a position");
  const ExprPtr center = make_literal(comparison.center, SqlType::real(), 0);
  std::vector<ExprPtr> sides = down ? std::vector{center, position} : std::vector{position, center};
  ExprPtr distance =
      make_call(subtract_rule, std::move(sides), SqlType::real(), RealRange{{-farthest, false}, {farthest, false}}, 0);
  const SoftShape shape{of, comparison.precision()};
  return leaf_bound({shape, std::move(distance), {{comparison.column->column, 1.0}}, shape.supremum(), nullptr});
}

}  // namespace

SoftComparison SoftComparison::negated() const {
  SoftComparison other = *this;
  switch (kind) {
    case Kind::above: other.kind = Kind::below; break;
    case Kind::below: other.kind = Kind::above; break;
    case Kind::equal: other.kind = Kind::different; break;
    case Kind::different: other.kind = Kind::equal; break;
  }
  return other;
}

std::optional<SoftComparison> soft_comparison(const Expr& predicate, const Differentiator& differentiator) {
  constexpr double largest_center = 1e100;
  const auto* call = std::get_if<Call>(&predicate.node);
  const auto found = call ? constant_comparison(*call, differentiator) : std::nullopt;
  if (!found || !found->column->precision) return std::nullopt;
  const auto kind = kind_of(found->relation);
  const double center = to_double(found->value);
  if (!kind || !(std::fabs(center) <= largest_center)) return std::nullopt;
  return SoftComparison{*kind, found->column, center};
}

Result<ExprPtr> number_of(const SoftComparison& comparison) {
  const double a = comparison.precision();
  switch (comparison.kind) {
    case Kind::above: return sigmoid_of(stored_number(comparison), comparison.center, a);
    case Kind::below: return sigmoid_of(stored_number(comparison), comparison.center, -a);
    case Kind::equal: return sech_of(stored_number(comparison), comparison.center, a);
    case Kind::different: break;
  }
  // The position is NULL for NaN too.
  TACIT_TRY(ExprPtr is_number, bind_call("is not null", {position_of(*comparison.column)}, 0));
  const ExprPtr one = make_literal(1.0, SqlType::real(), 0);
  ExprPtr equal = sech_of(stored_number(comparison), comparison.center, a);
  ExprPtr other =
      make_call(subtract_rule, {one, std::move(equal)}, SqlType::real(), RealRange{{0.0, true}, {1.0, true}}, 0);
  return bind_call("case", {std::move(is_number), std::move(other), make_literal(0.0, SqlType::real(), 0)}, 0);
}

BoundPtr value_bound(const SoftComparison& comparison) {
  switch (comparison.kind) {
    case Kind::above: return soft_bound(comparison, SoftShape::Of::sigmoid);
    case Kind::below: return soft_bound(comparison, SoftShape::Of::sigmoid, true);
    case Kind::equal: return soft_bound(comparison, SoftShape::Of::sech);
    case Kind::different: break;
  }
  return constant_bound(1.0);
}

BoundPtr slope_bound(const SoftComparison& comparison) {
  const bool of_order = comparison.kind == Kind::above || comparison.kind == Kind::below;
  return soft_bound(comparison, of_order ? SoftShape::Of::sigmoid_slope : SoftShape::Of::sech_slope);
}

}  // namespace tacit
