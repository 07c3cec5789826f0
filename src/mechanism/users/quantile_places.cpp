#include "mechanism/users/quantile_places.hpp"

#include <cstdint>

#include "base/check.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

constexpr int largest_exponent = 60;

}  // namespace

QuantilePlaces::QuantilePlaces(const UserAggregate& aggregate) : count_(quantile_leaves) {
  TACIT_CHECK(aggregate.bounds && aggregate.bounds->lo <= aggregate.bounds->hi, "a quantile lies between bounds");
  bounds_ = *aggregate.bounds;
  const UserValue& value = aggregate.value;
  const Grid& grid = value.grid;
  const bool integers = value.argument && value.argument->type.kind == TypeKind::integer &&
                        grid.base == Grid::Base::binary && grid.exponent >= 0 && grid.exponent <= largest_exponent;
  if (!integers) return;
  unit_ = Int128{1} << grid.exponent;
  const Int128 width = bounds_.hi - bounds_.lo;
  integers_ = bounds_.lo % unit_ == 0 && width % unit_ == 0 && width / unit_ < quantile_leaves;
  if (integers_) count_ = static_cast<int>(width / unit_) + 1;
}

int QuantilePlaces::of_leaf(int leaf) const {
  if (!integers_) return leaf;
  // The integer nearest to the middle of the leaf.
  const std::int64_t middle = (2LL * leaf + 1) * (count_ - 1) + quantile_leaves;
  return static_cast<int>(middle / (2LL * quantile_leaves));
}

Int128 QuantilePlaces::edge(int place, bool up) const {
  const Int128 product = (bounds_.hi - bounds_.lo) * place;
  return bounds_.lo + (product + (up ? quantile_leaves - 1 : 0)) / quantile_leaves;
}

Int128 QuantilePlaces::shown(int place) const {
  if (integers_) return bounds_.lo + place * unit_;
  return bounds_.lo +
         ((bounds_.hi - bounds_.lo) * (Int128{2} * place + 1) + quantile_leaves) / (Int128{2} * quantile_leaves);
}

UserBounds QuantilePlaces::ends(int first, int last) const {
  if (integers_) return {shown(first), shown(last)};
  return {edge(first, false), edge(last + 1, true)};
}

}  // namespace tacit
