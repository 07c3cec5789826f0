#pragma once

#include <span>

#include "base/check.hpp"
#include "engine/exact_rows.hpp"

namespace tacit {

// The only way to read ExactRows; included by noise/ alone (scripts/lint-layers.py).
class ExactRowsReader {
 public:
  explicit ExactRowsReader(const ExactRows& rows) : rows_(rows) {
    const std::size_t width = rows.cell_columns_ > 0 ? rows.cell_columns_ : rows.key_columns_;
    const std::size_t filled = rows.cell_columns_ > 0 ? rows.cells_.size() : rows.keys_.size();
    count_ = width == 0 ? 0 : filled / width;
    TACIT_CHECK(count_ * rows.key_columns_ == rows.keys_.size() && count_ * rows.cell_columns_ == rows.cells_.size(),
                "every engine row has all its keys and cells");
  }

  std::size_t row_count() const { return count_; }
  std::size_t key_columns() const { return rows_.key_columns_; }
  std::size_t cell_columns() const { return rows_.cell_columns_; }
  std::span<const Value> keys(std::size_t row) const {
    return std::span(rows_.keys_).subspan(row * rows_.key_columns_, rows_.key_columns_);
  }
  std::span<const Int128> cells(std::size_t row) const {
    return std::span(rows_.cells_).subspan(row * rows_.cell_columns_, rows_.cell_columns_);
  }

 private:
  const ExactRows& rows_;
  std::size_t count_ = 0;
};

}  // namespace tacit
