#pragma once

#include <libpq-fe.h>

#include <vector>

#include "base/type.hpp"
#include "base/value.hpp"
#include "engine/exact_rows.hpp"

namespace tacit::postgres_engine {

// Both read binary answers piece by piece. Integers and decimals never pass through double. What Tacit's type cannot
// hold is NULL, so that no row makes a statement fail: infinite dates and timestamps, timestamps after the year 294247,
// NaN and infinity of numeric, a numeric with more digits than its column declares.
// REQUIRES: the answer has these columns, of these kinds (an invariant of whoever printed the statement).
class ValuesCollector {
 public:
  explicit ValuesCollector(const std::vector<SqlType>& types) : types_(types) {}
  void take(const PGresult& answer);
  std::vector<std::vector<Value>> finish() { return std::move(rows_); }

 private:
  const std::vector<SqlType>& types_;
  std::vector<std::vector<Value>> rows_;
};

// The keys, then the cells, each an exact number on the grid of its scale and never NULL.
class ExactRowsCollector {
 public:
  ExactRowsCollector(const std::vector<SqlType>& keys, const std::vector<int>& cell_scales)
      : keys_(keys), cell_scales_(cell_scales), builder_(keys.size(), cell_scales.size()) {}
  void take(const PGresult& answer);
  ExactRows finish() { return builder_.finish(); }

 private:
  const std::vector<SqlType>& keys_;
  const std::vector<int>& cell_scales_;
  ExactRows::Builder builder_;
};

}  // namespace tacit::postgres_engine
