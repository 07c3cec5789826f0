#include "sql/functions/exact_range.hpp"

#include <algorithm>
#include <vector>

#include "sql/functions/stated_ranges.hpp"

namespace tacit {
namespace {

using End = RangeEnd<Decimal>;

bool fits(const Decimal& value) { return digits(value.units) <= 38; }

std::optional<ExactRange> make(std::optional<Decimal> lo, bool lo_stated, std::optional<Decimal> hi, bool hi_stated) {
  if (!lo || !hi || !fits(*lo) || !fits(*hi)) return std::nullopt;
  return ExactRange{{*lo, lo_stated}, {*hi, hi_stated}};
}

std::optional<ExactRange> hull_of_corners(std::span<const End> corners) {
  ExactRange range{corners.front(), corners.front()};
  for (const End& corner : corners) {
    if (!fits(corner.value)) return std::nullopt;
    range.lo = smaller(range.lo, corner);
    range.hi = larger(range.hi, corner);
  }
  return range;
}

// The smallest 128-bit number has no mirror; the largest has as many digits.
constexpr Int128 smallest_integer = static_cast<Int128>(static_cast<UInt128>(1) << 127);
Decimal magnitude(const Decimal& value) {
  if (value.units == smallest_integer) return {-(smallest_integer + 1), value.scale};
  return {value.units < 0 ? -value.units : value.units, value.scale};
}

// round(a / b * 10^scale), empty when it does not fit.
std::optional<Decimal> quotient(const Decimal& a, const Decimal& b, int scale, QuotientRounding rounding) {
  // a = A 10^-sa, b = B 10^-sb: the quotient's units are A 10^(scale + sb - sa) / B.
  Int128 numerator = a.units;
  Int128 denominator = b.units;
  const int shift = scale + b.scale - a.scale;
  if (shift > 38 || shift < -38) return std::nullopt;
  Int128& scaled = shift >= 0 ? numerator : denominator;
  const auto product = checked_multiply(scaled, power_of_ten(shift >= 0 ? shift : -shift));
  if (!product) return std::nullopt;
  scaled = *product;
  if (numerator == smallest_integer || denominator == smallest_integer) return std::nullopt;
  Int128 units = numerator / denominator;
  if (rounding == QuotientRounding::half_away) {
    const Int128 rest = numerator % denominator;
    const Int128 rest_magnitude = rest < 0 ? -rest : rest;
    const Int128 divisor_magnitude = denominator < 0 ? -denominator : denominator;
    if (rest_magnitude >= divisor_magnitude - rest_magnitude) {
      units += (numerator < 0) == (denominator < 0) ? 1 : -1;
    }
  }
  return Decimal{units, scale};
}

// The values of b without zero: its negative and its positive part, as ends.
std::vector<End> divisor_corners(const ExactRange& b, const Decimal& b_step) {
  const Decimal zero{0, 0};
  const Decimal least_negative = *negate(b_step);
  std::vector<End> corners;
  if (b.lo.value < zero) {
    corners.push_back(b.lo);
    corners.push_back(b.hi.value < zero ? b.hi : End{least_negative, false});
  }
  if (b.hi.value > zero) {
    corners.push_back(b.hi);
    corners.push_back(b.lo.value > zero ? b.lo : End{b_step, false});
  }
  return corners;
}

using Rescale = std::optional<Decimal> (*)(const Decimal&, int);
std::optional<ExactRange> rescale_ends(const ExactRange& a, int scale, Rescale rescale_end) {
  return make(rescale_end(a.lo.value, scale), a.lo.stated, rescale_end(a.hi.value, scale), a.hi.stated);
}

}  // namespace

std::optional<ExactRange> add(const ExactRange& a, const ExactRange& b) {
  return make(add(a.lo.value, b.lo.value), a.lo.stated && b.lo.stated, add(a.hi.value, b.hi.value),
              a.hi.stated && b.hi.stated);
}

std::optional<ExactRange> subtract(const ExactRange& a, const ExactRange& b) {
  return make(subtract(a.lo.value, b.hi.value), a.lo.stated && b.hi.stated, subtract(a.hi.value, b.lo.value),
              a.hi.stated && b.lo.stated);
}

std::optional<ExactRange> multiply(const ExactRange& a, const ExactRange& b) {
  std::vector<End> corners;
  for (const End& x : {a.lo, a.hi}) {
    for (const End& y : {b.lo, b.hi}) {
      const auto product = multiply(x.value, y.value);
      if (!product) return std::nullopt;
      corners.push_back({*product, x.stated && y.stated});
    }
  }
  return hull_of_corners(corners);
}

std::optional<ExactRange> negate(const ExactRange& a) {
  return make(negate(a.hi.value), a.hi.stated, negate(a.lo.value), a.lo.stated);
}

std::optional<ExactRange> absolute(const ExactRange& a) {
  const Decimal zero{0, a.lo.value.scale};
  if (a.lo.value >= zero) return a;
  const auto mirrored = negate(a);
  if (!mirrored || a.hi.value <= zero) return mirrored;
  return ExactRange{{zero, true}, larger(mirrored->hi, a.hi)};
}

std::optional<ExactRange> divide(const ExactRange& a, const ExactRange& b, const Decimal& b_step, int scale,
                                 QuotientRounding rounding) {
  const std::vector<End> divisors = divisor_corners(b, b_step);
  if (divisors.empty()) return ExactRange{{{0, scale}, true}, {{0, scale}, true}};  // always NULL
  // On each sign of the divisor the quotient is monotone in both arguments, and rounding keeps that.
  std::vector<End> corners;
  for (const End& x : {a.lo, a.hi}) {
    for (const End& y : divisors) {
      const auto value = quotient(x.value, y.value, scale, rounding);
      if (!value) return std::nullopt;
      corners.push_back({*value, x.stated && y.stated});
    }
  }
  return hull_of_corners(corners);
}

std::optional<ExactRange> modulo(const ExactRange& a, const ExactRange& b, int scale) {
  const auto largest_divisor = absolute(b);
  if (!largest_divisor) return std::nullopt;
  const Decimal zero{0, scale};
  const auto limit = subtract(largest_divisor->hi.value, Decimal{1, scale});
  if (!limit) return std::nullopt;
  const End most{std::max(*limit, zero), largest_divisor->hi.stated};
  const auto least = negate(most.value);
  if (!least) return std::nullopt;
  ExactRange range{{zero, true}, {zero, true}};
  if (a.lo.value < zero) range.lo = larger(a.lo, End{*least, most.stated});
  if (a.hi.value > zero) range.hi = smaller(a.hi, most);
  return range;
}

std::optional<ExactRange> round_half_away(const ExactRange& a, int scale) {
  return rescale_ends(a, scale, rescale_half_away);
}
std::optional<ExactRange> round_down(const ExactRange& a, int scale) { return rescale_ends(a, scale, rescale_down); }
std::optional<ExactRange> round_up(const ExactRange& a, int scale) { return rescale_ends(a, scale, rescale_up); }

ExactRange hull(std::span<const ExactRange> ranges) { return hull_of(ranges); }

ExactRange intersect(const ExactRange& a, const ExactRange& window) { return intersection_of(a, window); }

bool contains(const ExactRange& outer, const ExactRange& inner) {
  return outer.lo.value <= inner.lo.value && inner.hi.value <= outer.hi.value;
}

bool contains(const ExactRange& range, const Decimal& value) {
  return range.lo.value <= value && value <= range.hi.value;
}

int digits_at_scale(const ExactRange& range, int scale) {
  int most = 1;
  for (const Decimal& end : {range.lo.value, range.hi.value}) {
    // Rounded away from zero, so that every value of the scale inside the range counts.
    const auto units = rescale_up(magnitude(end), scale);
    if (!units || digits(units->units) > 38) return 39;
    most = std::max(most, digits(units->units));
  }
  return most;
}

int digits_to_round(const ExactRange& range, int scale) {
  const Int128 half = scale == 0 ? 1 : 5 * power_of_ten(scale - 1);
  int most = std::max(scale, 1);
  for (const Decimal& end : {range.lo.value, range.hi.value}) {
    const auto units = rescale_up(magnitude(end), scale);
    const auto sum = units ? checked_add(units->units, half) : std::nullopt;
    if (!sum) return 39;
    most = std::max(most, digits(*sum));
  }
  return most;
}

}  // namespace tacit
