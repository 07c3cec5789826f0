#pragma once

#include <optional>
#include <span>

#include "sql/range.hpp"

namespace tacit {

// Interval arithmetic on exact numbers. x in A and y in B implies x op y in the result; the ends are exact, so nothing
// is rounded. An end is stated when the operand ends it is made of are; where several corners attain the same end, a
// stated one wins. Empty: an end does not fit 38 digits.
std::optional<ExactRange> add(const ExactRange& a, const ExactRange& b);
std::optional<ExactRange> subtract(const ExactRange& a, const ExactRange& b);
std::optional<ExactRange> multiply(const ExactRange& a, const ExactRange& b);
std::optional<ExactRange> negate(const ExactRange& a);
std::optional<ExactRange> absolute(const ExactRange& a);

// x / y for y <> 0, cut (rounded toward zero) or rounded half away from zero to `scale` digits.
// `b_step` is the least magnitude a non-zero y can have.
enum class QuotientRounding { toward_zero, half_away };
std::optional<ExactRange> divide(const ExactRange& a, const ExactRange& b, const Decimal& b_step, int scale,
                                 QuotientRounding rounding);

// x mod y for y <> 0, both with at most `scale` digits: sign of x, magnitude below |y| and not above |x|.
std::optional<ExactRange> modulo(const ExactRange& a, const ExactRange& b, int scale);

// Rounded to `scale` digits: half away from zero, down, up.
std::optional<ExactRange> round_half_away(const ExactRange& a, int scale);
std::optional<ExactRange> round_down(const ExactRange& a, int scale);
std::optional<ExactRange> round_up(const ExactRange& a, int scale);

// The smallest range that holds all of them; at least one.
ExactRange hull(std::span<const ExactRange> ranges);

// What is left of `a` when values outside the window become NULL or move to its edge. An end is stated when either was:
// a stated bound stays one when the type happens to prove more. Where nothing is left, the window's point nearest to
// `a`.
ExactRange intersect(const ExactRange& a, const ExactRange& window);

bool contains(const ExactRange& outer, const ExactRange& inner);
bool contains(const ExactRange& range, const Decimal& value);

// Digits of the largest magnitude when written with `scale` digits after the point; 39 stands for "does not fit 38".
int digits_at_scale(const ExactRange& range, int scale);

// Digits of a decimal type of that scale into which DuckDB rounds every value of the range: its check wants
// |x| + 0.5 < 10^(digits - scale), more than the rounded value itself.
int digits_to_round(const ExactRange& range, int scale);

// `moved` applied to both ends; the caller knows that it is monotone.
template <class Function>
ExactRange map_ends(const ExactRange& range, Function moved) {
  return {{moved(range.lo.value), range.lo.stated}, {moved(range.hi.value), range.hi.stated}};
}

}  // namespace tacit
