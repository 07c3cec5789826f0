#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {

Result<RowFunction> derive_logarithm(const ExprPtr& call, const Differentiator& differentiator) {
  const ExprPtr& t = std::get<Call>(call->node).args[0];
  const auto least = stated_lower_end(t->range);
  if (!least || *least <= 0.0) {
    return refuse("the logarithm of a private number needs a number that stays above zero",
                  "ask the owner to declare a min above 0, or write ln(LEAST(GREATEST(x, 1), 100))", call->position);
  }
  TACIT_TRY(const RowFunction base, differentiator.derive(t));
  RowFunction f{nullptr, {}, {"logarithm", fmt::format("slope at most 1/{}", *least), {base.derivation}}};
  chain_slopes(base, constant_bound((1.0 + 1e-12) / *least), f);
  const auto most = stated_upper_end(t->range);
  if (most) {
    f.value = constant_bound(std::max(std::fabs(std::log(*least)), std::fabs(std::log(*most))) * (1.0 + 1e-12));
  } else {
    f.value = lipschitz_value(call, f.pieces, differentiator.columns());
    // |ln t| <= |ln least| + t / least for t >= least.
    if (!f.value) {
      f.value = sum_of({constant_bound(std::fabs(std::log(*least)) * (1.0 + 1e-12)), scaled(1.0 / *least, base.value)});
    }
  }
  return f;
}

RoundingError rounding_of_logarithm(const Expr& call, std::span<const RoundingError> of_args) {
  const RoundingError& error = of_args[0];
  const double least = magnitudes(std::get<Call>(call.node).args[0]->range).least;
  if (error.relative > 0x1p-20 || (error.absolute > 0.0 && error.absolute > least * 0x1p-20)) {
    return RoundingError::unknown();
  }
  const double of_argument = error.relative + (error.absolute > 0.0 ? error.absolute / least : 0.0);
  return {of_argument * rounding_slack, library_rounding};
}

}  // namespace tacit
