#include "sensitivity/users/aggregates/mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/users/user_grid.hpp"
#include "sensitivity/users/user_statistics.hpp"

namespace tacit {

Result<BoundedUserAggregate> bound_mean(UserBounding& bounding) {
  UserValue& value = bounding.value();
  const Expr& averaged = bounding.argument();
  const bool squares = has_cell(*bounding.aggregate().statistic, UserCell::squares);
  value.kind = UserValue::Kind::mean;
  if (averaged.type.kind == TypeKind::decimal && averaged.type.scale > 18) {
    return refuse(fmt::format("{} of a number with more than 18 decimal places cannot be computed exactly",
                              name_of(bounding.source().kind)),
                  "CAST it to fewer decimal places", bounding.source().position);
  }
  const auto stated = stated_ends(averaged);
  const double stated_magnitude = stated ? std::max(std::fabs(stated->lo), std::fabs(stated->hi)) : 0.0;
  if (bounding.source().written) {
    TACIT_TRY(const double farther, bounding.written_magnitude());
    // Squares leave less room: some of it is for rows beyond the bounds, whose mean may be within.
    const bool within = stated && stated_magnitude <= farther;
    value.grid = binary_grid(farther, !squares ? 40 : within ? 29 : 20);
  } else if (stated) {
    value.grid = binary_grid(stated_magnitude, squares ? 29 : 40);
  } else {
    value.grid = squares ? inferred_square_grid(averaged.type) : inferred_grid(averaged);
  }
  const Int128 limit = squares ? largest_squared_steps : largest_steps(value.grid);
  const UserBounds row = row_limits(averaged, value.grid, limit);
  value.least = row.lo;
  value.most = row.hi;
  const char* said = "the mean of their rows";
  if (bounding.source().written) {
    TACIT_TRY(const UserBounds bounds, bounding.written(limit));
    return bounding.bounded(bounds, said, as_written);
  }
  if (!stated) return bounding.infer(said);
  const UserBounds bounds = *stated_steps(averaged, value.grid);
  if (bounding.rows().one_row) bounding.aggregate().facts = bounds;
  return bounding.bounded(bounds, said, "the argument's declared bounds");
}

namespace {

// Released as sum of (x - lo) and sum of (hi - x), which a user moves by hi - lo together.
class MeanStatistic final : public UserStatistic {
 public:
  const char* name() const override { return "mean"; }
  bool answers(AggregateKind kind) const override { return kind == AggregateKind::average; }
  Result<BoundedUserAggregate> bound(UserBounding& bounding) const override { return bound_mean(bounding); }
  std::vector<UserCell> cells() const override { return {UserCell::users, UserCell::sum}; }
  int epsilon_parts() const override { return 1; }
  bool adds_up() const override { return false; }
  const char* differs_from_sql() const override { return about_people; }

 private:
  std::vector<Int128> sensitivities_within(const UserBounds& bounds) const override {
    return {bounds.hi - bounds.lo, bounds.hi - bounds.lo};
  }
};

}  // namespace

const UserStatistic& mean_statistic() {
  static const MeanStatistic statistic;
  return statistic;
}

}  // namespace tacit
