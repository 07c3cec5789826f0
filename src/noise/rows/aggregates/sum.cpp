#include "mechanism/interval_coverage.hpp"
#include "noise/grid_value.hpp"
#include "noise/rows/rows_releases.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

// Counts and sums: the cell itself.
class SumRelease final : public Release {
 public:
  SumRelease(std::size_t cell, const Grid& grid, const SqlType& type, const CellNoise* noise)
      : cell_(cell), grid_(grid), type_(type) {
    if (noise != nullptr) half_width_ = noise->half_width(interval_coverage);
  }

  Value value(std::span<const Int128> cells) const override { return value_on_grid(cells[cell_], grid_, type_); }

  std::optional<std::pair<Value, Value>> interval95(std::span<const Int128> cells) const override {
    if (!half_width_) return std::nullopt;
    const auto width = static_cast<UInt128>(*half_width_);
    return std::pair(value_on_grid(release_sum(cells[cell_], true, width), grid_, type_),
                     value_on_grid(release_sum(cells[cell_], false, width), grid_, type_));
  }

 private:
  std::size_t cell_;
  Grid grid_;
  SqlType type_;
  std::optional<Int128> half_width_;
};

}  // namespace

std::unique_ptr<const Release> sum_release(std::size_t cell, const Grid& grid, const SqlType& type,
                                           const CellNoise* noise) {
  return std::make_unique<SumRelease>(cell, grid, type, noise);
}

std::unique_ptr<const Release> rows_sum_release(const ReleasedRows& rows, const CellNoise* noise) {
  return sum_release(rows.plan.first_cell, rows.bounds.grid, rows.type, noise);
}

}  // namespace tacit
