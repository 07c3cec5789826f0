#include "sensitivity/metric/derivative/leaves/sigmoid.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/piecewise.hpp"

namespace tacit {
namespace {

using Form = Piece::Form;
constexpr double certain = 40.0;  // from a s = 40 on the sigmoid is 1 to the precision of a double

double at(const Piece& piece, double s) { return static_cast<double>(exact_value(piece, s)); }

void check(double precision) {
  TACIT_CHECK(precision >= 1e-100 && precision <= 1e100, "the precision of a sigmoid is between 1e-100 and 1e100");
}

}  // namespace

LeafPtr sigmoid_value_leaf(double precision, double rate) {
  check(precision);
  rate = usable_rate(rate);
  if (rate == 0.0) return constant_leaf(1.0);
  Piece sigmoid{.form = Form::sigmoid, .rate = precision};
  std::vector<Piece> pieces;
  if (rate < precision) {
    sigmoid.from = std::log(precision / rate - 1.0) / precision;  // where its logarithm has slope `rate`
    pieces.push_back(
        {.form = Form::exponential, .factor = at(sigmoid, sigmoid.from), .rate = rate, .anchor = sigmoid.from});
  }
  pieces.push_back(sigmoid);
  pieces.push_back({.from = std::max(certain / precision, sigmoid.from), .factor = 1.0});
  const auto formula = [=](const std::string& s) {
    const std::string exact = fmt::format("1/(1 + e^(-{} {}))", precision, s);
    if (rate >= precision) return exact;
    return fmt::format("({0} if {1} >= {2}, else {3} e^({4} ({1} - {2})))", exact, s, sigmoid.from,
                       at(sigmoid, sigmoid.from), rate);
  };
  return piecewise_leaf(std::move(pieces), {.floor = floor_below(1.0), .supremum = 1.0}, formula);
}

LeafPtr sigmoid_slope_leaf(double precision, double rate) {
  check(precision);
  rate = usable_rate(rate);
  const double highest = precision / 4.0;
  if (rate == 0.0) return constant_leaf(highest);
  const Piece slope{.form = Form::sigmoid_slope, .factor = precision, .rate = precision};
  const double end =
      rate < precision ? 2.0 * std::atanh(rate / precision) / precision : std::numeric_limits<double>::infinity();
  std::vector<Piece> pieces = log_concave_even(slope, end, rate);
  const auto formula = [=](const std::string& s) {
    const std::string exact = fmt::format("{0}/(2 + e^({0} {1}) + e^(-{0} {1}))", precision, s);
    if (rate >= precision) return exact;
    return fmt::format("({0} if |{1}| <= {2}, else {3} e^(-{4} (|{1}| - {2})))", exact, s, end, at(slope, end), rate);
  };
  return piecewise_leaf(std::move(pieces), {.floor = floor_below(highest), .supremum = highest}, formula);
}

}  // namespace tacit
