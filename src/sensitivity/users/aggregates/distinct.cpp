#include <algorithm>

#include "sensitivity/users/aggregates/count.hpp"
#include "sensitivity/users/user_statistics.hpp"

namespace tacit {
namespace {

Result<BoundedUserAggregate> bound_distinct(UserBounding& bounding) {
  const RowLimits& limits = bounding.rows().limits;
  bounding.value().kind = UserValue::Kind::distinct;
  UserBounds bounds{0, 1};
  std::string why = bounding.why_one_row();
  if (bounding.rows().one_row && !bounding.source().written) bounding.aggregate().facts = bounds;
  if (bounding.source().written) {
    TACIT_TRY(bounds, bounding.written(most_counted));
    if (bounds.lo != 0 || bounds.hi < 1) {
      return refuse("COUNT(DISTINCT x) keeps from 0 to some number of each person's values",
                    "write contribution_bounds_per_group => (0, 5)", bounding.source().written->low->position);
    }
    why = as_written;
  } else if (!bounding.rows().one_row) {
    const auto limit = limits.per_group ? limits.per_group : limits.in_all;
    if (!limit) {
      return refuse("COUNT(DISTINCT x) needs to know how many values of one person count",
                    "write COUNT(DISTINCT x, contribution_bounds_per_group => (0, 5)), or give max_rows_contributed",
                    bounding.source().position);
    }
    bounds.hi = std::min<Int128>(*limit, most_counted);
    why = limits.per_group ? "max_rows_per_group" : "max_rows";
  }
  bounding.value().most = bounds.hi;
  if (!bounding.rows().row_is_user) why += "; a keyed hash chooses which are kept";
  return bounding.bounded(bounds, "which different values they have", why);
}

class DistinctStatistic final : public UserStatistic {
 public:
  const char* name() const override { return "distinct"; }
  bool answers(AggregateKind kind) const override { return kind == AggregateKind::count_distinct; }
  Result<BoundedUserAggregate> bound(UserBounding& bounding) const override {
    switch (bounding.owner()) {
      case OwnerArgument::none: return bound_distinct(bounding);
      case OwnerArgument::owner: return bound_presence(bounding);
      case OwnerArgument::owner_or_null: break;
    }
    return bound_people_with_rows(bounding);
  }
  std::vector<UserCell> cells() const override { return {}; }
  UserBins bins() const override { return UserBins::of_kept_values; }
  int epsilon_parts() const override { return 1; }
  bool adds_up() const override { return true; }
  // Values that two groups share would count twice.
  bool joins_groups() const override { return false; }
  const char* differs_from_sql() const override { return "of each person only some values count"; }

 private:
  std::vector<Int128> sensitivities_within(const UserBounds& bounds) const override { return {bounds.hi}; }
};

}  // namespace

const UserStatistic& distinct_statistic() {
  static const DistinctStatistic statistic;
  return statistic;
}

}  // namespace tacit
