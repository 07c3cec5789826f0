#include <cmath>

#include "sensitivity/derivative/rules/rules.hpp"

namespace tacit {

RowFunction multiplied(const RowFunction& a, const RowFunction& b) {
  RowFunction f{product_of({a.value, b.value}), {}, {"product", "", {a.derivation, b.derivation}}};
  const auto times = [](const Gradient& gradient, const BoundPtr& value, Gradient& into) {
    for (const auto& [column, bound] : gradient) {
      const BoundPtr term = product_of({value, bound});
      const auto found = into.find(column);
      into[column] = found == into.end() ? term : sum_of({found->second, term});
    }
  };
  auto left = a.pieces;
  auto right = b.pieces;
  if (left.size() * right.size() > most_pieces) {
    left = {joint_gradient(left)};
    right = {joint_gradient(right)};
  }
  if (left.empty()) left.emplace_back();
  if (right.empty()) right.emplace_back();
  for (const auto& from_left : left) {
    for (const auto& from_right : right) {
      Gradient piece;
      times(from_left, b.value, piece);
      times(from_right, a.value, piece);
      if (!piece.empty()) f.pieces.push_back(std::move(piece));
    }
  }
  f.derivation.bound = "|f| <= " + to_string(*f.value) + "; each slope times the other's bound, added";
  return f;
}

Result<RowFunction> derive_product(const ExprPtr& call, const Differentiator& differentiator) {
  const auto& args = std::get<Call>(call->node).args;
  TACIT_TRY(const RowFunction a, differentiator.derive(args[0]));
  TACIT_TRY(const RowFunction b, differentiator.derive(args[1]));
  RowFunction f = multiplied(a, b);
  BoundPtr lipschitz = lipschitz_value(call, f.pieces, differentiator.columns());
  if (lipschitz) f.value = std::move(lipschitz);
  return f;
}

}  // namespace tacit
