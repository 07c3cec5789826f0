#include "rewrite/users/user_value_sql.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "rewrite/to_grid_units.hpp"
#include "sensitivity/users/users_cells.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr int widest_step_type = 18;  // digits

std::string bigint(const std::string& sql, const Dialect& dialect) {
  return fmt::format("CAST({} AS {})", sql, dialect.computed_type_name(SqlType::integer(64)));
}

std::string between(const std::string& sql, const std::string& low, const std::string& high) {
  return fmt::format("CASE WHEN {0} < {1} THEN {1} WHEN {0} > {2} THEN {2} ELSE {0} END", sql, low, high);
}

std::string integer_literal(Int128 units, const Dialect& dialect) {
  return print_literal(Decimal{units, 0}, SqlType::integer(64), dialect);
}

bool is_wide(const UserValue& value) {
  const SqlType& type = value.argument->type;
  return type.kind == TypeKind::decimal ? type.precision > widest_step_type : type.bits > 64;
}

// An exact number clamped to bounds given in steps of 10^-scale, then those steps as an integer.
std::string exact_in_steps(const std::string& sql, const UserBounds& bounds, int scale, const Dialect& dialect) {
  if (scale == 0) {
    return bigint(between(sql, integer_literal(bounds.lo, dialect), integer_literal(bounds.hi, dialect)), dialect);
  }
  const SqlType narrow = SqlType::decimal(widest_step_type, scale);
  const auto bound = [&](Int128 units) { return print_literal(Decimal{units, scale}, narrow, dialect); };
  const std::string clamped = between(sql, bound(bounds.lo), bound(bounds.hi));
  const SqlType power_type = SqlType::decimal(scale + 1, 0);
  const std::string power = print_literal(Decimal{power_of_ten(scale), 0}, power_type, dialect);
  const auto steps_of = [&](const std::string& number, const SqlType& type) {
    return bigint(fmt::format("CAST({} AS {}) * {}", number, dialect.computed_type_name(type), power), dialect);
  };
  // Where products have 18 digits at most: this one has as many digits after the point again.
  const Int128 farthest = std::max(bounds.lo < 0 ? -bounds.lo : bounds.lo, bounds.hi < 0 ? -bounds.hi : bounds.hi);
  if (!dialect.decimal_products_have_18_digits() || farthest < power_of_ten(widest_step_type - scale)) {
    return steps_of(clamped, narrow);
  }
  if (2 * scale > widest_step_type) return steps_of(clamped, SqlType::decimal(38, scale));
  // The whole part and the fraction each fit; 38 digits would be fifteen times as slow.
  const std::string number = fmt::format("CAST({} AS {})", clamped, dialect.computed_type_name(narrow));
  const std::string whole = fmt::format("TRUNC({})", number);
  const std::string fraction = fmt::format("({} - CAST({} AS {}))", number, whole, dialect.computed_type_name(narrow));
  return fmt::format("({} * {} + {})", bigint(whole, dialect), integer_literal(power_of_ten(scale), dialect),
                     steps_of(fraction, narrow));
}

// A double, clamped to bounds given in steps of 2^-exponent, then in those steps. 2^60 steps at most: a 64-bit integer.
std::string real_in_steps(const std::string& sql, const UserBounds& bounds, int exponent, const Dialect& dialect) {
  const auto bound = [&](Int128 units) {
    return double_literal(std::ldexp(static_cast<double>(units), -exponent), dialect);
  };
  return to_grid_units(between(sql, bound(bounds.lo), bound(bounds.hi)), exponent, dialect);
}

std::string rows_sql(const UserValue& value, const UserBounds& bounds, const std::string& argument, bool single_row,
                     const Dialect& dialect) {
  const std::string counted = value.argument ? argument : "*";
  std::string count = fmt::format("COUNT({})", counted);
  if (single_row) {
    count = value.argument ? fmt::format("CASE WHEN {} IS NULL THEN 0 ELSE 1 END", argument) : "1";
  }
  return bigint(between(count, integer_literal(bounds.lo, dialect), integer_literal(bounds.hi, dialect)), dialect);
}

std::string total_sql(const UserValue& value, const UserBounds& bounds, const std::string& argument, bool single_row,
                      const Dialect& dialect) {
  const std::string sum = single_row ? argument : fmt::format("SUM({})", argument);
  if (value.grid.base == Grid::Base::decimal) return exact_in_steps(sum, bounds, value.grid.exponent, dialect);
  return bigint(between(sum, integer_literal(bounds.lo, dialect), integer_literal(bounds.hi, dialect)), dialect);
}

// The sum is exact and the quotient is rounded once: the same whatever the order of the rows.
std::string mean_sql(const UserValue& value, const UserBounds& bounds, const std::string& argument, bool single_row,
                     const Dialect& dialect) {
  const std::string real = dialect.computed_type_name(SqlType::real());
  const bool in_steps_already = value.argument->type.kind == TypeKind::real;
  if (in_steps_already) {
    const std::string mean =
        single_row ? argument
                   : bigint(fmt::format("ROUND(CAST(SUM({0}) AS {1}) / COUNT({0}))", argument, real), dialect);
    return bigint(between(mean, integer_literal(bounds.lo, dialect), integer_literal(bounds.hi, dialect)), dialect);
  }
  const std::string mean = single_row ? fmt::format("CAST({} AS {})", argument, real)
                                      : fmt::format("(CAST(SUM({0}) AS {1}) / COUNT({0}))", argument, real);
  return real_in_steps(mean, bounds, value.grid.exponent, dialect);
}

