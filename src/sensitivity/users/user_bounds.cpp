#include "sensitivity/users/user_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sensitivity/users/user_grid.hpp"

namespace tacit {
namespace {

constexpr Int128 most_counted = Int128{1} << 40;  // rows of one person in one group
constexpr int rows_headroom_bits = 20;            // a person's total may be this many rows' worth

class Bounding {
 public:
  Bounding(const Aggregate& aggregate, const UserRows& rows) : source_(aggregate), rows_(rows) {
    result_.aggregate.value.argument = aggregate.unclamped ? aggregate.unclamped : aggregate.argument;
  }

  Result<BoundedUserAggregate> presence();
  Result<BoundedUserAggregate> count();
  Result<BoundedUserAggregate> distinct();
  Result<BoundedUserAggregate> total();
  Result<BoundedUserAggregate> mean(UserStatistic statistic);
  Result<BoundedUserAggregate> quantile(double fraction);

 private:
  UserValue& value() { return result_.aggregate.value; }
  const Expr& argument() { return *value().argument; }

  void describe(std::string value_is, std::string bounds_are) {
    result_.derivation = {fmt::format("bounds of {}", name_of(source_.kind)),
                          fmt::format("each person says one number: {}", value_is),
                          {{"bounds", std::move(bounds_are), {}}}};
  }
  std::string interval(const UserBounds& bounds) {
    return fmt::format("between {} and {}", in_units(bounds.lo, value().grid), in_units(bounds.hi, value().grid));
  }

  tl::unexpected<Failure> bad_bounds(std::string what) const {
    return refuse(std::move(what), "write two numbers, the lower one first: ANON_SUM(x, 0, 100)",
                  source_.written ? source_.written->low->position : source_.position);
  }

  // Bounds that were written, in steps of the value's grid, at most `limit` in magnitude.
  Result<UserBounds> written(Int128 limit);
  Status check_order() const;
  BoundedUserAggregate infer(const std::string& value_is) {
    const bool total = result_.aggregate.statistic == UserStatistic::total;
    const bool race = rows_.inference == BoundsInference::race && total;
    if (total && !race) return over_all(value_is, "nobody stated any");
    result_.aggregate.inference = race ? BoundsInference::race : BoundsInference::histogram;
    describe(value_is, race ? "found by a race to the top, within its share of epsilon"
                            : "found by a noisy histogram of magnitudes, within its share of epsilon");
    return std::move(result_);
  }
  // A total within these bounds in each group.
  BoundedUserAggregate bounded_total(const UserBounds& bounds, bool in_query, const std::string& value_is,
                                     const std::string& why);
  // A total of at most so many steps in all groups together, as max_rows says.
  BoundedUserAggregate within_all(Int128 most, const std::string& value_is) {
    if (!rows_.several_groups) return bounded({value().least < 0 ? -most : 0, most}, value_is, "max_rows");
    result_.aggregate.over_all = true;
    result_.aggregate.most_over_all = most;
    describe(value_is, fmt::format("at most {} in all groups together: max_rows", in_units(most, value().grid)));
    return std::move(result_);
  }
  BoundedUserAggregate over_all(const std::string& value_is, const std::string& why) {
    result_.aggregate.over_all = true;
    describe(value_is,
             fmt::format("{}; in all groups together as much as a noisy histogram finds worth its noise", why));
    return std::move(result_);
  }
  BoundedUserAggregate bounded(const UserBounds& bounds, const std::string& value_is, const std::string& why) {
    result_.aggregate.bounds = bounds;
    describe(value_is, fmt::format("{}: {}", interval(bounds), why));
    return std::move(result_);
  }

