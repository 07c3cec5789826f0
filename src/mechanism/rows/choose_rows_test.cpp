#include "mechanism/rows/choose_rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "mechanism/geometric.hpp"
#include "mechanism/laplace.hpp"
#include "mechanism/share_down.hpp"

namespace tacit {
namespace {

AnalyzedQuery query_with(std::vector<std::pair<AggregateKind, Int128>> aggregates) {
  AnalyzedQuery analyzed;
  RowsAnalysis rows;
  for (const auto& [kind, sensitivity] : aggregates) {
    analyzed.query.aggregates.push_back({kind, nullptr, 0});
    rows.aggregates.push_back({{Grid::Base::decimal, 0}, 0, sensitivity, sensitivity});
  }
  analyzed.model = std::move(rows);
  return analyzed;
}

TEST(ChooseMechanism, CellsFollowEachOtherAndAveragesTakeTwo) {
  const auto plan = choose_rows_mechanism(
      query_with({{AggregateKind::sum, 7}, {AggregateKind::average, 10}, {AggregateKind::count_rows, 1}}),
      Epsilon(1.0));
  ASSERT_EQ(plan_of<RowsPlan>(plan).aggregates.size(), 3U);
  EXPECT_EQ(plan_of<RowsPlan>(plan).aggregates[0].first_cell, 0U);
  EXPECT_EQ(plan_of<RowsPlan>(plan).aggregates[1].first_cell, 1U);
  EXPECT_EQ(plan_of<RowsPlan>(plan).aggregates[1].cells, 2U);
  EXPECT_EQ(plan_of<RowsPlan>(plan).aggregates[2].first_cell, 3U);
  EXPECT_EQ(plan.alternatives.size(), 3U);
  EXPECT_EQ(plan.delta.value(), 0.0);
}

// Exact standard deviations in grid units: 2 r / (1 - r)^2 for the geometric law; for Laplace rounded to integers
// P(0) = 1 - e^(-1/2b), P(k) = sinh(1/2b) e^(-k/b), summed in closed form.
double geometric_variance(double b) {
  const double r = std::exp(-1.0 / b);
  return 2.0 * r / std::pow(-std::expm1(-1.0 / b), 2);
}
double rounded_laplace_variance(double b) {
  const double r = std::exp(-1.0 / b);
  const double below_one = -std::expm1(-1.0 / b);
  return 2.0 * std::sinh(0.5 / b) * r * (1.0 + r) / std::pow(below_one, 3);
}

RC_GTEST_PROP(ChooseMechanism, TheChosenLawHasTheLeastError, ()) {
  const auto sensitivity = *rc::gen::inRange<long long>(1, 10'000);
  const double epsilon = std::ldexp(static_cast<double>(*rc::gen::inRange(1, 4096)), -10);
  const auto plan = choose_rows_mechanism(query_with({{AggregateKind::sum, sensitivity}}), Epsilon(epsilon));
  const double b = static_cast<double>(sensitivity) / epsilon;
  const double geometric = geometric_variance(b);
  const double laplace = rounded_laplace_variance(b);
  RC_ASSERT(geometric <= laplace * (1.0 + 1e-9));
  const double chosen = plan_of<RowsPlan>(plan).aggregates[0].law == NoiseLaw::geometric ? geometric : laplace;
  RC_ASSERT(chosen <= std::min(geometric, laplace) * (1.0 + 1e-6));
}

TEST(ChooseMechanism, CountsGetGeometricNoiseAndWideSumsLaplace) {
  const auto plan = choose_rows_mechanism(query_with({{AggregateKind::count_rows, 1}, {AggregateKind::sum, 1'000'000}}),
                                          Epsilon(1.0));
  EXPECT_EQ(plan_of<RowsPlan>(plan).aggregates[0].law, NoiseLaw::geometric);
  EXPECT_EQ(plan_of<RowsPlan>(plan).aggregates[1].law, NoiseLaw::laplace);
}

RC_GTEST_PROP(ShareDown, SharesNeverAddUpToMore, ()) {
  const auto parts = *rc::gen::inRange<std::size_t>(1, 1000);
  const double total =
      std::ldexp(static_cast<double>(*rc::gen::inRange<long long>(1, 1LL << 53)), *rc::gen::inRange(-80, 4));
  const double share = share_down(Epsilon(total), parts).value();
  // Exact: a 53-bit by 10-bit product fits a long double's 64 bits.
  RC_ASSERT(static_cast<long double>(parts) * static_cast<long double>(share) <= static_cast<long double>(total));
  RC_ASSERT(static_cast<long double>(parts) * static_cast<long double>(std::nextafter(share, 1e300)) >
            static_cast<long double>(total) * (1.0L - 1e-15L));
}

}  // namespace
}  // namespace tacit
