#include "sensitivity/metric/derivative/leaves/sech.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/piecewise.hpp"

namespace tacit {
namespace {

using Form = Piece::Form;
constexpr double infinity = std::numeric_limits<double>::infinity();

double at(const Piece& piece, double s) { return static_cast<double>(exact_value(piece, s)); }

void check(double precision) {
  TACIT_CHECK(precision >= 1e-100 && precision <= 1e100, "the precision of a sech is between 1e-100 and 1e100");
}

// Where the logarithm of the slope for s > 0 rises with `rate`, and where it falls with it (infinity: nowhere). With
// rho = rate/a and q = sinh^2(a s) both solve (1-q)^2 = rho^2 q (1+q).
struct Tangents {
  double rising;
  double falling;
};
Tangents slope_tangents(double precision, double rate) {
  const double rho = rate / precision;
  const double sum = 2.0 + rho * rho + rho * std::sqrt(8.0 + rho * rho);
  const double rising = std::asinh(std::sqrt(2.0 / sum)) / precision;
  if (rho >= 1.0) return {rising, infinity};
  return {rising, std::asinh(std::sqrt(sum / (2.0 * (1.0 - rho) * (1.0 + rho)))) / precision};
}

}  // namespace

LeafPtr sech_value_leaf(double precision, double rate) {
  check(precision);
  rate = usable_rate(rate);
  if (rate == 0.0) return constant_leaf(1.0);
  const Piece sech{.form = Form::sech, .factor = 1.0, .rate = precision};
  const double end = rate < precision ? std::atanh(rate / precision) / precision : infinity;
  const auto formula = [=](const std::string& s) {
    const std::string exact = fmt::format("sech({} {})", precision, s);
    if (rate >= precision) return exact;
    return fmt::format("({0} if |{1}| <= {2}, else {3} e^(-{4} (|{1}| - {2})))", exact, s, end, at(sech, end), rate);
  };
  return piecewise_leaf(log_concave_even(sech, end, rate), {.floor = floor_below(1.0), .supremum = 1.0}, formula);
}

LeafPtr sech_slope_leaf(double precision, double rate) {
  check(precision);
  rate = usable_rate(rate);
  const double highest = precision / 2.0;
  if (rate < 1e-12 * precision) return constant_leaf(highest);  // as the slope's largest value, where they all meet
  rate = std::min(rate, 64.0 * precision);
  const auto [rising, falling] = slope_tangents(precision, rate);
  const Piece slope{.form = Form::sech_slope, .factor = precision, .rate = precision};
  const double low = at(slope, rising);
  std::vector<Piece> pieces = log_concave_even(slope, falling, rate);
  // log_concave_even has the pieces of either side of 0; between the rising tangents come the exponentials.
  const auto middle = std::find_if(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.from == 0.0; });
  TACIT_CHECK(middle != pieces.end(), "the pieces of an even function meet at 0");
  Piece right = *middle;
  right.from = rising;
  *middle = {0.0, Form::exponential, low, rate, rising};
  const auto inserted = pieces.insert(middle, {-rising, Form::exponential, low, -rate, -rising});
  pieces.insert(inserted + 2, right);
  const auto formula = [=](const std::string& s) {
    const std::string exact = fmt::format("{0} sech({0} {1}) |tanh({0} {1})|", precision, s);
    std::string bound =
        fmt::format("({0} if |{1}| >= {2}, else {3} e^({4} (|{1}| - {2})))", exact, s, rising, low, rate);
    if (std::isinf(falling)) return bound;
    return fmt::format("({0} if |{1}| <= {2}, else {3} e^(-{4} (|{1}| - {2})))", bound, s, falling, at(slope, falling),
                       rate);
  };
  return piecewise_leaf(std::move(pieces), {.floor = floor_below(highest), .supremum = highest}, formula);
}

}  // namespace tacit
