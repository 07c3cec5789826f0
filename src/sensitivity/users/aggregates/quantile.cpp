#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/users/aggregates/mean.hpp"
#include "sensitivity/users/user_grid.hpp"
#include "sensitivity/users/user_statistics.hpp"

namespace tacit {
namespace {

double fraction_of(const Aggregate& aggregate) {
  if (aggregate.kind == AggregateKind::minimum) return 0.0;
  return aggregate.kind == AggregateKind::maximum ? 1.0 : aggregate.fraction;
}

Result<BoundedUserAggregate> bound_quantile(UserBounding& bounding) {
  UserValue& value = bounding.value();
  const Aggregate& source = bounding.source();
  value.kind = UserValue::Kind::quantile;
  value.fraction = fraction_of(source);
  const auto stated = stated_ends(bounding.argument());
  if (!source.written && !stated) {
    return refuse(fmt::format("{} needs bounds: it is looked for between them", name_of(source.kind)),
                  "declare min and max for the column in the policy, or write them as "
                  "contribution_bounds_per_group => (0, 100)",
                  source.position);
  }
  double farther = stated ? std::max(std::fabs(stated->lo), std::fabs(stated->hi)) : 0.0;
  if (source.written) {
    TACIT_TRY(farther, bounding.written_magnitude());
  }
  value.grid = binary_grid(farther, 40);
  const Int128 limit = largest_steps(value.grid);
  const UserBounds row = row_limits(bounding.argument(), value.grid, limit);
  value.least = row.lo;
  value.most = row.hi;
  const char* said = "that quantile of their own rows";
  if (source.written) {
    TACIT_TRY(const UserBounds bounds, bounding.written(limit));
    return bounding.bounded(bounds, said, as_written);
  }
  const UserBounds bounds = *stated_steps(bounding.argument(), value.grid);
  if (bounding.rows().one_row) bounding.aggregate().facts = bounds;
  return bounding.bounded(bounds, said, "the argument's declared bounds");
}

// Released as one choice by rank (mechanism/users/rank_weights.hpp) and the people in rings around it
// (mechanism/users/rank_interval.md), whose shares are in quantile_shares.
class QuantileStatistic final : public UserStatistic {
 public:
  const char* name() const override { return "quantile"; }
  bool answers(AggregateKind kind) const override {
    return kind == AggregateKind::quantile || kind == AggregateKind::minimum || kind == AggregateKind::maximum;
  }
  Result<BoundedUserAggregate> bound(UserBounding& bounding) const override { return bound_quantile(bounding); }
  std::vector<UserCell> cells() const override { return {}; }
  UserBins bins() const override { return UserBins::of_leaves; }
  int epsilon_parts() const override { return 1; }
  bool adds_up() const override { return false; }
  bool chosen_by_rank() const override { return true; }
  const char* differs_from_sql() const override { return about_people; }

 private:
  std::vector<Int128> sensitivities_within(const UserBounds&) const override { return {1}; }
};

}  // namespace

const UserStatistic& quantile_statistic() {
  static const QuantileStatistic statistic;
  return statistic;
}

}  // namespace tacit
