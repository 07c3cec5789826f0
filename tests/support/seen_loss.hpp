#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tacit::testing {

// How often an event happened in so many independent trials.
struct Frequency {
  std::size_t happened = 0;
  std::size_t trials = 0;
};

namespace detail {

// Kullback-Leibler divergence between coins.
inline double divergence(double seen, double truth) {
  double sum = 0.0;
  if (seen > 0.0) sum += seen * std::log(seen / truth);
  if (seen < 1.0) sum += (1.0 - seen) * std::log((1.0 - seen) / (1.0 - truth));
  return sum;
}

// The probability on the way from `seen` to `end` that Chernoff's bound rules out with error 1e-10.
inline double ruled_out(const Frequency& frequency, double end) {
  const double n = static_cast<double>(frequency.trials);
  const double seen = static_cast<double>(frequency.happened) / n;
  const double most = std::log(1e10) / n;
  double inside = seen;
  double outside = end;
  for (int step = 0; step < 60; ++step) {
    const double middle = (inside + outside) / 2.0;
    (divergence(seen, middle) <= most ? inside : outside) = middle;
  }
  return outside;
}

}  // namespace detail

// The probability is at least / at most this, except with probability 1e-10.
inline double surely_above(const Frequency& f) { return detail::ruled_out(f, 0.0); }
inline double surely_below(const Frequency& f) { return detail::ruled_out(f, 1.0); }

// A loss that (epsilon, delta) does not allow is positive: of the event's probability on one database, what is left
// after e^epsilon times its probability on the other and delta, as far as it is certain.
inline double surely_excessive(const Frequency& on, const Frequency& other, double epsilon, double delta) {
  return surely_above(on) - std::exp(epsilon) * surely_below(other) - delta;
}

// The epsilon that the event gives away at this delta, at least and almost surely.
inline double seen_epsilon(const Frequency& on, const Frequency& other, double delta) {
  const double more = surely_above(on) - delta;
  return more <= 0.0 ? 0.0 : std::max(0.0, std::log(more / surely_below(other)));
}

}  // namespace tacit::testing
