#include "sql/plain_aggregate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr int widest_sum = 18;  // digits
constexpr int step_bits = 40;

Int128 largest_sum() { return power_of_ten(widest_sum) - 1; }

ExactRange not_stated(Int128 lo, Int128 hi, int scale) { return {{{lo, scale}, false}, {{hi, scale}, false}}; }
RealRange not_stated(double magnitude) { return {{-magnitude, false}, {magnitude, false}}; }

int scale_of(const SqlType& type) { return type.kind == TypeKind::decimal ? type.scale : 0; }

double magnitude_of(const Expr& real) {
  const auto& range = std::get<RealRange>(real.range);
  return std::max(std::fabs(range.lo.value), std::fabs(range.hi.value));
}

// A step of a sum of doubles is 2^-exponent.
int step_exponent(const Expr& real) {
  const double farther = magnitude_of(real);
  if (farther == 0.0) return 0;
  // Within what a double can scale by.
  return std::clamp(step_bits - (std::ilogb(farther) + 1), -1000, 1000);
}

SqlType sum_type(const SqlType& argument) {
  if (argument.kind == TypeKind::real) return SqlType::real();
  if (argument.kind == TypeKind::decimal) return SqlType::decimal(widest_sum, argument.scale);
  return SqlType::integer(64);
}

Range sum_range(const Expr& argument) {
  // No table has 2^64 rows.
  if (argument.type.kind == TypeKind::real) return not_stated(std::ldexp(magnitude_of(argument), 64));
  return not_stated(-largest_sum(), largest_sum(), scale_of(argument.type));
}

SqlType type_of(const Aggregate& aggregate) {
  switch (aggregate.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
    case AggregateKind::count_distinct: return SqlType::integer(64);
    case AggregateKind::sum: return sum_type(aggregate.argument->type);
    case AggregateKind::average: return SqlType::real();
    case AggregateKind::minimum:
    case AggregateKind::maximum: return aggregate.argument->type;
    default: break;
  }
  TACIT_CHECK(false, "a subquery computes no other aggregate");
}

Range range_of(const Aggregate& aggregate) {
  switch (aggregate.kind) {
    case AggregateKind::sum: return sum_range(*aggregate.argument);
    case AggregateKind::average: {
      const bool real = aggregate.argument->type.kind == TypeKind::real;
      return real ? not_stated(2.0 * magnitude_of(*aggregate.argument)) : not_stated(largest_read_double);
    }
    case AggregateKind::minimum:
    case AggregateKind::maximum: return aggregate.argument->range;  // one of the values
    default: return ExactRange{{{0, 0}, true}, {{std::numeric_limits<std::int64_t>::max(), 0}, false}};
  }
}

std::string cast(const std::string& sql, const SqlType& type, const Dialect& dialect) {
  return fmt::format("CAST({} AS {})", sql, dialect.computed_type_name(type));
}

// The double `x` in whole steps, half to even. Where it is an error that a product underflows: with a step of 2 or more
// that product is 0.
std::string steps_of(const std::string& x, int exponent, const Dialect& dialect) {
  std::string product = fmt::format("({}) * {}", x, double_literal(std::ldexp(1.0, exponent), dialect));
  if (exponent < 0 && dialect.underflow_raises()) {
    product = fmt::format("CASE WHEN ABS({}) < 1 THEN 0 ELSE {} END", x, product);
  }
  return cast(product, SqlType::integer(64), dialect);
}

// Engines compute an aggregate that is written more than once a single time.
std::string print_sum(const Expr& argument, const std::string& x, const Dialect& dialect) {
  if (argument.type.kind == TypeKind::real) {
    const int exponent = step_exponent(argument);
    return fmt::format("({} * {})",
                       cast(fmt::format("SUM({})", steps_of(x, exponent, dialect)), SqlType::real(), dialect),
                       double_literal(std::ldexp(1.0, -exponent), dialect));
  }
  const SqlType type = sum_type(argument.type);
  return dialect.sum_within(x, Decimal{largest_sum(), scale_of(type)}, type);
}

