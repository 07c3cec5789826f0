#pragma once

#include <optional>
#include <span>

#include "sql/range.hpp"

namespace tacit {

// Interval arithmetic on doubles, every end rounded outward, so that the engine's own rounding stays inside. `stated`
// combines as for exact ranges. Empty: an end may exceed largest_computed_double.
std::optional<RealRange> add(const RealRange& a, const RealRange& b);
std::optional<RealRange> subtract(const RealRange& a, const RealRange& b);
std::optional<RealRange> multiply(const RealRange& a, const RealRange& b);
// b must not contain zero.
std::optional<RealRange> divide(const RealRange& a, const RealRange& b);
RealRange negate(const RealRange& a);
RealRange absolute(const RealRange& a);

RealRange hull(std::span<const RealRange> ranges);
RealRange intersect(const RealRange& a, const RealRange& window);
bool contains(const RealRange& outer, const RealRange& inner);

// An exact number read as a double.
RealRange to_real(const ExactRange& range);

// `moved` applied to both ends, widened by the error allowed to an engine's mathematical library (8 ulp).
// The caller knows that it is increasing.
RealRange map_ends_outward(const RealRange& range, double (*moved)(double));

// A little below / above: 8 ulp, at least the smallest double.
double below(double value);
double above(double value);

}  // namespace tacit
