#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sensitivity/metric/derivative/leaves/leaf.hpp"

namespace tacit {

// One formula on a stretch of the line, from `from` up to where the next piece starts. On its stretch it is monotone,
// or first grows and then falls.
// With t = rate (s - anchor):
struct Piece {
  enum class Form {
    constant,       // factor
    exponential,    // factor e^t
    power,          // factor s^rate, s > 0
    sigmoid,        // factor / (1 + e^{-t})
    sigmoid_slope,  // factor / (2 + e^t + e^{-t})
    sech,           // factor 2 / (e^t + e^{-t})
    sech_slope,     // factor 2 |e^t - e^{-t}| / (e^t + e^{-t})^2
  };
  double from = -std::numeric_limits<double>::infinity();
  Form form = Form::constant;
  double factor = 1.0;
  double rate = 0.0;
  double anchor = 0.0;
};

struct LeafLimits {
  double floor = 0.0;  // at least 1e-300, or 0 for pieces that need none; the leaf is the maximum with it
  double cap = std::numeric_limits<double>::infinity();  // and the minimum with this
  double supremum = std::numeric_limits<double>::infinity();
};

// Smaller rates are 0 and larger ones this large: a smaller rate makes a bound larger, never wrong.
inline constexpr double least_rate = 1e-150;
inline constexpr double largest_rate = 1e100;
double usable_rate(double rate);

inline constexpr double largest_bound = 1e300;

double rounded_up(long double x);

// What a positive function with that supremum is never below: e^{-690} of it, and at least 1e-300.
double floor_below(double supremum);

// Every computed value is first made larger by this share, which is more than evaluating a formula can lose (see
// piecewise.md): exact <= at(s) <= exact * (1 + 2 * leaf_rounding). The supremum is that of the exact bound.
inline constexpr double leaf_rounding = 0x1p-40;

// The function that the pieces describe, kept between the limits, for every double from the first piece's `from` on.
// Pieces that are empty on the grid of doubles are left out. `formula` is Leaf::formula.
// Preconditions (piecewise.md): 1. pieces are in order and meet without a jump;  2. inside the limits no part of a
// formula leaves [1e-302, 1e302];  3. a piece that grows and then falls starts above the floor and stays below the cap.
LeafPtr piecewise_leaf(std::vector<Piece> pieces, LeafLimits limits,
                       std::function<std::string(const std::string&)> formula);

// The pieces of the smallest bound of a logarithmically concave even function (around 0, falling on either side) whose
// logarithm has slope -rate at `end` (infinity: nowhere so steep): the function on [-end, end], exponentials beyond.
std::vector<Piece> log_concave_even(const Piece& function, double end, double rate);

LeafPtr constant_leaf(double value);

// The smallest double of [lo, hi] where `holds`, which is false before and true from there on; hi where it never holds.
double first_double(double lo, double hi, const std::function<bool(double)>& holds);

// The exact value of a piece, to the precision of long double.
long double exact_value(const Piece& piece, long double s);

}  // namespace tacit
