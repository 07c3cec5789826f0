#include "mechanism/users/magnitude_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>

#include "base/check.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

// No empty bin stands out with these probabilities: where nothing stood out at bounds_confidence; next to what did.
constexpr double lenient = 0.999;
constexpr double nearby = 0.95;
constexpr int near_bins = 4;  // half octaves: a false alarm costs at most four times the noise
constexpr int widths[] = {1, 2, 4, 8};

// ln of how much rarer than `lenient` a false alarm is that reaches so far beyond small values, at most as rare as at
// bounds_confidence: it costs noise in proportion to the value.
double rarer(int bins_beyond) {
  static const double most = std::log((1.0 - lenient) / (1.0 - bounds_confidence));
  return std::clamp(0.5 * std::numbers::ln2 * bins_beyond, 0.0, most);
}

// ln P(sum of `width` > t) <= -s t - width ln(1 - s^2) at the best s.
double best_exponent(double t, int width) {
  return (std::sqrt(static_cast<double>(width) * width + t * t) - width) / t;
}

// How far a position in the counts lies beyond small values; null where that does not matter.
using Beyond = std::function<int(int position)>;

// What stands out of the bins beyond `found` that begin within `reach` of it; everything where nothing was found.
std::optional<BinRange> extend(const std::vector<double>& noisy, std::optional<BinRange> found, double scale,
                               double confidence, int reach, const Beyond& beyond = nullptr) {
  const int bins = static_cast<int>(noisy.size());
  for (const int width : widths) {
    const double alike = window_threshold(bins, confidence, width);
    // The bound on ln P falls at least that fast beyond `alike`.
    const double slope = best_exponent(alike, width);
    const auto least = [&](int first, int last) {
      if (!beyond) return scale * alike;
      return scale * (alike + rarer(std::max(beyond(first), beyond(last))) / slope);
    };
    std::optional<BinRange> wider = found;
    double sum = 0.0;
    for (int last = 0; last < bins; ++last) {
      sum += noisy[static_cast<std::size_t>(last)];
      if (last >= width) sum -= noisy[static_cast<std::size_t>(last - width)];
      const int first = last - width + 1;
      // Only what narrower windows did not explain counts.
      const bool is_above = !found || (first > found->last && first - found->last <= reach);
      const bool is_below = !found || (last < found->first && found->first - last <= reach);
      if (first < 0 || sum <= least(first, last) || (!is_above && !is_below)) continue;
      // The middle of the window, from above and from below.
      const int low = std::max(last - width / 2, found ? found->first - reach : 0);
      const int high = std::min(first + width / 2, found ? found->last + reach : bins - 1);
      wider = BinRange{std::min(wider ? wider->first : bins, low), std::max(wider ? wider->last : 0, high)};
    }
    found = wider;
  }
  return found;
}

}  // namespace

BinRange magnitude_bins(const UserValue& value) {
  TACIT_CHECK(value.least <= value.most, "the limits of a value are ordered");
  return {magnitude_bin(value.least), magnitude_bin(value.most)};
}

double bounds_threshold(Epsilon epsilon, int bins, int groups_per_user, double probability) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(bins >= 1 && groups_per_user >= 1, "a histogram has bins, and a user a group");
  TACIT_CHECK(probability > 0.5 && probability < 1.0, "false alarms are rare");
  const long double others = std::max(bins - 1, 1);
  const long double one_bin = -2.0L * std::expm1(std::log(static_cast<long double>(probability)) / others);
  return static_cast<double>(-std::log(one_bin) * static_cast<long double>(groups_per_user) /
                             static_cast<long double>(epsilon.value()));
}

double window_threshold(int bins, double probability, int width) {
  TACIT_CHECK(width >= 1 && bins >= 1, "a window has bins");
  const double wanted = std::log((1.0 - probability) / bins);
  const auto log_chance = [&](double t) {
    const double s = best_exponent(t, width);
    return -s * t - width * std::log1p(-s * s);
  };
  double high = 1.0;
  while (log_chance(high) > wanted) high *= 2.0;
  double low = high / 2.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2.0;
    (log_chance(middle) > wanted ? low : high) = middle;
  }
  return high;
}

int last_small_bin(const UserValue& value) {
  constexpr double small = 10.0;  // log2
  const double octaves_of_unit = value.grid.base == Grid::Base::decimal ? std::log2(10.0) : 1.0;
  return 1 + static_cast<int>(std::ceil(2.0 * (small + octaves_of_unit * value.grid.exponent)));
}

std::optional<BinRange> standing_out(const std::vector<double>& noisy, double threshold, int first_bin,
                                     int last_small) {
  const int bins = static_cast<int>(noisy.size());
  const double scale = threshold / window_threshold(bins, bounds_confidence, 1);
  std::optional<BinRange> found = extend(noisy, std::nullopt, scale, bounds_confidence, bins);
  if (found) return extend(noisy, found, scale, nearby, near_bins);
  const auto beyond = [&](int position) { return std::abs(first_bin + position) - last_small; };
  return extend(noisy, std::nullopt, scale, lenient, bins, beyond);
}

}  // namespace tacit
