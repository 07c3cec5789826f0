#include "sql/functions/real_range.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "sql/functions/stated_ranges.hpp"

namespace tacit {
namespace {

using End = RangeEnd<double>;

constexpr int library_ulps = 8;

double next_down(double value) { return std::nextafter(value, -std::numeric_limits<double>::infinity()); }
double next_up(double value) { return std::nextafter(value, std::numeric_limits<double>::infinity()); }

// One rounding of the engine lies within one step of the exact result, as ours does; zero is exact.
std::optional<RealRange> outward(End lo, End hi) {
  if (lo.value != 0.0) lo.value = next_down(lo.value);
  if (hi.value != 0.0) hi.value = next_up(hi.value);
  // Written so that NaN is refused too.
  if (!(lo.value >= -largest_computed_double && hi.value <= largest_computed_double)) return std::nullopt;
  return RealRange{lo, hi};
}

std::optional<RealRange> hull_of_corners(const std::array<End, 4>& corners) {
  RealRange range{corners[0], corners[0]};
  for (const End& corner : corners) {
    if (!std::isfinite(corner.value)) return std::nullopt;
    range.lo = smaller(range.lo, corner);
    range.hi = larger(range.hi, corner);
  }
  return outward(range.lo, range.hi);
}

}  // namespace

double below(double value) {
  for (int i = 0; i < library_ulps; ++i) value = next_down(value);
  return value;
}

double above(double value) {
  for (int i = 0; i < library_ulps; ++i) value = next_up(value);
  return value;
}

std::optional<RealRange> add(const RealRange& a, const RealRange& b) {
  return outward({a.lo.value + b.lo.value, a.lo.stated && b.lo.stated},
                 {a.hi.value + b.hi.value, a.hi.stated && b.hi.stated});
}

std::optional<RealRange> subtract(const RealRange& a, const RealRange& b) { return add(a, negate(b)); }

std::optional<RealRange> multiply(const RealRange& a, const RealRange& b) {
  const auto corner = [](const End& x, const End& y) { return End{x.value * y.value, x.stated && y.stated}; };
  return hull_of_corners({corner(a.lo, b.lo), corner(a.lo, b.hi), corner(a.hi, b.lo), corner(a.hi, b.hi)});
}

std::optional<RealRange> divide(const RealRange& a, const RealRange& b) {
  TACIT_CHECK(b.lo.value > 0.0 || b.hi.value < 0.0, "the divisor's range excludes zero");
  const auto corner = [](const End& x, const End& y) { return End{x.value / y.value, x.stated && y.stated}; };
  return hull_of_corners({corner(a.lo, b.lo), corner(a.lo, b.hi), corner(a.hi, b.lo), corner(a.hi, b.hi)});
}

RealRange negate(const RealRange& a) { return {{-a.hi.value, a.hi.stated}, {-a.lo.value, a.lo.stated}}; }

RealRange absolute(const RealRange& a) {
  if (a.lo.value >= 0.0) return a;
  if (a.hi.value <= 0.0) return negate(a);
  return {{0.0, true}, larger(End{-a.lo.value, a.lo.stated}, a.hi)};
}

RealRange hull(std::span<const RealRange> ranges) { return hull_of(ranges); }

RealRange intersect(const RealRange& a, const RealRange& window) { return intersection_of(a, window); }

bool contains(const RealRange& outer, const RealRange& inner) {
  return outer.lo.value <= inner.lo.value && inner.hi.value <= outer.hi.value;
}

RealRange to_real(const ExactRange& range) {
  // Whole numbers up to 2^53 are exact in every engine.
  const auto is_exact = [](const Decimal& value) {
    return rescale(value, 0).has_value() && std::abs(to_double(value)) <= 0x1p53;
  };
  const auto lower = [&](const Decimal& v) { return is_exact(v) ? to_double(v) : below(to_double(v)); };
  const auto upper = [&](const Decimal& v) { return is_exact(v) ? to_double(v) : above(to_double(v)); };
  return {{lower(range.lo.value), range.lo.stated}, {upper(range.hi.value), range.hi.stated}};
}

RealRange map_ends_outward(const RealRange& range, double (*moved)(double)) {
  return {{below(moved(range.lo.value)), range.lo.stated}, {above(moved(range.hi.value)), range.hi.stated}};
}

}  // namespace tacit
