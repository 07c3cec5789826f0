#include "sensitivity/derivative/leaves/exponential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sensitivity/derivative/leaves/piecewise.hpp"

namespace tacit {
namespace {

constexpr double largest_exponent = 690.0;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The value at an end that limits growth, falling away from it with the rate m.
LeafPtr up_to(double end, double r, double m) {
  const double reach = std::min(r > 0 ? end : -end, largest_exponent / std::abs(r));  // |r| reach <= 690
  const double exponent = std::max(std::abs(r) * reach, -largest_exponent);
  const double top = std::exp(exponent) * (1.0 + leaf_rounding);
  if (m == 0.0) return constant_leaf(top);
  const double anchor = r > 0 ? reach : -reach;
  const Piece beyond{.factor = top};
  const Piece falls{.form = Piece::Form::exponential, .factor = top, .rate = r > 0 ? m : -m, .anchor = anchor};
  std::vector<Piece> pieces = {r > 0 ? falls : beyond, r > 0 ? beyond : falls};
  pieces[1].from = anchor;
  const auto formula = [=](const std::string& s) {
    const std::string distance = r > 0 ? fmt::format("{} - {}", anchor, s) : fmt::format("{} - {}", s, anchor);
    return fmt::format("{} e^(-{} max({}, 0))", top, m, distance);
  };
  return piecewise_leaf(std::move(pieces), {.floor = floor_below(top), .supremum = top}, formula);
}

}  // namespace

LeafPtr exponential_leaf(double r, double end, double rate) {
  TACIT_CHECK(std::isfinite(r), "the rate of growth of an exponential is finite");
  TACIT_CHECK(!std::isnan(end), "the end of an exponential's range is a number");
  rate = usable_rate(rate);
  if (std::abs(r) < least_rate) return constant_leaf(1.0 + leaf_rounding);
  const bool open = std::isinf(end) && (end > 0) == (r > 0);
  TACIT_CHECK(!std::isinf(end) || open, "the range of an exponential is not empty");
  if (!open) return up_to(end, r, std::min(std::abs(r), rate));
  TACIT_CHECK(std::abs(r) <= rate, "an exponential steeper than its rate has a range that ends");
  std::vector<Piece> pieces = {{.form = Piece::Form::exponential, .factor = 1.0, .rate = r}};
  return piecewise_leaf(std::move(pieces), {.floor = 1e-300, .cap = std::exp(largest_exponent), .supremum = infinity},
                        [r](const std::string& s) { return fmt::format("e^({} {})", r, s); });
}

}  // namespace tacit
