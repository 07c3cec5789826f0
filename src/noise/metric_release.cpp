#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "noise/grid_value.hpp"
#include "noise/release.hpp"
#include "noise/release_range.hpp"

namespace tacit {
namespace {

constexpr double interval_coverage = 0.95;

// A number of the grid as the column's type shows it: fewer digits are rounded to.
Value in_type(Value value, const SqlType& type) {
  if (const auto* real = std::get_if<double>(&value); real && type.kind == TypeKind::integer) {
    const double rounded = std::round(*real);
    if (!(std::fabs(rounded) < 1e37)) return Decimal{rounded < 0 ? -largest_release : largest_release, 0};
    return Decimal{static_cast<Int128>(rounded), 0};
  }
  const auto* decimal = std::get_if<Decimal>(&value);
  if (decimal == nullptr || type.kind == TypeKind::real) return value;
  const int scale = type.kind == TypeKind::decimal ? type.scale : 0;
  if (decimal->scale <= scale) return value;
  const auto rounded = rescale_half_away(*decimal, scale);
  TACIT_CHECK(rounded.has_value(), "fewer digits fit");
  return *rounded;
}

class MetricSum final : public Release {
 public:
  MetricSum(std::size_t cell, const Grid& grid, const SqlType& type, const MetricCellNoise* noise)
      : cell_(cell), grid_(grid), type_(type) {
    if (noise != nullptr) half_width_ = noise->half_width(interval_coverage);
  }

  Value value(std::span<const Int128> cells) const override {
    return in_type(value_on_grid(cells[cell_], grid_, type_), type_);
  }

  std::optional<std::pair<Value, Value>> interval95(std::span<const Int128> cells) const override {
    if (!half_width_) return std::nullopt;
    const auto width = static_cast<UInt128>(*half_width_);
    return std::pair(in_type(value_on_grid(release_sum(cells[cell_], true, width), grid_, type_), type_),
                     in_type(value_on_grid(release_sum(cells[cell_], false, width), grid_, type_), type_));
  }

 private:
  std::size_t cell_;
  Grid grid_;
  SqlType type_;
  std::optional<Int128> half_width_;
};

// The noisy sum over the noisy count. Its interval is left out: the quotient of two noisy numbers has none that is both
// honest and short.
class MetricAverage final : public Release {
 public:
  MetricAverage(std::size_t sum_cell, const Grid& sum_grid, const Grid& count_grid, const SqlType& type, bool noisy)
      : sum_(sum_cell), sum_grid_(sum_grid), count_grid_(count_grid), type_(type), noisy_(noisy) {}

  Value value(std::span<const Int128> cells) const override {
    const double sum = static_cast<double>(cells[sum_]) * step_of(sum_grid_);
    const double count = static_cast<double>(cells[sum_ + 1]) * step_of(count_grid_);
    if (!noisy_ && count == 0.0) return Null{};
    const double average = sum / std::max(count, noisy_ ? 1.0 : count);
    if (type_.kind != TypeKind::decimal) return average;
    const double units = std::round(average * std::pow(10.0, type_.scale));
    if (!(std::fabs(units) < 1e37)) return Decimal{units < 0 ? -largest_release : largest_release, type_.scale};
    return Decimal{static_cast<Int128>(units), type_.scale};
  }

  std::optional<std::pair<Value, Value>> interval95(std::span<const Int128>) const override { return std::nullopt; }

 private:
  std::size_t sum_;
  Grid sum_grid_;
  Grid count_grid_;
  SqlType type_;
  bool noisy_;
};

}  // namespace

std::unique_ptr<const Release> metric_release_of(const MechanismPlan& plan, const OutputColumn& output,
                                                 const std::vector<const MetricCellNoise*>& noises) {
  const AggregatePlan& planned = plan.aggregates.at(output.index);
  if (planned.cells == 2) {
    return std::make_unique<MetricAverage>(planned.first_cell, planned.metric[0].grid, planned.metric[1].grid,
                                           output.type, !noises.empty());
  }
  return std::make_unique<MetricSum>(planned.first_cell, planned.metric[0].grid, output.type,
                                     noises.empty() ? nullptr : noises.front());
}

}  // namespace tacit
