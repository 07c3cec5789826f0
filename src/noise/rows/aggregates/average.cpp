#include "noise/average.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/interval_coverage.hpp"
#include "noise/grid_value.hpp"
#include "noise/perhaps_empty.hpp"
#include "noise/rows/rows_releases.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

// The true sums are never negative.
UInt128 not_negative(Int128 sum) { return sum > 0 ? static_cast<UInt128>(sum) : 0; }

// Averages from the noisy sums a of (x - lo) and b of (hi - x): docs/theory/rows.md, "Averages from two sums". Their
// sum is (hi - lo) times the noisy number of values: where that may be 0 there is no answer.
class AverageRelease final : public Release {
 public:
  AverageRelease(std::size_t first_cell, const RowsAggregate& aggregate, const SqlType& type, const CellNoise* noise)
      : a_(first_cell), b_(first_cell + 1), constant_(aggregate.lo == aggregate.hi), average_(aggregate, type) {
    // Both errors stay within the width together with probability 0.95: they are independent.
    if (noise == nullptr) return;
    half_width_ = noise->half_width(std::nextafter(std::sqrt(interval_coverage), 1.0));
    empty_width_ = empty_sum_width(*noise);
  }

  Value value(std::span<const Int128> cells) const override {
    if (constant_) return average_.at(1, 1, Rounding::nearest);
    if (perhaps_empty(cells)) return Null{};
    return average_.at(not_negative(cells[a_]), not_negative(cells[b_]), Rounding::nearest);
  }

  // The average moves up with a and down with b: its ends are reached at the ends of both. Where the width allows no
  // weight, and where noise may have made the group look as if it were not empty, all of [lo, hi] is possible.
  std::optional<std::pair<Value, Value>> interval95(std::span<const Int128> cells) const override {
    if (!half_width_ || (!constant_ && perhaps_empty(cells))) return std::nullopt;
    const bool weight = sum(cells) > 2.0L * static_cast<long double>(empty_width_);
    const auto width = static_cast<UInt128>(*half_width_);
    const UInt128 a_least = not_negative(release_sum(cells[a_], true, width));
    const UInt128 a_most = not_negative(release_sum(cells[a_], false, width));
    const UInt128 b_least = not_negative(release_sum(cells[b_], true, width));
    const UInt128 b_most = not_negative(release_sum(cells[b_], false, width));
    const bool low_known = weight && a_least + b_most > 0;
    const bool high_known = weight && a_most + b_least > 0;
    return std::pair(low_known ? average_.at(a_least, b_most, Rounding::down) : average_.at(0, 1, Rounding::down),
                     high_known ? average_.at(a_most, b_least, Rounding::up) : average_.at(1, 0, Rounding::up));
  }

 private:
  bool perhaps_empty(std::span<const Int128> cells) const {
    return !has_weight(cells) || sum(cells) <= static_cast<long double>(empty_width_);
  }
  long double sum(std::span<const Int128> cells) const {
    return static_cast<long double>(cells[a_]) + static_cast<long double>(cells[b_]);
  }

  bool has_weight(std::span<const Int128> cells) const {  // a + b > 0, without overflow
    const Int128 a = cells[a_];
    const Int128 b = cells[b_];
    return a > 0 ? b > -a : b > 0 && a > -b;
  }

  std::size_t a_;
  std::size_t b_;
  bool constant_;
  Average average_;
  std::optional<Int128> half_width_;
  Int128 empty_width_ = 0;
};

}  // namespace

std::unique_ptr<const Release> average_release(std::size_t first_cell, const RowsAggregate& bounds, const SqlType& type,
                                               const CellNoise* noise) {
  return std::make_unique<AverageRelease>(first_cell, bounds, type, noise);
}

std::unique_ptr<const Release> rows_average_release(const ReleasedRows& rows, const CellNoise* noise) {
  return average_release(rows.plan.first_cell, rows.bounds, rows.type, noise);
}

}  // namespace tacit
