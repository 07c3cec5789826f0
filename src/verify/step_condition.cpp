#include "verify/step_condition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

std::string cast(const std::string& sql, const SqlType& type, const Dialect& dialect) {
  return fmt::format("CAST({} AS {})", sql, dialect.type_name(type));
}

Int128 power_of_ten(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// value < previous + step, where the sum may not exist: beyond `largest` - step every larger value is too near.
std::string exact_condition(const std::string& value, const std::string& previous, const SqlType& wide,
                            const Decimal& largest, const Decimal& step, const Dialect& dialect) {
  const auto last = subtract(largest, step);
  TACIT_CHECK(last.has_value(), "a step is not larger than every number of 38 digits");
  return fmt::format("CASE WHEN {1} > {2} THEN TRUE ELSE {0} < {1} + {3} END", cast(value, wide, dialect),
                     cast(previous, wide, dialect), print_literal(*last, wide, dialect),
                     print_literal(step, wide, dialect));
}

std::string integer_condition(const std::string& value, const std::string& previous, const Decimal& step,
                              const Dialect& dialect) {
  const SqlType wide = SqlType::integer(128);
  const Int128 largest = ~(static_cast<Int128>(1) << 127);
  return exact_condition(value, previous, wide, Decimal{largest, 0}, step, dialect);
}

std::string decimal_condition(const std::string& value, const std::string& previous, int scale, const Decimal& step,
                              const Dialect& dialect) {
  const SqlType wide = SqlType::decimal(38, scale);
  return exact_condition(value, previous, wide, Decimal{power_of_ten(38) - 1, scale}, step, dialect);
}

// Beyond 1e300 two different doubles are further apart than any step; the sums below stay far from overflow and
// underflow, which PostgreSQL reports as errors.
std::string real_condition(const std::string& value, const std::string& previous, const Decimal& step, double rounding,
                           const Dialect& dialect) {
  const SqlType real = SqlType::real();
  const auto number = [&](double x) { return print_literal(x, real, dialect); };
  const std::string v = cast(value, real, dialect);
  const std::string p = cast(previous, real, dialect);
  return fmt::format(
      "CASE WHEN {0} BETWEEN {2} AND {3} AND {1} BETWEEN {2} AND {3} "
      "THEN {0} - {1} < {4} - {5} * GREATEST(ABS({0}), ABS({1}), {6}) ELSE FALSE END",
      v, p, number(-1e300), number(1e300), number(to_double(step)), number(rounding), number(1e-200));
}

// `first` and `last` are literals: the range that is compared.
std::string time_condition(const std::string& value, const std::string& previous, const char* first, const char* last,
                           const std::string& nearer) {
  return fmt::format("CASE WHEN {0} BETWEEN {2} AND {3} AND {1} BETWEEN {2} AND {3} THEN {4} ELSE FALSE END", value,
                     previous, first, last, nearer);
}

// The step in units, at most `most`: two values compared are never further apart.
long long units_of(const Decimal& step, int scale, long long most) {
  const auto units = rescale(step, scale);
  return units && units->units < most ? static_cast<long long>(units->units) : most;
}

}  // namespace

std::string step_condition(const std::string& value, const std::string& previous, const SqlType& type,
                           const Decimal& step, double rounding, const Dialect& dialect) {
  switch (type.kind) {
    case TypeKind::integer: return integer_condition(value, previous, step, dialect);
    case TypeKind::decimal: return decimal_condition(value, previous, type.scale, step, dialect);
    case TypeKind::real: return real_condition(value, previous, step, rounding, dialect);
    case TypeKind::date:
      return time_condition(value, previous, "DATE '0001-01-01'", "DATE '9999-12-31'",
                            fmt::format("{} - {} < {}", value, previous, units_of(step, 0, 4'000'000)));
    case TypeKind::timestamp:
      return time_condition(value, previous, "TIMESTAMP '0001-01-01 00:00:00'", "TIMESTAMP '9999-12-31 23:59:59'",
                            fmt::format("{} < {} + {}", value, previous,
                                        dialect.interval_literal({0, 0, units_of(step, 6, 400'000'000'000'000'000)})));
    default: break;
  }
  TACIT_CHECK(false, "a step is declared on numbers, dates and timestamps");
}

}  // namespace tacit