std::string own_quantile(double fraction, const std::string& argument, const Dialect& dialect) {
  if (fraction <= 0.0) return fmt::format("MIN({})", argument);
  if (fraction >= 1.0) return fmt::format("MAX({})", argument);
  return dialect.quantile_of(argument, double_literal(fraction, dialect));
}

}  // namespace

std::string user_argument_sql(const UserValue& value, const PrintedRelation& relation, const Dialect& dialect) {
  const std::string sql = print_operand(*value.argument, relation, dialect);
  const TypeKind kind = value.argument->type.kind;
  const UserBounds limits{value.least, value.most};
  switch (value.kind) {
    case UserValue::Kind::presence: break;
    case UserValue::Kind::rows:
    case UserValue::Kind::distinct: return print_expression(*value.argument, relation, dialect);
    case UserValue::Kind::total:
    case UserValue::Kind::mean: {
      if (kind == TypeKind::real) return real_in_steps(sql, limits, value.grid.exponent, dialect);
      if (!is_wide(value)) {
        const auto summed = dialect.summed_type(value.argument->type);
        return summed ? fmt::format("CAST({} AS {})", sql, dialect.computed_type_name(*summed)) : sql;
      }
      const int scale = kind == TypeKind::decimal ? value.argument->type.scale : 0;
      const SqlType narrow = SqlType::decimal(widest_step_type, scale);
      const Int128 most = power_of_ten(widest_step_type) - 1;
      const auto bound = [&](Int128 units) { return print_literal(Decimal{units, scale}, narrow, dialect); };
      return fmt::format("CAST({} AS {})", between(sql, bound(-most), bound(most)), dialect.computed_type_name(narrow));
    }
    case UserValue::Kind::quantile:
      return kind == TypeKind::real ? sql
                                    : fmt::format("CAST({} AS {})", sql, dialect.computed_type_name(SqlType::real()));
  }
  TACIT_CHECK(false, "a value with an argument reads it");
}

std::string user_value_sql(const UserValue& value, const UserBounds& bounds, const std::string& argument,
                           bool single_row, const Dialect& dialect) {
  switch (value.kind) {
    case UserValue::Kind::rows: return rows_sql(value, bounds, argument, single_row, dialect);
    case UserValue::Kind::total: return total_sql(value, bounds, argument, single_row, dialect);
    case UserValue::Kind::mean: return mean_sql(value, bounds, argument, single_row, dialect);
    case UserValue::Kind::quantile: {
      const std::string own = single_row ? argument : own_quantile(value.fraction, argument, dialect);
      return real_in_steps(own, bounds, value.grid.exponent, dialect);
    }
    case UserValue::Kind::presence:
    case UserValue::Kind::distinct: break;
  }
  TACIT_CHECK(false, "a presence and distinct values are not computed for each user");
}

std::string magnitude_bin_sql(const std::string& value, const Dialect& dialect) {
  const std::string magnitude = fmt::format("ABS(CAST({} AS {}))", value, dialect.computed_type_name(SqlType::real()));
  const std::string twice_log = dialect.multiple_of_log2(2, magnitude);
  const std::string bin = fmt::format("(1 + {})", bigint(fmt::format("CEIL({})", twice_log), dialect));
  const std::string zero = bigint("0", dialect);
  return fmt::format("CASE WHEN {0} = 0 THEN {1} WHEN {0} < 0 THEN -{2} ELSE {2} END", value, zero, bin);
}

std::string spread_bin_sql(const std::string& sum, const Dialect& dialect) {
  return fmt::format("CASE WHEN {0} = 0 THEN {1} ELSE 1 + {2} END", sum, bigint("0", dialect),
                     bigint(fmt::format("CEIL({})", dialect.multiple_of_log2(spread_bins_per_octave, sum)), dialect));
}

std::string spread_share_sql(const std::string& value, const std::string& sum, const Dialect& dialect) {
  const std::string real = dialect.computed_type_name(SqlType::real());
  const std::string share =
      fmt::format("TRUNC(CAST({} AS {}) / {} * {})", value, real, sum, double_literal(spread_shares, dialect));
  // A group that is not listed is in no sum, and may hold more than it.
  return fmt::format("CASE WHEN {0} > 0 AND ABS(CAST({1} AS {2})) <= {0} THEN {3} ELSE {4} END", sum, value, real,
                     bigint(share, dialect), bigint("0", dialect));
}

std::string quantile_leaf_sql(const std::string& value, const UserBounds& bounds, const Dialect& dialect) {
  if (bounds.lo == bounds.hi) return bigint("0", dialect);
  const double leaves_per_step = quantile_leaves / static_cast<double>(bounds.hi - bounds.lo);
  const std::string offset = fmt::format("CAST({} - {} AS {})", value, integer_literal(bounds.lo, dialect),
                                         dialect.computed_type_name(SqlType::real()));
  const std::string leaf =
      bigint(fmt::format("FLOOR({} * {})", offset, double_literal(leaves_per_step, dialect)), dialect);
  return fmt::format("LEAST({}, {})", leaf, integer_literal(quantile_leaves - 1, dialect));
}

}  // namespace tacit
