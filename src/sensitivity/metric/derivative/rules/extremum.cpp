#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {

Result<RowFunction> derive_extremum(const ExprPtr& call, const Differentiator& differentiator) {
  RowFunction f{nullptr, {}, {"least or greatest", "at every point one argument's slope", {}}};
  std::vector<BoundPtr> values;
  std::vector<Gradient> joints;
  for (const auto& arg : std::get<Call>(call->node).args) {
    TACIT_TRY(RowFunction part, differentiator.derive(arg));
    values.push_back(part.value);
    f.derivation.children.push_back(std::move(part.derivation));
    joints.push_back(joint_of(part));
    for (auto& piece : part.pieces) f.pieces.push_back(std::move(piece));
  }
  f.joint = joint_gradient(joints);
  keep_few_pieces(f);
  f.value = lipschitz_value(call, f.pieces, differentiator.columns());
  if (!f.value) f.value = max_of(std::move(values));
  return f;
}

}  // namespace tacit
