#pragma once

#include <random>
#include <string>
#include <vector>

#include "sensitivity/metric/derivative/private_row_testing.hpp"
#include "sensitivity/metric/derivative/soften.hpp"

namespace tacit::testing {

// A private table with columns of every kind of grid, and random conditions and rows over them: x, y integers, d a
// decimal with one digit, r a double with a declared step of 0.5; free a double without, k discrete, s a double with a
// precision of 1.7.
struct FilterCells {
  static Decimal exact(std::string_view text) { return *parse_decimal(text); }

  const PrivateTable table{"l1(x, 2 * y, d, r, free, discrete(k), s)",
                           {{"x", SqlType::integer(32)},
                            {"y", SqlType::integer(32)},
                            {"d", SqlType::decimal(10, 1), exact("-8"), exact("8")},
                            {"r", SqlType::real(), exact("-8"), exact("8"), exact("0.5")},
                            {"free", SqlType::real(), exact("-8"), exact("8")},
                            {"k", SqlType::integer(32)},
                            {"s", SqlType::real(), exact("-8"), exact("8"), {}, 1.7}}};

  static double step(const std::string& name) { return name == "d" ? 0.1 : name == "r" ? 0.5 : 1.0; }

  ExprPtr condition(std::mt19937_64& random, int depth) const {
    switch (random() % (depth == 0 ? 3 : 6)) {
      case 0: return of_column(random, random() % 2 == 0 ? "x" : "d");
      case 1: return of_column(random, "r");
      case 2: return of_two(random);
      case 3: return bound_call("not", {condition(random, depth - 1)});
      default: {
        std::vector<ExprPtr> parts{condition(random, depth - 1), condition(random, depth - 1)};
        return bound_call(random() % 2 == 0 ? "and" : "or", std::move(parts));
      }
    }
  }

  // The same with comparisons of s.
  ExprPtr soft_condition(std::mt19937_64& random, int depth) const {
    if (depth == 0) return random() % 3 == 0 ? condition(random, 0) : of_column(random, "s");
    if (random() % 4 == 0) return bound_call("not", {soft_condition(random, depth - 1)});
    std::vector<ExprPtr> parts{soft_condition(random, depth - 1), soft_condition(random, depth - 1)};
    return bound_call(random() % 2 == 0 ? "and" : "or", std::move(parts));
  }

  // Every column on its grid; some NULL when asked for.
  RowValues grid_row(std::mt19937_64& random, bool with_nulls = false) const {
    RowValues row;
    for (const std::string name : {"x", "y", "d", "r"}) {
      if (with_nulls && random() % 3 == 0) continue;
      const double n = std::round(at_most(random, 8.0) / step(name));
      row[table.cell(name)] = name == "d" ? n / 10.0 : n * step(name);
    }
    return row;
  }
  // r anywhere.
  RowValues row(std::mt19937_64& random) const {
    RowValues values = grid_row(random);
    values[table.cell("r")] = at_most(random, 9.0);
    return values;
  }
  // r and s anywhere.
  RowValues soft_row(std::mt19937_64& random) const {
    RowValues values = row(random);
    values[table.cell("s")] = at_most(random, 20.0);
    return values;
  }

 private:
  static double at_most(std::mt19937_64& random, double size) {
    return std::uniform_real_distribution<double>(-size, size)(random);
  }
  static const char* comparison(std::mt19937_64& random) {
    static constexpr const char* names[] = {"<", "<=", ">", ">=", "=", "<>"};
    return names[random() % 6];
  }
  static ExprPtr constant(std::mt19937_64& random) {
    return literal(to_string(Decimal{static_cast<long long>(random() % 161) - 80, 1}));
  }

  ExprPtr of_column(std::mt19937_64& random, const std::string& name) const {
    if (random() % 4 == 0) return bound_call("in", {table.column(name), constant(random), constant(random)});
    return bound_call(comparison(random), {table.column(name), constant(random)});
  }
  ExprPtr of_two(std::mt19937_64& random) const {
    const ExprPtr factor = literal(std::to_string(random() % 3 + 1));
    const ExprPtr right = bound_call("*", {table.column(random() % 2 == 0 ? "y" : "d"), factor});
    return bound_call(comparison(random), {table.column("x"), right});
  }
};

// What a sum multiplies a row with.
inline double filter_value(const SoftFilter& filter, const RowValues& row) {
  const double hard = filter.hard ? (sql_value(*filter.hard, row) == 1.0 ? 1.0 : 0.0) : 1.0;
  return filter.soft ? hard * sql_value(*filter.soft, row) : hard;
}

}  // namespace tacit::testing