std::string print_average(const Expr& argument, const std::string& x, const Dialect& dialect) {
  const bool real = argument.type.kind == TypeKind::real;
  const int exponent = real ? step_exponent(argument) : 0;
  const std::string sum = fmt::format("SUM({})", real ? steps_of(x, exponent, dialect) : x);
  const std::string mean = fmt::format("{} / {}", cast(sum, SqlType::real(), dialect),
                                       cast(fmt::format("COUNT({})", x), SqlType::real(), dialect));
  if (exponent == 0) return "(" + mean + ")";
  return fmt::format("({} * {})", mean, double_literal(std::ldexp(1.0, -exponent), dialect));
}

// Text is ordered by its bytes. Which of -0.0 and 0.0 is the least depends on the order of the rows: the sum is 0.0.
std::string print_extreme(const Expr& argument, const char* name, const std::string& x, const Dialect& dialect) {
  const std::string extreme = fmt::format("{}({}{})", name, x, dialect.byte_order_of(argument.type));
  if (argument.type.kind != TypeKind::real) return extreme;
  return fmt::format("({} + {})", extreme, double_literal(0.0, dialect));
}

}  // namespace

Result<ExprPtr> summable(ExprPtr argument, const char* name, int position) {
  if (argument->type.kind == TypeKind::real) {
    const RealRange& range = real_range(*argument);
    if (!range.stated()) {
      return refuse(fmt::format("{} of doubles in a subquery needs bounds: they are added up in steps", name),
                    "declare min and max for the column in the policy, write LEAST(GREATEST(x, low), high), or cast "
                    "the argument to a decimal",
                    position);
    }
    if (magnitude_of(*argument) > largest_read_double) {
      return refuse(fmt::format("the bounds of this {} are too wide to be added up", name),
                    "use bounds of at most 1e100", position);
    }
    return argument;
  }
  if (argument->type.kind == TypeKind::integer) {
    if (argument->type.bits > 64) argument = clamped(std::move(argument), type_range(SqlType::integer(64)));
    return as_exact(std::move(argument), SqlType::integer(64));
  }
  if (argument->type.precision <= widest_sum) return argument;
  const SqlType narrow = SqlType::decimal(widest_sum, argument->type.scale);
  if (narrow.scale > widest_sum) {
    return refuse(fmt::format("the argument of this {} has more than 18 digits after the point", name),
                  "CAST it to fewer decimal places", position);
  }
  return as_exact(clamped(std::move(argument), type_range(narrow)), narrow);
}

ColumnPtr plain_aggregate_column(const Aggregate& aggregate, std::string name, bool is_private) {
  Column column;
  column.name = std::move(name);
  column.type = type_of(aggregate);
  column.is_private = is_private;
  column.proved = range_of(aggregate);
  return std::make_shared<Column>(std::move(column));
}

std::string print_plain_aggregate(const Aggregate& aggregate, const std::string& argument, const Dialect& dialect) {
  switch (aggregate.kind) {
    case AggregateKind::count_rows: return "COUNT(*)";
    case AggregateKind::count: return fmt::format("COUNT({})", argument);
    case AggregateKind::count_distinct: return fmt::format("COUNT(DISTINCT {})", argument);
    case AggregateKind::sum: return print_sum(*aggregate.argument, argument, dialect);
    case AggregateKind::average: return print_average(*aggregate.argument, argument, dialect);
    case AggregateKind::minimum: return print_extreme(*aggregate.argument, "MIN", argument, dialect);
    case AggregateKind::maximum: return print_extreme(*aggregate.argument, "MAX", argument, dialect);
    default: break;
  }
  TACIT_CHECK(false, "a subquery computes no other aggregate");
}

}  // namespace tacit
