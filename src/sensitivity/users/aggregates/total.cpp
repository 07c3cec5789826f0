#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/users/aggregates/count.hpp"
#include "sensitivity/users/user_grid.hpp"
#include "sensitivity/users/user_statistics.hpp"

namespace tacit {
namespace {

constexpr int rows_headroom_bits = 20;  // a person's total may be this many rows' worth

Result<Grid> grid_of_sum(const Expr& summed, int position) {
  if (summed.type.is_exact_number()) {
    if (summed.type.kind == TypeKind::decimal && summed.type.scale > 18) {
      return refuse("SUM of a number with more than 18 decimal places cannot be computed exactly",
                    "CAST it to fewer decimal places", position);
    }
    return exact_grid(summed.type);
  }
  if (const auto stated = stated_ends(summed)) {
    return binary_grid(std::max(std::fabs(stated->lo), std::fabs(stated->hi)), 40);
  }
  return Grid{Grid::Base::binary, 20};
}

Int128 unit_of(const Grid& grid) {
  return grid.base == Grid::Base::decimal ? power_of_ten(grid.exponent) : Int128{1} << std::clamp(grid.exponent, 0, 60);
}

Result<BoundedUserAggregate> bound_sum(UserBounding& bounding) {
  const UserRows& rows = bounding.rows();
  UserValue& value = bounding.value();
  const Expr& summed = bounding.argument();
  const int position = bounding.source().position;
  value.kind = UserValue::Kind::total;
  TACIT_TRY(value.grid, grid_of_sum(summed, position));
  const Int128 limit = largest_steps(value.grid);
  const auto row = row_limits(summed, value.grid, limit);
  const auto stated = stated_steps(summed, value.grid);
  const auto times = [&](Int128 end, Int128 count) {
    return end < 0 ? std::max(-limit, -(-end * count)) : std::min(limit, end * count);
  };
  const Int128 headroom = rows.one_row ? 1 : Int128{1} << rows_headroom_bits;
  value.least = row.lo < 0 ? times(row.lo, headroom) : 0;
  value.most = row.hi > 0 ? times(row.hi, headroom) : 0;

  const char* said = "the sum over their rows";
  if (bounding.source().written) {
    TACIT_TRY(const UserBounds bounds, bounding.written(limit));
    return bounding.bounded_total(bounds, true, said, as_written);
  }
  // One row's value, or one unit of the column.
  bounding.aggregate().row_scale = stated ? std::max({-stated->lo, stated->hi, Int128{1}}) : unit_of(value.grid);
  if (!stated || !(rows.one_row || rows.limits.per_group || rows.limits.in_all)) return bounding.infer(said);
  if (stated->lo < -limit || stated->hi > limit) {
    return refuse("the declared bounds of this SUM are too wide to be summed exactly",
                  "18 digits in all must hold the bounds: declare narrower ones, or CAST to fewer decimal places",
                  position);
  }
  if (rows.one_row) {
    bounding.aggregate().facts = *stated;
    return bounding.bounded_total(*stated, false, said,
                                  fmt::format("{}, within its declared bounds", bounding.why_one_row()));
  }
  const bool in_all = rows.limits.in_all.has_value();
  const Int128 count = std::min<Int128>(in_all ? *rows.limits.in_all : *rows.limits.per_group, most_counted);
  const UserBounds of_rows{std::min<Int128>(0, times(stated->lo, count)),
                           std::max<Int128>(0, times(stated->hi, count))};
  if (in_all) return bounding.within_all(std::max(-of_rows.lo, of_rows.hi), said);
  return bounding.bounded_total(of_rows, rows.limits.per_group_in_query, said,
                                "max_rows_per_group rows within their declared bounds");
}

class TotalStatistic final : public UserStatistic {
 public:
  const char* name() const override { return "total"; }
  bool answers(AggregateKind kind) const override {
    return kind == AggregateKind::count_rows || kind == AggregateKind::count || kind == AggregateKind::sum;
  }
  Result<BoundedUserAggregate> bound(UserBounding& bounding) const override {
    return bounding.source().kind == AggregateKind::sum ? bound_sum(bounding) : bound_count(bounding);
  }
  std::vector<UserCell> cells() const override { return {UserCell::sum}; }
  int epsilon_parts() const override { return 1; }
  bool adds_up() const override { return true; }
  const char* differs_from_sql() const override { return nullptr; }

 private:
  std::vector<Int128> sensitivities_within(const UserBounds& bounds) const override {
    return {std::max(bounds.lo < 0 ? -bounds.lo : bounds.lo, bounds.hi < 0 ? -bounds.hi : bounds.hi)};
  }
};

}  // namespace

const UserStatistic& total_statistic() {
  static const TotalStatistic statistic;
  return statistic;
}

}  // namespace tacit
