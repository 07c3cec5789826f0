#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/type.hpp"

namespace tacit {

class ExpressionPrinter;  // sql/print_expression.hpp
enum class LetterCase;    // sql/functions/ascii_case.hpp
struct Decimal;           // base/decimal.hpp
struct DecimalQuotient;   // sql/functions/quotients.hpp
struct Expr;              // sql/expr.hpp
struct Interval;          // sql/functions/calendar.hpp

// Something that printed SQL relies on.
struct Reliance {
  std::string_view what;
  std::string_view holds;  // a condition; x is an integer column of one row, -1
};

// The SQL an engine speaks. What two engines say differently is a function here, named for what is said and not for who
// says it, and none has a default: a dialect that leaves one out does not compile. Nobody asks which dialect it is.
//
// Everything printed is total: where the arguments are what the function REQUIRES, no value of the data raises an
// error. A call is one that its rule's bind has made; a print function appends to the printer.
class Dialect {
 public:
  Dialect() = default;
  Dialect(const Dialect&) = delete;
  Dialect& operator=(const Dialect&) = delete;
  virtual ~Dialect() = default;
  bool operator==(const Dialect&) const = delete;

  // --- Types and values

  // An engine type that holds every value of the type, with its digits.
  virtual std::string type_name(const SqlType& type) const = 0;
  // The type a computed value is cast to: one that holds its value, perhaps without a limit on its digits.
  virtual std::string computed_type_name(const SqlType& type) const = 0;
  // A finite double as an expression of that type that costs the engine little to read.
  virtual std::string double_literal(double value) const = 0;
  // Months, days and microseconds, for + beside a timestamp.
  virtual std::string interval_literal(const Interval& interval) const = 0;
  // Stands after a text expression so that it is ordered by its bytes; empty where it is in any case.
  virtual std::string_view byte_order() const = 0;
  // The same after an expression of any type: empty for all but text.
  std::string_view byte_order_of(const SqlType& type) const {
    return type.kind == TypeKind::text ? byte_order() : std::string_view();
  }

  // --- Facts

  // Whether a product, quotient or power of doubles other than zero that becomes zero is an error.
  virtual bool underflow_raises() const = 0;
  // Whether a stored decimal may be NaN, which is above every number.
  virtual bool decimals_may_be_nan() const = 0;
  // Whether the product of decimals of up to 18 digits is an error beyond 18 digits.
  virtual bool decimal_products_have_18_digits() const = 0;
  // Whether a call with an argument that is always NULL becomes a NULL that has lost the call's type.
  virtual bool folded_nulls_lose_their_type() const = 0;
  // Whether an expression is computed as often as it is written, and once by a subquery in FROM.
  virtual bool computes_repetitions() const = 0;
  // A date or timestamp sum is an error before some day before this one (since 1970); empty: for no sum of ours.
  virtual std::optional<std::int64_t> earliest_day() const = 0;
  // What the SQL of this dialect relies on, beside what that of every dialect does.
  virtual std::span<const Reliance> relied_on() const = 0;

  // --- Operands

  // A stored column in the engine type that the proof is about, NaN of a decimal as NULL.
  virtual void print_column_operand(const Expr& column, ExpressionPrinter& printer) const = 0;
  // ExpressionPrinter::operand where a comparison has shown that the value is not NaN.
  virtual void print_bounded_operand(const Expr& expr, ExpressionPrinter& printer) const = 0;
  // A number to the left of < or > such that NaN of a decimal fails the comparison as NULL does.
  virtual void print_compared(const Expr& expr, ExpressionPrinter& printer) const = 0;

  // --- Conversions

  // A call that changes the type and keeps the value: between exact types, to double, from a date to its midnight.
  virtual void print_conversion(const Expr& call, ExpressionPrinter& printer) const = 0;
  // A decimal rounded half away from zero to the scale of the call's type.
  virtual void print_rounded(const Expr& call, ExpressionPrinter& printer) const = 0;
  // A double that its range proves to fit, times 10^scale in doubles and rounded half away from zero.
  virtual void print_real_to_decimal(const Expr& call, ExpressionPrinter& printer) const = 0;
  // The text of a decimal, with as many digits after the point as its type has.
  virtual void print_decimal_text(const Expr& call, ExpressionPrinter& printer) const = 0;

  // --- Functions

  // dividend / divisor cut toward zero; NULL for a divisor of 0. REQUIRES: the quotient fits the type.
  virtual void print_integer_quotient(const Expr& dividend, const Expr& divisor, const SqlType& type,
                                      ExpressionPrinter& printer) const = 0;
  // The remainder of that, with the dividend's sign; NULL for a divisor of 0. REQUIRES: the quotient fits the type.
  virtual void print_remainder(const Expr& dividend, const Expr& divisor, ExpressionPrinter& printer) const = 0;
  // The exact quotient of two whole numbers of units, rounded half away from zero; NULL for a divisor of 0.
  virtual void print_decimal_quotient(const Expr& call, const DecimalQuotient& plan,
                                      ExpressionPrinter& printer) const = 0;
  // x * y of doubles; a product below the least double is 0. REQUIRES: it does not overflow.
  virtual void print_real_product(const Expr& x, const Expr& y, ExpressionPrinter& printer) const = 0;
  // The whole number nearest to a double, half to even.
  virtual void print_nearest_whole(const Expr& x, ExpressionPrinter& printer) const = 0;
  // The point of the call's range nearest to an exact number, date or timestamp; NULL stays NULL.
  virtual void print_exact_clamp(const Expr& call, ExpressionPrinter& printer) const = 0;
  // The seconds of a timestamp as a decimal(8,6).
  virtual void print_seconds(const Expr& moment, ExpressionPrinter& printer) const = 0;
  // The case of the letters A to Z alone.
  virtual void print_letter_case(LetterCase wanted, const Expr& text, ExpressionPrinter& printer) const = 0;
  // LIKE or ILIKE; the work of one row is at most some multiple of text times pattern.
  virtual void print_like(const Expr& call, ExpressionPrinter& printer) const = 0;

  // --- Aggregates and statements

  // SUM(x) moved to the nearest number in [-limit, limit], in the type. x: of a type that summed_type leaves.
  virtual std::string sum_within(const std::string& x, const Decimal& limit, const SqlType& type) const = 0;
  // The type an exact number of at most 18 digits is cast to so that no sum of it overflows; empty: its own will do.
  virtual std::optional<SqlType> summed_type(const SqlType& type) const = 0;
  // The aggregate that interpolates between the values of x at the share, a number in (0, 1) as SQL.
  virtual std::string quantile_of(const std::string& x, const std::string& share) const = 0;
  // factor * log2(x) as a double. REQUIRES: x > 0.
  virtual std::string multiple_of_log2(int factor, const std::string& x) const = 0;
  // A 64-bit hash of the columns whose every bit depends on all of them and on the key.
  virtual std::string keyed_hash(const std::string& columns, std::uint64_t key) const = 0;
  // The condition that 64 bits hold a timestamp's microseconds since 1970.
  virtual std::string is_readable_timestamp(const std::string& x) const = 0;
};

}  // namespace tacit
