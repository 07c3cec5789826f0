#include "sensitivity/users/aggregates/bounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/users/user_grid.hpp"

namespace tacit {
namespace {

// Fewer steps than this are not worth a search for something smaller.
constexpr Int128 least_searched = 4;

}  // namespace

UserBounding::UserBounding(const UserStatistic& statistic, const Aggregate& aggregate, OwnerArgument owner,
                           const UserRows& rows)
    : source_(aggregate), owner_(owner), rows_(rows) {
  result_.aggregate.statistic = &statistic;
  result_.aggregate.value.argument = aggregate.unclamped ? aggregate.unclamped : aggregate.argument;
}

void UserBounding::describe(const std::string& value_is, std::string bounds_are) {
  result_.derivation = {fmt::format("bounds of {}", name_of(source_.kind)),
                        rows_.row_is_user ? std::string("each row counts once, with its own value")
                                          : fmt::format("each person says one number: {}", value_is),
                        {{"bounds", std::move(bounds_are), {}}}};
}

std::string UserBounding::interval(const UserBounds& bounds) const {
  const Grid& grid = result_.aggregate.value.grid;
  return fmt::format("between {} and {}", in_units(bounds.lo, grid), in_units(bounds.hi, grid));
}

const char* UserBounding::why_one_row() const {
  return rows_.row_is_user ? "a row counts once" : "an enforced key allows one row";
}

tl::unexpected<Failure> UserBounding::bad_bounds(std::string what) const {
  return refuse(std::move(what), "write two numbers, the lower one first: ANON_SUM(x, 0, 100)",
                source_.written ? source_.written->low->position : source_.position);
}

Status UserBounding::check_order() const {
  const auto low = point_of(*source_.written->low);
  const auto high = point_of(*source_.written->high);
  if (!low || !high) return bad_bounds("the bounds of an aggregate are numbers, known from the query text");
  if (*low > *high) return bad_bounds("the lower bound is above the upper one");
  return {};
}

Result<double> UserBounding::written_magnitude() const {
  TACIT_TRY_STATUS(check_order());
  return std::max(std::fabs(*point_of(*source_.written->low)), std::fabs(*point_of(*source_.written->high)));
}

Result<UserBounds> UserBounding::written(Int128 limit) {
  TACIT_TRY_STATUS(check_order());
  const auto lo = steps_down(*source_.written->low, value().grid);
  const auto hi = steps_up(*source_.written->high, value().grid);
  if (!lo || !hi || *lo < -limit || *hi > limit || *lo > *hi) {
    return bad_bounds("the bounds are too wide to be computed with exactly");
  }
  return UserBounds{*lo, *hi};
}

BoundedUserAggregate UserBounding::bounded(const UserBounds& bounds, const std::string& value_is,
                                           const std::string& why) {
  result_.aggregate.bounds = bounds;
  describe(value_is, fmt::format("{}: {}", interval(bounds), why));
  return std::move(result_);
}

BoundedUserAggregate UserBounding::bounded_total(const UserBounds& bounds, bool in_query, const std::string& value_is,
                                                 const std::string& why) {
  const Int128 largest = std::max(bounds.lo < 0 ? -bounds.lo : bounds.lo, bounds.hi < 0 ? -bounds.hi : bounds.hi);
  const bool counts_people = value().kind != UserValue::Kind::total && largest <= 1;
  const bool spread = rows_.several_groups && !(counts_people && rows_.private_keys);
  const bool searched = spread || (!in_query && largest >= least_searched);
  const bool race = rows_.inference == BoundsInference::race;
  if (rows_.groups_stated || !searched || race) return bounded(bounds, value_is, why);
  value().least = bounds.lo;
  value().most = bounds.hi;
  result_.aggregate.row_scale = std::max(largest, Int128{1});
  return over_all(value_is, fmt::format("in each group {}: {}", interval(bounds), why));
}

BoundedUserAggregate UserBounding::within_all(Int128 most, const std::string& value_is) {
  if (!rows_.several_groups) return bounded({value().least < 0 ? -most : 0, most}, value_is, "max_rows");
  result_.aggregate.over_all = true;
  result_.aggregate.most_over_all = most;
  describe(value_is, fmt::format("at most {} in all groups together: max_rows", in_units(most, value().grid)));
  return std::move(result_);
}

BoundedUserAggregate UserBounding::infer(const std::string& value_is) {
  const bool total = result_.aggregate.statistic->adds_up();
  const bool race = rows_.inference == BoundsInference::race && total;
  if (total && !race) return over_all(value_is, "nobody stated any");
  result_.aggregate.inference = race ? BoundsInference::race : BoundsInference::histogram;
  describe(value_is, race ? "found by a race to the top, within its share of epsilon"
                          : "found by a noisy histogram of magnitudes, within its share of epsilon");
  return std::move(result_);
}

BoundedUserAggregate UserBounding::over_all(const std::string& value_is, const std::string& why) {
  result_.aggregate.over_all = true;
  describe(value_is, fmt::format("{}; {}as much as a noisy histogram finds worth its noise", why,
                                 rows_.row_is_user ? "" : "in all groups together "));
  return std::move(result_);
}

}  // namespace tacit
