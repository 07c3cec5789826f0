#include <fmt/format.h>

#include <cmath>

#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {

Result<RowFunction> derive_exponential(const ExprPtr& call, const Differentiator& differentiator) {
  const ExprPtr& t = std::get<Call>(call->node).args[0];
  const auto most = stated_upper_end(t->range);
  // SQL gives NULL above 690.
  if (!most || *most > 690.0) {
    return refuse("exp of a private number needs an upper bound on it",
                  "ask the owner to declare max, or write exp(LEAST(x, 10))", call->position);
  }
  const double top = std::exp(*most) * (1.0 + 1e-12);
  TACIT_TRY(const RowFunction base, differentiator.derive(t));
  RowFunction f{
      constant_bound(top), {}, {"exponential", fmt::format("value and slope at most {}", top), {base.derivation}}};
  chain_slopes(base, constant_bound(top), f);
  return f;
}

RoundingError rounding_of_exponential(const Expr& call, std::span<const RoundingError> of_args) {
  const Expr& t = *std::get<Call>(call.node).args[0];
  const double of_argument = of_args[0].over(t.range);
  if (of_argument > 0x1p-20) return RoundingError::unknown();
  // What lies below e^-700 is 0 (functions/exp.cpp).
  const auto* range = std::get_if<RealRange>(&t.range);
  const double cut_off = range && range->lo.value < -699.0 ? 1e-303 : 0.0;
  return {cut_off, (of_argument + library_rounding) * rounding_slack};
}

}  // namespace tacit
