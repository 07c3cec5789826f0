#include "noise/average.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/interval_coverage.hpp"
#include "mechanism/metric/choose_metric.hpp"
#include "noise/metric/metric_releases.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

// The noisy sum over the noisy count; no answer where that may be 0. The width of a count's noise that moves with the
// data is private: there a count below 1, or within the width that the noise has at least, may be 0. An interval where
// both widths are public.
class AverageOfSums final : public Release {
 public:
  AverageOfSums(std::size_t sum_cell, const Grid& sum_grid, const MetricNoise& count_plan, const SqlType& type,
                const std::vector<const MetricCellNoise*>& noises)
      : sum_(sum_cell),
        sum_step_(step_of(sum_grid)),
        count_step_(step_of(count_plan.grid)),
        least_count_(count_plan.grid.base == Grid::Base::decimal ? 1.0 : 0.0),
        type_(type) {
    if (noises.empty()) return;
    TACIT_CHECK(noises.size() == 2, "an average has a sum and a count");
    empty_width_ = std::max(1.0, metric_noise_magnitude(count_plan, one_sided) * count_plan.least);
    if (const auto width = noises[1]->half_width(one_sided)) empty_width_ = static_cast<double>(*width) * count_step_;
    // Both errors stay within their widths together with probability 0.95: they are independent.
    const double coverage = std::nextafter(std::sqrt(interval_coverage), 1.0);
    const auto sum_width = noises[0]->half_width(coverage);
    const auto count_width = noises[1]->half_width(coverage);
    if (sum_width && count_width) {
      widths_.emplace(static_cast<double>(*sum_width) * sum_step_, static_cast<double>(*count_width) * count_step_);
    }
  }

  Value value(std::span<const Int128> cells) const override {
    return perhaps_empty(cells) ? Value(Null{}) : shown(sum(cells) / count(cells), Rounding::nearest);
  }

  // The quotient's ends are reached at ends of the sum and the count. A count of whole rows that is not 0 is at least
  // 1; where the count may be any small number there is no end to tell.
  std::optional<std::pair<Value, Value>> interval95(std::span<const Int128> cells) const override {
    if (!widths_ || perhaps_empty(cells)) return std::nullopt;
    const double least = std::max(count(cells) - widths_->second, least_count_);
    const double most = std::max(count(cells) + widths_->second, least);
    if (!(least > 0.0)) return std::nullopt;
    const double low = sum(cells) - widths_->first;
    const double high = sum(cells) + widths_->first;
    return std::pair(shown(low / (low < 0.0 ? least : most), Rounding::down),
                     shown(high / (high < 0.0 ? most : least), Rounding::up));
  }

 private:
  static constexpr double one_sided = 0.9;  // the noise is symmetric: above the width with probability 0.05

  double sum(std::span<const Int128> cells) const { return static_cast<double>(cells[sum_]) * sum_step_; }
  double count(std::span<const Int128> cells) const { return static_cast<double>(cells[sum_ + 1]) * count_step_; }
  bool perhaps_empty(std::span<const Int128> cells) const { return count(cells) <= empty_width_; }

  Value shown(double average, Rounding rounding) const {
    if (type_.kind != TypeKind::decimal) return average;
    const double exact = average * std::pow(10.0, type_.scale);
    const double units = rounding == Rounding::down ? std::floor(exact)
                         : rounding == Rounding::up ? std::ceil(exact)
                                                    : std::round(exact);
    if (!(std::fabs(units) < 1e37)) return Decimal{units < 0 ? -largest_release : largest_release, type_.scale};
    return Decimal{static_cast<Int128>(units), type_.scale};
  }

  std::size_t sum_;
  double sum_step_;
  double count_step_;
  double least_count_;  // of a group that is not empty
  SqlType type_;
  double empty_width_ = 0.0;
  std::optional<std::pair<double, double>> widths_;  // of the sum and the count
};

}  // namespace

std::unique_ptr<const Release> metric_average_release(const ReleasedMetric& metric) {
  const std::vector<MetricNoise>& planned = metric.plan.noises;
  TACIT_CHECK(planned.size() == 2, "an average has a sum and a count");
  return std::make_unique<AverageOfSums>(metric.plan.first_cell, planned[0].grid, planned[1], metric.type,
                                         metric.noises);
}

}  // namespace tacit