  const Aggregate& source_;
  const UserRows& rows_;
  BoundedUserAggregate result_;
};

// Fewer steps than this are not worth a search for something smaller.
constexpr Int128 least_searched = 4;

BoundedUserAggregate Bounding::bounded_total(const UserBounds& bounds, bool in_query, const std::string& value_is,
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

constexpr const char* as_written = "written in the query";

Status Bounding::check_order() const {
  const auto low = point_of(*source_.written->low);
  const auto high = point_of(*source_.written->high);
  if (!low || !high) return bad_bounds("the bounds of an aggregate are numbers, known from the query text");
  if (*low > *high) return bad_bounds("the lower bound is above the upper one");
  return {};
}

Result<UserBounds> Bounding::written(Int128 limit) {
  TACIT_TRY_STATUS(check_order());
  const auto lo = steps_down(*source_.written->low, value().grid);
  const auto hi = steps_up(*source_.written->high, value().grid);
  if (!lo || !hi || *lo < -limit || *hi > limit || *lo > *hi) {
    return bad_bounds("the bounds are too wide to be computed with exactly");
  }
  return UserBounds{*lo, *hi};
}

Result<BoundedUserAggregate> Bounding::presence() {
  value().kind = UserValue::Kind::presence;
  value().argument = nullptr;
  value().most = 1;
  result_.aggregate.facts = UserBounds{0, 1};
  BoundedUserAggregate result = bounded_total({0, 1}, false, "1 for being in the group", "a person is there or not");
  // As a number of rows, of which one counts, it can be added up in parts.
  if (result.aggregate.over_all) result.aggregate.value.kind = UserValue::Kind::rows;
  return result;
}

Result<BoundedUserAggregate> Bounding::count() {
  value().kind = UserValue::Kind::rows;
  value().most = rows_.one_row ? 1 : most_counted;
  const char* said = value().argument ? "how many of their rows have a value" : "how many rows they have";
  if (source_.written) {
    TACIT_TRY(const UserBounds bounds, written(most_counted));
    return bounded_total(bounds, true, said, as_written);
  }
  if (rows_.one_row) {
    result_.aggregate.facts = UserBounds{0, 1};
    return bounded_total({0, 1}, false, said, "an enforced key allows one row");
  }
  if (rows_.limits.in_all) return within_all(std::min<Int128>(*rows_.limits.in_all, most_counted), said);
  if (rows_.limits.per_group) {
    return bounded_total({0, std::min<Int128>(*rows_.limits.per_group, most_counted)}, rows_.limits.per_group_in_query,
                         said, "max_rows_per_group");
  }
  return infer(said);
}

Result<BoundedUserAggregate> Bounding::distinct() {
  result_.aggregate.statistic = UserStatistic::distinct;
  value().kind = UserValue::Kind::distinct;
  const char* said = "which different values they have";
  UserBounds bounds{0, 1};
  std::string why = "an enforced key allows one row";
  if (source_.written) {
    TACIT_TRY(bounds, written(most_counted));
    if (bounds.lo != 0 || bounds.hi < 1) {
      return bad_bounds("COUNT(DISTINCT x) keeps from 0 to some number of each person's values");
    }
    why = as_written;
  } else if (!rows_.one_row) {
    const auto limit = rows_.limits.per_group ? rows_.limits.per_group : rows_.limits.in_all;
    if (!limit) {
      return refuse("COUNT(DISTINCT x) needs to know how many values of one person count",
                    "write COUNT(DISTINCT x, contribution_bounds_per_group => (0, 5)), or give max_rows_contributed",
                    source_.position);
    }
    bounds.hi = std::min<Int128>(*limit, most_counted);
    why = rows_.limits.per_group ? "max_rows_per_group" : "max_rows";
  }
  value().most = bounds.hi;
  return bounded(bounds, said, why + "; a keyed hash chooses which are kept");
}

Result<BoundedUserAggregate> Bounding::total() {
  value().kind = UserValue::Kind::total;
  const Expr& summed = argument();
  if (summed.type.is_exact_number()) {
    if (summed.type.kind == TypeKind::decimal && summed.type.scale > 18) {
      return refuse("SUM of a number with more than 18 decimal places cannot be computed exactly",
                    "CAST it to fewer decimal places", source_.position);
    }
    value().grid = exact_grid(summed.type);
  } else if (const auto stated = stated_ends(summed)) {
    value().grid = binary_grid(std::max(std::fabs(stated->lo), std::fabs(stated->hi)), 40);
  } else {
    value().grid = {Grid::Base::binary, 20};
  }
  const Int128 limit = largest_steps(value().grid);
  const auto row = row_limits(summed, value().grid, limit);
  const auto stated = stated_steps(summed, value().grid);
  const auto times = [&](Int128 end, Int128 count) {
    return end < 0 ? std::max(-limit, -(-end * count)) : std::min(limit, end * count);
  };
  const Int128 headroom = rows_.one_row ? 1 : Int128{1} << rows_headroom_bits;
  value().least = row.lo < 0 ? times(row.lo, headroom) : 0;
  value().most = row.hi > 0 ? times(row.hi, headroom) : 0;

  const char* said = "the sum over their rows";
  if (source_.written) {
    TACIT_TRY(const UserBounds bounds, written(limit));
    return bounded_total(bounds, true, said, as_written);
  }
  // One row's value, or one unit of the column.
  result_.aggregate.row_scale =
      stated ? std::max({-stated->lo, stated->hi, Int128{1}})
             : (value().grid.base == Grid::Base::decimal ? power_of_ten(value().grid.exponent)
                                                         : Int128{1} << std::clamp(value().grid.exponent, 0, 60));
  if (stated && (rows_.one_row || rows_.limits.per_group || rows_.limits.in_all)) {
    if (stated->lo < -limit || stated->hi > limit) {
      return refuse("the declared bounds of this SUM are too wide to be summed exactly",
                    "18 digits in all must hold the bounds: declare narrower ones, or CAST to fewer decimal places",
                    source_.position);
    }
    if (rows_.one_row) {
      result_.aggregate.facts = *stated;
      return bounded_total(*stated, false, said, "an enforced key allows one row, within its declared bounds");
    }
    const bool in_all = rows_.limits.in_all.has_value();
    const Int128 count = std::min<Int128>(in_all ? *rows_.limits.in_all : *rows_.limits.per_group, most_counted);
    const UserBounds rows{std::min<Int128>(0, times(stated->lo, count)), std::max<Int128>(0, times(stated->hi, count))};
    if (in_all) return within_all(std::max(-rows.lo, rows.hi), said);
    return bounded_total(rows, rows_.limits.per_group_in_query, said,
                         "max_rows_per_group rows within their declared bounds");
  }
  return infer(said);
}

Result<BoundedUserAggregate> Bounding::mean(UserStatistic statistic) {
  result_.aggregate.statistic = statistic;
  value().kind = UserValue::Kind::mean;
  const bool squares = statistic != UserStatistic::mean;
  const Expr& averaged = argument();
  if (averaged.type.kind == TypeKind::decimal && averaged.type.scale > 18) {
    return refuse(fmt::format("{} of a number with more than 18 decimal places cannot be computed exactly",
                              name_of(source_.kind)),
                  "CAST it to fewer decimal places", source_.position);
  }
  const auto stated = stated_ends(averaged);
  const char* said = "the mean of their rows";
  if (source_.written) {
    TACIT_TRY_STATUS(check_order());
    const double farther =
        std::max(std::fabs(*point_of(*source_.written->low)), std::fabs(*point_of(*source_.written->high)));
    // Squares leave less room: some of it is for rows beyond the bounds, whose mean may be within.
    const bool within = stated && std::max(std::fabs(stated->lo), std::fabs(stated->hi)) <= farther;
    value().grid = binary_grid(farther, !squares ? 40 : within ? 29 : 20);
  } else if (stated) {
    value().grid = binary_grid(std::max(std::fabs(stated->lo), std::fabs(stated->hi)), squares ? 29 : 40);
  } else {
    value().grid = squares ? inferred_square_grid(averaged.type) : inferred_grid(averaged);
  }
  const Int128 limit = squares ? largest_squared_steps : largest_steps(value().grid);
  const UserBounds row = row_limits(averaged, value().grid, limit);
  value().least = row.lo;
  value().most = row.hi;
  if (source_.written) {
    TACIT_TRY(const UserBounds bounds, written(limit));
    return bounded(bounds, said, as_written);
  }
  if (stated) {
    const UserBounds bounds = *stated_steps(averaged, value().grid);
    if (rows_.one_row) result_.aggregate.facts = bounds;
    return bounded(bounds, said, "the argument's declared bounds");
  }
  return infer(said);
}

Result<BoundedUserAggregate> Bounding::quantile(double fraction) {
  result_.aggregate.statistic = UserStatistic::quantile;
  value().kind = UserValue::Kind::quantile;
  value().fraction = fraction;
  const auto stated = stated_ends(argument());
  if (!source_.written && !stated) {
    return refuse(fmt::format("{} needs bounds: it is looked for between them", name_of(source_.kind)),
                  "declare min and max for the column in the policy, or write them as "
                  "contribution_bounds_per_group => (0, 100)",
                  source_.position);
  }
  double farther = 0.0;
  if (source_.written) {
    TACIT_TRY_STATUS(check_order());
    farther = std::max(std::fabs(*point_of(*source_.written->low)), std::fabs(*point_of(*source_.written->high)));
  } else {
    farther = std::max(std::fabs(stated->lo), std::fabs(stated->hi));
  }
  value().grid = binary_grid(farther, 40);
  const Int128 limit = largest_steps(value().grid);
  const UserBounds row = row_limits(argument(), value().grid, limit);
  value().least = row.lo;
  value().most = row.hi;
  const char* said = "that quantile of their own rows";
  if (!source_.written) {
    const UserBounds bounds = *stated_steps(argument(), value().grid);
    if (rows_.one_row) result_.aggregate.facts = bounds;
    return bounded(bounds, said, "the argument's declared bounds");
  }
  TACIT_TRY(const UserBounds bounds, written(limit));
  return bounded(bounds, said, as_written);
}

}  // namespace

Result<BoundedUserAggregate> bound_user_aggregate(const Aggregate& aggregate, OwnerArgument owner,
                                                  const UserRows& rows) {
  Bounding bounding(aggregate, rows);
  const bool counts = aggregate.kind == AggregateKind::count_rows || aggregate.kind == AggregateKind::count ||
                      aggregate.kind == AggregateKind::count_distinct;
  if (!counts && !aggregate.argument->type.is_number()) {
    return refuse(fmt::format("{} over people needs a number", name_of(aggregate.kind)),
                  "extract a number from the column, or count", aggregate.position);
  }
  switch (aggregate.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count: return bounding.count();
    case AggregateKind::count_distinct: {
      if (owner == OwnerArgument::owner) return bounding.presence();
      if (owner == OwnerArgument::none) return bounding.distinct();
      // As many different owners as people with such a row: each counts 1 of their rows.
      UserRows once = rows;
      once.limits = {1, true, std::nullopt};
      Aggregate count = aggregate;
      count.written.reset();
      TACIT_TRY(BoundedUserAggregate people, Bounding(count, once).count());
      people.aggregate.facts = UserBounds{0, 1};
      return people;
    }
    case AggregateKind::sum: return bounding.total();
    case AggregateKind::average: return bounding.mean(UserStatistic::mean);
    case AggregateKind::variance: return bounding.mean(UserStatistic::variance);
    case AggregateKind::deviation: return bounding.mean(UserStatistic::deviation);
    case AggregateKind::minimum: return bounding.quantile(0.0);
    case AggregateKind::maximum: return bounding.quantile(1.0);
    case AggregateKind::quantile: return bounding.quantile(aggregate.fraction);
  }
  TACIT_CHECK(false, "every aggregate is bounded");
}

}  // namespace tacit
