// CAST(value AS target). What PostgreSQL would refuse for some value becomes NULL for that value:
//   number  -> integer, decimal   rounded (exact: half away from zero; doubles to integer: half to even), NULL outside
//   number  -> double             nearest
//   integer -> boolean            x <> 0;  boolean -> integer  0 or 1
//   exact number, boolean, date, timestamp -> text
//   date   <-> timestamp          NULL outside the calendar
//   text    -> anything           literals only, read at binding
#include <fmt/format.h>

#include "sql/coerce.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/cast_literal.hpp"
#include "sql/functions/cast_real.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/print_cast.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr const char* numbers_only = "cast numbers only; EXTRACT takes a number from a date";

tl::unexpected<Failure> refuse_cast(const Expr& value, const SqlType& target, std::string hint, int position) {
  return refuse(fmt::format("cannot cast {} to {}", type_word(value), to_string(target)), std::move(hint), position);
}

ExprPtr call_of(const FunctionRule& rule, ExprPtr value, const SqlType& type, const Range& range, int position) {
  return make_call(rule, {std::move(value)}, type, range, position);
}

Result<ExprPtr> to_integer(ExprPtr value, const SqlType& target, int position) {
  if (value->type.kind == TypeKind::boolean) {
    const ExactRange range{{{0, 0}, true}, {{1, 0}, true}};
    return call_of(boolean_to_integer_rule, std::move(value), target, range, position);
  }
  if (value->type.kind == TypeKind::real) return real_to_integer(numeric_operand(std::move(value)), target, position);
  if (!value->type.is_exact_number())
    return refuse_cast(*value, target, "cast numbers and booleans only; EXTRACT takes a number from a date", position);
  return as_exact(null_outside(rounded(numeric_operand(std::move(value)), 0), type_range(target)), target);
}

Result<ExprPtr> to_decimal(ExprPtr value, const SqlType& target, int position) {
  if (value->type.kind == TypeKind::real) return real_to_decimal(numeric_operand(std::move(value)), target, position);
  if (!value->type.is_exact_number()) return refuse_cast(*value, target, numbers_only, position);
  return as_exact(null_outside(rounded(numeric_operand(std::move(value)), target.scale), type_range(target)), target);
}

Result<ExprPtr> to_text(ExprPtr value, const SqlType& target, int position) {
  switch (value->type.kind) {
    case TypeKind::text: return value;
    case TypeKind::boolean:
    case TypeKind::integer: value = numeric_operand(std::move(value)); break;
    case TypeKind::decimal: {
      // With a digit before the point in its type DuckDB writes 0.05 and not .05.
      value = numeric_operand(std::move(value));
      const int scale = value->type.scale;
      if (scale == value->type.precision) {
        if (scale == 38) return refuse_cast(*value, target, "CAST to fewer digits first", position);
        value = as_exact(std::move(value), SqlType::decimal(scale + 1, scale));
      }
      break;
    }
    case TypeKind::date:
    case TypeKind::timestamp: value = in_calendar(numeric_operand(std::move(value))); break;
    default:
      return refuse_cast(*value, target, "CAST the double to decimal(p, s) first: engines spell doubles differently",
                         position);
  }
  return call_of(to_text_rule, std::move(value), target, {}, position);
}

Result<ExprPtr> to_date(ExprPtr value, const SqlType& target, int position) {
  if (value->type.kind == TypeKind::date) return numeric_operand(std::move(value));
  if (value->type.kind != TypeKind::timestamp) return refuse_cast(*value, target, "cast timestamps only", position);
  value = in_calendar(numeric_operand(std::move(value)));
  const ExactRange range = map_ends(exact_range(*value), [](const Decimal& end) {
    const Int128 days = end.units / microseconds_per_day;
    return Decimal{days - (end.units % microseconds_per_day < 0 ? 1 : 0), 0};
  });
  return call_of(to_date_rule, std::move(value), target, range, position);
}

Result<ExprPtr> to_boolean(ExprPtr value, const SqlType& target, int position) {
  if (value->type.kind == TypeKind::boolean) return value;
  if (value->type.kind != TypeKind::integer) return refuse_cast(*value, target, "compare it with something", position);
  TACIT_TRY(ExprPtr zero, number_literal("0", position));
  return bind_call("<>", {numeric_operand(std::move(value)), zero}, position);
}

// PostgreSQL casts a boolean to integer only, not to bigint or smallint.
void print_boolean_cast(const Expr& call, ExpressionPrinter& printer) {
  printer.text("CAST(CAST(");
  printer.operand(*std::get<Call>(call.node).args[0]);
  printer.text(" AS INTEGER) AS ");
  printer.text(printer.dialect().type_name(call.type));
  printer.text(")");
}

void print_text(const Expr& call, ExpressionPrinter& printer) {
  const Expr& value = *std::get<Call>(call.node).args[0];
  if (value.type.kind != TypeKind::decimal) return print_cast(call, printer);
  printer.dialect().print_decimal_text(call, printer);
}

}  // namespace

Result<ExprPtr> bind_cast(ExprPtr value, const SqlType& target, int position) {
  if (is_interval(*value)) return refuse_cast(*value, target, "add the interval to a date or timestamp", position);
  const bool is_text = value->type.kind == TypeKind::text || value->type.kind == TypeKind::unknown;
  if (is_literal(*value) && (is_text || is_null_literal(*value))) return cast_literal(*value, target, position);
  if (is_text && target.kind != TypeKind::text) {
    return refuse_cast(*value, target, "declare the column with that type: text is not read as numbers or dates",
                       position);
  }
  switch (target.kind) {
    case TypeKind::boolean: return to_boolean(std::move(value), target, position);
    case TypeKind::integer: return to_integer(std::move(value), target, position);
    case TypeKind::decimal: return to_decimal(std::move(value), target, position);
    case TypeKind::real:
      if (!value->type.is_number()) return refuse_cast(*value, target, numbers_only, position);
      return as_real(numeric_operand(std::move(value)));
    case TypeKind::text: return to_text(std::move(value), target, position);
    case TypeKind::date: return to_date(std::move(value), target, position);
    case TypeKind::timestamp:
      if (value->type.kind != TypeKind::date && value->type.kind != TypeKind::timestamp) {
        return refuse_cast(*value, target, "cast dates only", position);
      }
      return as_timestamp(numeric_operand(std::move(value)));
    case TypeKind::unknown: break;
  }
  return refuse_cast(*value, target, "docs/sql.md lists the types", position);
}

const FunctionRule boolean_to_integer_rule{
    "boolean to integer", {Nulls::propagated, Meaning::other}, nullptr, print_boolean_cast};
const FunctionRule to_text_rule{"to text",
                                {Nulls::propagated, Meaning::other},
                                nullptr,
                                print_text,
                                Callable::internally,
                                1,
                                TextLength::of_a_spelling};
const FunctionRule to_date_rule{"to date", {Nulls::propagated, Meaning::other}, nullptr, print_cast};

}  // namespace tacit
