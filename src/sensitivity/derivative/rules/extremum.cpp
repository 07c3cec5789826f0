#include "sensitivity/derivative/rules/rules.hpp"

namespace tacit {

Result<RowFunction> derive_extremum(const ExprPtr& call, const Differentiator& differentiator) {
  RowFunction f{nullptr, {}, {"least or greatest", "at every point one argument's slope", {}}};
  std::vector<BoundPtr> values;
  for (const auto& arg : std::get<Call>(call->node).args) {
    TACIT_TRY(RowFunction part, differentiator.derive(arg));
    values.push_back(part.value);
    f.derivation.children.push_back(part.derivation);
    for (auto& piece : part.pieces) f.pieces.push_back(std::move(piece));
  }
  if (f.pieces.size() > most_pieces) f.pieces = {joint_gradient(f.pieces)};
  f.value = lipschitz_value(call, f.pieces, differentiator.columns());
  if (!f.value) f.value = max_of(std::move(values));
  return f;
}

}  // namespace tacit
