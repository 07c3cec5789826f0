#include <cmath>

#include "base/check.hpp"
#include "mechanism/interval_coverage.hpp"
#include "noise/grid_value.hpp"
#include "noise/metric/metric_releases.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

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

class NumberRelease final : public Release {
 public:
  NumberRelease(std::size_t cell, std::optional<std::size_t> empty_cell, const Grid& grid, const SqlType& type,
                const MetricCellNoise* noise)
      : cell_(cell), empty_cell_(empty_cell), grid_(grid), type_(type) {
    if (noise != nullptr) half_width_ = noise->half_width(interval_coverage);
  }

  Value value(std::span<const Int128> cells) const override {
    if (is_empty(cells)) return Null{};
    return in_type(value_on_grid(cells[cell_], grid_, type_), type_);
  }

  std::optional<std::pair<Value, Value>> interval95(std::span<const Int128> cells) const override {
    if (!half_width_ || is_empty(cells)) return std::nullopt;
    const auto width = static_cast<UInt128>(*half_width_);
    return std::pair(in_type(value_on_grid(release_sum(cells[cell_], true, width), grid_, type_), type_),
                     in_type(value_on_grid(release_sum(cells[cell_], false, width), grid_, type_), type_));
  }

 private:
  bool is_empty(std::span<const Int128> cells) const { return empty_cell_ && cells[*empty_cell_] != 0; }

  std::size_t cell_;
  std::optional<std::size_t> empty_cell_;  // public
  Grid grid_;
  SqlType type_;
  std::optional<Int128> half_width_;
};

}  // namespace

std::unique_ptr<const Release> metric_number_release(const ReleasedMetric& metric) {
  TACIT_CHECK(metric.plan.noises.size() == 1, "a number is one cell");
  return std::make_unique<NumberRelease>(metric.plan.first_cell, metric.plan.empty_cell, metric.plan.noises[0].grid,
                                         metric.type, metric.noises.empty() ? nullptr : metric.noises.front());
}

}  // namespace tacit
