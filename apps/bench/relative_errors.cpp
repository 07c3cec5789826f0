#include "bench/relative_errors.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace tacit {

void RelativeErrors::add(double answer, double exact) {
  if (exact == 0.0) return;
  const double error = std::abs(answer - exact) / std::abs(exact);
  const double bin = (std::log10(error) - least_power) * bins_of_power;
  ++seen_[static_cast<std::size_t>(std::clamp(std::round(bin), 0.0, static_cast<double>(bins - 1)))];
  ++count_;
  sum_ += error;
}

double RelativeErrors::quantile(double share) const {
  TACIT_CHECK(count_ > 0, "a quantile is of something");
  const double wanted = share * static_cast<double>(count_);
  double below = 0.0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    below += static_cast<double>(seen_[bin]);
    if (below >= wanted) return bin == 0 ? 0.0 : std::pow(10.0, static_cast<double>(bin) / bins_of_power + least_power);
  }
  TACIT_CHECK(false, "all errors are in bins");
}

}  // namespace tacit
