#include "noise/average.hpp"

#include <algorithm>
#include <optional>

#include "base/check.hpp"
#include "noise/grid_value.hpp"
#include "noise/sampling/big_integer.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

int bits_of(Int128 positive) {
  int bits = 0;
  for (; positive != 0; positive >>= 1) ++bits;
  return bits;
}

// How many digits (or bits) below the grid the average is shown with.
int extra_places(const Grid& grid, const SqlType& type, Int128 bound) {
  if (grid.base == Grid::Base::binary) return std::clamp(53 - bits_of(bound), 0, 20);
  const int wanted = type.kind == TypeKind::decimal ? type.scale - grid.exponent : 6;
  int places = std::clamp(wanted, 0, 38 - grid.exponent);
  while (places > 0 && bound > largest_release / power_of_ten(std::min(places, 38))) --places;
  return places;
}

// floor(spread * a / total) and whether there is a remainder, and at least half of one.
struct Quotient {
  UInt128 floor;
  bool has_rest;
  bool has_half;
};

Quotient divide_product(UInt128 spread, UInt128 a, UInt128 total) {
  UInt128 product = 0;
  if (!__builtin_mul_overflow(spread, a, &product)) {
    const UInt128 rest = product % total;
    return {product / total, rest != 0, rest >= total - rest};
  }
  BigInteger left;
  BigInteger right;
  left.assign(spread);
  right.assign(a);
  mpz_mul(left.get(), left.get(), right.get());
  right.assign(total);
  mpz_fdiv_qr(left.get(), right.get(), left.get(), right.get());
  const auto quotient = left.magnitude();
  const auto rest = right.magnitude();
  TACIT_CHECK(quotient && rest, "a share of the spread is at most the spread");
  return {*quotient, *rest != 0, *rest >= total - *rest};
}

}  // namespace

Average::Average(const RowsAggregate& aggregate, const SqlType& type) : type_(type), step_(aggregate.grid) {
  TACIT_CHECK(aggregate.lo <= aggregate.hi, "the bounds of an average are ordered");
  TACIT_CHECK(aggregate.lo >= -largest_release && aggregate.hi <= largest_release,
              "the bounds of an average have at most 38 digits");
  const Int128 bound = std::max({aggregate.hi, -aggregate.lo, Int128{1}});
  const int places = extra_places(step_, type, bound);
  step_.exponent += places;
  const Int128 factor = step_.base == Grid::Base::binary ? Int128{1} << places : power_of_ten(places);
  lo_ = aggregate.lo * factor;
  spread_ = static_cast<UInt128>(aggregate.hi * factor) - static_cast<UInt128>(lo_);
}

Value Average::at(UInt128 a, UInt128 b, Rounding rounding) const {
  const UInt128 total = a + b;
  TACIT_CHECK(total > 0 && total >= a, "an average has a positive weight");
  const Quotient share = divide_product(spread_, a, total);
  const bool one_more =
      (rounding == Rounding::up && share.has_rest) || (rounding == Rounding::nearest && share.has_half);
  const UInt128 steps = share.floor + (one_more ? 1 : 0);  // <= spread: rounding never passes hi
  return in_column_type(static_cast<Int128>(static_cast<UInt128>(lo_) + steps), rounding);
}

Value Average::in_column_type(Int128 units, Rounding rounding) const {
  Value value = value_on_grid(units, step_, type_);
  const auto* decimal = std::get_if<Decimal>(&value);
  // A column type coarser than the grid.
  const int scale = type_.kind == TypeKind::decimal ? type_.scale : 0;
  if (decimal == nullptr || decimal->scale <= scale || type_.kind == TypeKind::real) return value;
  const auto rescaled = rounding == Rounding::down ? rescale_down(*decimal, scale)
                        : rounding == Rounding::up ? rescale_up(*decimal, scale)
                                                   : rescale_half_away(*decimal, scale);
  TACIT_CHECK(rescaled.has_value(), "fewer digits fit");
  return *rescaled;
}

}  // namespace tacit
