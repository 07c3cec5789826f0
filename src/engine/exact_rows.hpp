#pragma once

#include <utility>
#include <vector>

#include "base/int128.hpp"
#include "base/value.hpp"

namespace tacit {

// What the engine answered, exactly. Private: no printer, no serializer, no accessor. Engines fill it through the
// Builder; only noise/ opens it, through ExactRowsReader (scripts/lint-layers.py holds both).
class ExactRows {
 public:
  class Builder;
  ExactRows(ExactRows&&) = default;
  ExactRows& operator=(ExactRows&&) = default;
  ExactRows(const ExactRows&) = delete;
  ExactRows& operator=(const ExactRows&) = delete;

 private:
  friend class ExactRowsReader;
  ExactRows() = default;
  std::size_t key_columns_ = 0;
  std::size_t cell_columns_ = 0;
  std::vector<Value> keys_;    // row-major
  std::vector<Int128> cells_;  // row-major
};

class ExactRows::Builder {
 public:
  Builder(std::size_t key_columns, std::size_t cell_columns) {
    rows_.key_columns_ = key_columns;
    rows_.cell_columns_ = cell_columns;
  }
  void add_key(Value value) { rows_.keys_.push_back(std::move(value)); }
  void add_cell(Int128 value) { rows_.cells_.push_back(value); }
  ExactRows finish() { return std::move(rows_); }  // once

 private:
  ExactRows rows_;
};

}  // namespace tacit
