#include <cmath>

#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {

RowFunction multiplied(RowFunction a, RowFunction b) {
  RowFunction f{product_of({a.value, b.value}), {}, {"product", "", {}}};
  f.derivation.children.push_back(std::move(a.derivation));
  f.derivation.children.push_back(std::move(b.derivation));
  const auto times = [](const Gradient& gradient, const BoundPtr& value, Gradient& into) {
    for (const auto& [column, bound] : gradient) {
      const BoundPtr term = product_of({value, bound});
      const auto found = into.find(column);
      into[column] = found == into.end() ? term : sum_of({found->second, term});
    }
  };
  const auto product_rule = [&](const Gradient& from_a, const Gradient& from_b) {
    Gradient piece;
    times(from_a, b.value, piece);
    times(from_b, a.value, piece);
    return piece;
  };
  f.joint = product_rule(joint_of(a), joint_of(b));
  auto left = a.pieces;
  auto right = b.pieces;
  if (left.size() * right.size() > most_pieces) {
    left = {joint_of(a)};
    right = {joint_of(b)};
  }
  if (left.empty()) left.emplace_back();
  if (right.empty()) right.emplace_back();
  for (const auto& from_left : left) {
    for (const auto& from_right : right) {
      Gradient piece = product_rule(from_left, from_right);
      if (!piece.empty()) f.pieces.push_back(std::move(piece));
    }
  }
  keep_few_pieces(f);
  f.derivation.bound = "|f| <= " + to_string(*f.value) + "; each slope times the other's bound, added";
  return f;
}

Result<RowFunction> derive_product(const ExprPtr& call, const Differentiator& differentiator) {
  const auto& args = std::get<Call>(call->node).args;
  TACIT_TRY(RowFunction a, differentiator.derive(args[0]));
  TACIT_TRY(RowFunction b, differentiator.derive(args[1]));
  RowFunction f = multiplied(std::move(a), std::move(b));
  BoundPtr lipschitz = lipschitz_value(call, f.pieces, differentiator.columns());
  if (lipschitz) f.value = std::move(lipschitz);
  return f;
}

RoundingError rounding_of_product(const Expr& call, std::span<const RoundingError> of_args) {
  const auto& args = std::get<Call>(call.node).args;
  const auto& [a, b] = std::pair(of_args[0], of_args[1]);
  const double absolute = finite_product(a.absolute, magnitudes(args[1]->range).most) +
                          finite_product(b.absolute, magnitudes(args[0]->range).most) +
                          finite_product(a.absolute, b.absolute);
  return {absolute * rounding_slack, (a.relative + b.relative + unit_rounding) * rounding_slack};
}

}  // namespace tacit
