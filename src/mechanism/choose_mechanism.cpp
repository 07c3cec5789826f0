#include "mechanism/choose_mechanism.hpp"

#include <cmath>

#include "base/check.hpp"
#include "mechanism/geometric.hpp"
#include "mechanism/laplace.hpp"

namespace tacit {
namespace {

constexpr double interval_coverage = 0.95;
// Between these scales, in grid units, the laws' errors agree to six digits and Laplace is faster
// (choose_mechanism.md).
constexpr double least_laplace_scale = 1e3;
constexpr double largest_laplace_scale = 1e10;

Int128 half_width(NoiseLaw law, Epsilon epsilon, Int128 sensitivity, double coverage) {
  switch (law) {
    case NoiseLaw::geometric: return geometric_half_width(epsilon, sensitivity, coverage);
    case NoiseLaw::laplace: return laplace_half_width(epsilon, sensitivity, coverage);
    default: break;
  }
  TACIT_CHECK(false, "the rows model adds geometric or Laplace noise");
}

double in_answer_units(Int128 units, const Grid& grid) {
  const auto count = static_cast<double>(units);
  return grid.base == Grid::Base::decimal ? count / std::pow(10.0, grid.exponent) : std::ldexp(count, -grid.exponent);
}

Alternative other_law(NoiseLaw chosen, Epsilon epsilon, const AnalyzedAggregate& bound) {
  const NoiseLaw other = chosen == NoiseLaw::geometric ? NoiseLaw::laplace : NoiseLaw::geometric;
  const Int128 width = half_width(other, epsilon, bound.l1_sensitivity, interval_coverage);
  return {name_of(other), in_answer_units(width, bound.grid),
          other == NoiseLaw::laplace ? "its error is never smaller, and at this scale it is not faster to sample"
                                     : "its error is the same at this scale, and it is slower to sample"};
}

}  // namespace

const char* name_of(NoiseLaw law) {
  switch (law) {
    case NoiseLaw::geometric: return "geometric";
    case NoiseLaw::laplace: return "laplace";
    case NoiseLaw::power_laplace: return "power-laplace";
    case NoiseLaw::gen_cauchy: return "generalized-cauchy";
    case NoiseLaw::student_t: return "student-t";
    case NoiseLaw::gaussian: return "gaussian";
    case NoiseLaw::exponential: return "exponential";
    case NoiseLaw::laplace_delta: return "laplace-delta";
  }
  TACIT_CHECK(false, "every noise law has a name");
}

MechanismPlan choose_mechanism(AnalyzedQuery analyzed, Epsilon epsilon) {
  MechanismPlan plan;
  plan.epsilon = epsilon;
  const Epsilon share = share_down(epsilon, analyzed.aggregates.size());
  std::size_t next_cell = 0;
  for (std::size_t i = 0; i < analyzed.aggregates.size(); ++i) {
    const AnalyzedAggregate& bound = analyzed.aggregates[i];
    const bool average = analyzed.query.aggregates[i].kind == AggregateKind::average;
    const double scale = static_cast<double>(bound.l1_sensitivity) / share.value();
    const bool use_laplace = scale >= least_laplace_scale && scale <= largest_laplace_scale;
    plan.aggregates.push_back({.law = use_laplace ? NoiseLaw::laplace : NoiseLaw::geometric,
                               .epsilon = share,
                               .sensitivity_units = bound.l1_sensitivity,
                               .first_cell = next_cell,
                               .cells = average ? 2U : 1U});
    next_cell += plan.aggregates.back().cells;
    plan.alternatives.push_back(other_law(plan.aggregates.back().law, share, bound));
  }
  plan.analyzed = std::move(analyzed);
  return plan;
}

Epsilon share_down(Epsilon total, std::size_t parts) {
  TACIT_CHECK(parts > 0, "epsilon is shared among at least one aggregate");
  const auto count = static_cast<double>(parts);
  double share = total.value() / count;
  // fma is exact up to one final rounding, so its sign is the sign of count * share - total.
  while (std::fma(count, share, -total.value()) > 0.0) share = std::nextafter(share, 0.0);
  return Epsilon(share);
}

double noise_quantile(const AggregatePlan& plan, double coverage) {
  return static_cast<double>(half_width(plan.law, plan.epsilon, plan.sensitivity_units, coverage));
}

}  // namespace tacit
