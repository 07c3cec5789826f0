#pragma once

#include <functional>
#include <optional>
#include <random>

#include "sql/expr.hpp"
#include "totality/extreme_table.hpp"

namespace tacit::totality {

// What an expression means on a row, computed without the engine and without the code under test; booleans as 0 and 1,
// empty for NULL. No model: only errors, types and ranges are checked.
using Model = std::function<std::optional<Decimal>(std::size_t row)>;

struct Sample {
  ExprPtr expr;
  Model model;
};

// Random expressions that the binder accepts.
class RandomExpressions {
 public:
  RandomExpressions(const ExtremeTable& table, unsigned seed) : table_(table), random_(seed) {}

  Sample any(int depth);

 private:
  Sample number(int depth);
  Sample exact(int depth);
  Sample real(int depth);
  Sample condition(int depth);
  Sample moment(int depth);
  Sample text(int depth);
  Sample column(bool (*fits)(const SqlType&));
  Sample literal();
  Sample extreme_literal(const SqlType& type);
  Sample cast_of(const Sample& value);
  Sample call_exact(int depth);

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  const ExtremeTable& table_;
  std::mt19937 random_;
};

}  // namespace tacit::totality
