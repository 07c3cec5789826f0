#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sql/expr.hpp"
#include "totality/engine.hpp"

namespace tacit::totality {

// A table `t` whose columns hold the extremes of every type: smallest and largest numbers, NaN, infinities, denormals,
// infinite dates, empty and odd text, NULLs. Columns whose name ends in _bounded have declared bounds that the data
// does not keep.
class ExtremeTable {
 public:
  explicit ExtremeTable(Engine& engine);

  const std::vector<ColumnPtr>& columns() const { return columns_; }
  std::size_t rows() const { return rows_; }
  std::string name() const;  // with its schema
  // PostgreSQL's decimals may be NaN, which is no number of ours.
  bool holds_nan(const Column& column) const;
  // What an exact column stores, as a number; empty for NULL.
  std::optional<Decimal> stored(const Column& column, std::size_t row) const;

 private:
  const Dialect& dialect_;
  std::vector<ColumnPtr> columns_;
  std::map<std::string, std::vector<std::optional<std::string>>> cells_;
  std::size_t rows_ = 0;
};

}  // namespace tacit::totality
