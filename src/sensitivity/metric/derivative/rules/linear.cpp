#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

BoundPtr value_or(const ExprPtr& call, const std::vector<Gradient>& pieces, const Differentiator& differentiator,
                  BoundPtr otherwise) {
  BoundPtr lipschitz = lipschitz_value(call, pieces, differentiator.columns());
  if (lipschitz) return lipschitz;
  const double cap = stated_magnitude(call->range);
  // A constant is as good as a sum that is not smaller.
  if (std::isfinite(cap) && cap <= otherwise->supremum) return constant_bound(cap);
  return otherwise;
}

double distance_from_zero(const Range& range) {
  const auto distance = [](double lo, double hi) { return std::max({lo, -hi, 0.0}); };
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return distance(to_double(exact->lo.value), to_double(exact->hi.value));
  }
  const auto* real = std::get_if<RealRange>(&range);
  return real ? distance(real->lo.value, real->hi.value) : 0.0;
}

bool contains_zero(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return exact->lo.value <= Decimal{0, 0} && Decimal{0, 0} <= exact->hi.value;
  }
  const auto* real = std::get_if<RealRange>(&range);
  return real && real->lo.value <= 0.0 && 0.0 <= real->hi.value;
}

bool is_clamped_column(const Expr& clamp) {
  return std::holds_alternative<ColumnRef>(std::get<Call>(clamp.node).args[0]->node);
}

Result<RowFunction> derive_linear(const ExprPtr& call, const Differentiator& differentiator, std::string rule) {
  std::vector<RowFunction> terms;
  std::vector<BoundPtr> values;
  Derivation derivation{std::move(rule), "", {}};
  for (const auto& arg : std::get<Call>(call->node).args) {
    TACIT_TRY(RowFunction term, differentiator.derive(arg));
    values.push_back(term.value);
    derivation.children.push_back(std::move(term.derivation));
    terms.push_back(std::move(term));
  }
  auto [pieces, joint] = added_pieces(terms, std::vector<double>(terms.size(), 1.0));
  RowFunction f{nullptr, std::move(pieces), std::move(derivation), std::move(joint)};
  keep_few_pieces(f);
  f.value = value_or(call, f.pieces, differentiator, sum_of(std::move(values)));
  f.derivation.bound = "|f| <= " + to_string(*f.value);
  return f;
}

}  // namespace

AddedPieces added_pieces(const std::vector<RowFunction>& terms, const std::vector<double>& weights) {
  std::vector<Gradient> sums{{}};
  Gradient joint;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].is_public()) continue;
    const auto add = [weight = std::fabs(weights[i])](Gradient& sum, const Gradient& piece) {
      for (const auto& [column, bound] : piece) {
        const BoundPtr weighted = scaled(weight, bound);
        const auto found = sum.find(column);
        sum[column] = found == sum.end() ? weighted : sum_of({found->second, weighted});
      }
    };
    const Gradient of_term = joint_of(terms[i]);
    auto pieces = terms[i].pieces;
    if (sums.size() * pieces.size() > most_pieces) pieces = {of_term};
    if (sums.size() * pieces.size() > most_pieces) sums = {joint};
    add(joint, of_term);
    std::vector<Gradient> next;
    for (const auto& sum : sums) {
      for (const auto& piece : pieces) {
        count_work(4 * sum.size());
        next.push_back(sum);
        add(next.back(), piece);
      }
    }
    sums = std::move(next);
  }
  if (sums.size() == 1 && sums[0].empty()) sums.clear();
  return {std::move(sums), std::move(joint)};
}

void chain_slopes(const RowFunction& inner, const BoundPtr& slope, RowFunction& outer) {
  const auto chained = [&](const Gradient& piece) {
    Gradient gradient;
    for (const auto& [column, bound] : piece) gradient[column] = product_of({slope, bound});
    return gradient;
  };
  for (const auto& piece : inner.pieces) outer.pieces.push_back(chained(piece));
  outer.joint = chained(inner.joint);
}

Result<RowFunction> derive_sum(const ExprPtr& call, const Differentiator& differentiator) {
  return derive_linear(call, differentiator, "sum");
}

Result<RowFunction> derive_difference(const ExprPtr& call, const Differentiator& differentiator) {
  return derive_linear(call, differentiator, "difference");
}

Result<RowFunction> derive_same_slope(const ExprPtr& call, const Differentiator& differentiator) {
  const auto& node = std::get<Call>(call->node);
  TACIT_TRY(RowFunction f, differentiator.derive(node.args[0]));
  // A clamp to a range without 0 lifts small numbers to its nearer end.
  BoundPtr otherwise = sum_of({f.value, constant_bound(distance_from_zero(call->range))});
  f.value = value_or(call, f.pieces, differentiator, std::move(otherwise));
  f.derivation = {std::string(node.rule->name), "never steeper than its argument", {std::move(f.derivation)}};
  return f;
}

Result<RowFunction> derive_clamp(const ExprPtr& call, const Differentiator& differentiator) {
  return is_clamped_column(*call) ? derive_column(call, differentiator) : derive_same_slope(call, differentiator);
}

// The rule of a column counts 0 among a discrete column's values.
bool clamp_keeps_zero(const Expr& call, std::size_t /*argument*/) {
  return contains_zero(call.range) || is_clamped_column(call);
}

RoundingError rounding_of_sum(const Expr& call, std::span<const RoundingError> of_args) {
  const auto& args = std::get<Call>(call.node).args;
  const bool may_cancel = !magnitudes(args[0]->range).never_negative || !magnitudes(args[1]->range).never_negative;
  if (may_cancel) return rounding_of_difference(call, of_args);
  return {(of_args[0].absolute + of_args[1].absolute) * rounding_slack,
          (std::max(of_args[0].relative, of_args[1].relative) + unit_rounding) * rounding_slack};
}

RoundingError rounding_of_difference(const Expr& call, std::span<const RoundingError> of_args) {
  const auto& args = std::get<Call>(call.node).args;
  const double from_parts = of_args[0].over(args[0]->range) + of_args[1].over(args[1]->range);
  return {from_parts * rounding_slack, unit_rounding * rounding_slack};
}

RoundingError rounding_of_conversion(const Expr& call, std::span<const RoundingError> /*of_args*/) {
  const Expr& exact = *std::get<Call>(call.node).args[0];
  const bool is_whole = exact.type.kind == TypeKind::integer && magnitudes(exact.range).most <= 0x1p53;
  return {0.0, is_whole ? 0.0 : library_rounding};
}

}  // namespace tacit
