#include "mechanism/users/rank_interval.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr double side_failure = 0.025;
// People that the definitions of a quantile differ by (rank_interval.md).
constexpr double slack_above = 1.0;
constexpr double slack_below = 2.0;

class Search {
 public:
  Search(const std::vector<double>& counts, double fraction, double noise_scale)
      : rings_(counts.size()), fraction_(fraction), scale_(noise_scale) {
    sums_.reserve(rings_ + 1);
    sums_.push_back(0.0);
    for (const double count : counts) sums_.push_back(sums_.back() + count);
  }

  // The least ring from `centre` on after which the quantile is surely passed.
  std::size_t last(std::size_t centre) const {
    return first_that(centre, rings_ - 1, [this](std::size_t ring, double failure) {
      return rank_after(ring) >= margin(ring, failure) + slack_above;
    });
  }

  // The greatest ring up to `centre` before which it surely is not.
  std::size_t first(std::size_t centre) const {
    const std::size_t steps = first_that(0, centre, [this, centre](std::size_t step, double failure) {
      const std::size_t ring = centre - step;
      return ring > 0 && -rank_after(ring - 1) >= margin(ring - 1, failure) + slack_below;
    });
    return centre - steps;
  }

 private:
  // By halving: a test that wrongly fails leads outward, where no test can wrongly pass.
  template <class Passes>
  static std::size_t first_that(std::size_t from, std::size_t to, const Passes& passes) {
    const int tests = std::max(1, static_cast<int>(std::bit_width(to - from)));
    while (from < to) {
      const std::size_t middle = from + (to - from) / 2;
      if (passes(middle, side_failure / tests)) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  // (people up to the ring) - fraction * (all people).
  double rank_after(std::size_t ring) const { return sums_[ring + 1] - fraction_ * sums_.back(); }
  double margin(std::size_t ring, double failure) const {
    return scale_ * rank_noise_up(ring + 1, rings_ - ring - 1, fraction_, failure);
  }

  std::size_t rings_;
  double fraction_;
  double scale_;
  std::vector<double> sums_;
};

}  // namespace

std::vector<Ring> rings_around(int centre, int places) {
  TACIT_CHECK(centre >= 0 && centre < places, "a centre is a place");
  std::vector<Ring> rings;
  int width = 1;
  for (int last = centre - 1; last >= 0; last -= width, width *= 2)
    rings.push_back({std::max(last - width + 1, 0), last});
  std::ranges::reverse(rings);
  rings.push_back({centre, centre});
  width = 1;
  for (int first = centre + 1; first < places; first += width, width *= 2) {
    rings.push_back({first, std::min(first + width - 1, places - 1)});
  }
  return rings;
}

RingRange rings_of_quantile(const std::vector<double>& counts, std::size_t centre, double fraction,
                            double noise_scale) {
  TACIT_CHECK(fraction > 0.0 && fraction < 1.0, "the least and the greatest have other intervals");
  TACIT_CHECK(noise_scale > 0.0 && centre < counts.size(), "the centre is a ring");
  const Search search(counts, fraction, noise_scale);
  return {search.first(centre), search.last(centre)};
}

double rank_noise_up(std::size_t below, std::size_t above, double fraction, double failure) {
  TACIT_CHECK(below + above > 0 && failure > 0.0, "there is noise and a chance to fail");
  const double up = below > 0 ? 1.0 - fraction : 0.0;
  const double down = above > 0 ? fraction : 0.0;
  const double largest = 1.0 / std::max(up, down);
  const double wanted = -std::log(failure);
  const auto bound = [&](double rate) {
    return (wanted - static_cast<double>(below) * std::log1p(-rate * rate * up * up) -
            static_cast<double>(above) * std::log1p(-rate * rate * down * down)) /
           rate;
  };
  // Every rate gives a bound; the least of a few is near the best.
  double best = bound(largest / 2.0);
  for (double share = 1.0 / 32.0; share < 1.0; share += 1.0 / 32.0) best = std::min(best, bound(largest * share));
  return best;
}

}  // namespace tacit
