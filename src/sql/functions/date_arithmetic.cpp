#include "sql/functions/date_arithmetic.hpp"

#include <algorithm>

#include "sql/coerce.hpp"
#include "sql/functions/arithmetic.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/cast_literal.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/interval.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

bool is_date(const Expr& expr) { return expr.type.kind == TypeKind::date; }
bool is_moment(const Expr& expr) { return is_date(expr) || expr.type.kind == TypeKind::timestamp; }

tl::unexpected<Failure> refuse_pair(std::span<const ExprPtr> args, bool is_sum, int position) {
  const bool timestamps = args[0]->type.kind == TypeKind::timestamp || args[1]->type.kind == TypeKind::timestamp;
  return refuse_types(is_sum ? "`+`" : "`-`", args,
                      timestamps && !is_sum
                          ? "CAST both to date: the difference of dates is a number of days"
                          : "add days to a date, an interval to a date or timestamp, or subtract two dates",
                      position);
}

// No date moves further inside the calendar.
ExactRange longest_move() {
  const Int128 days = calendar_days().hi.value.units - calendar_days().lo.value.units;
  return {{{-days, 0}, false}, {{days, 0}, false}};
}

Result<ExprPtr> bind_days(ExprPtr date, ExprPtr days, bool is_sum, int position) {
  date = in_calendar(numeric_operand(std::move(date)));
  days = null_outside(numeric_operand(std::move(days)), longest_move());
  const auto range =
      is_sum ? add(exact_range(*date), exact_range(*days)) : subtract(exact_range(*date), exact_range(*days));
  if (!range) return refuse_overflow("date arithmetic", std::vector{date, days}, position);
  if (is_literal(*date) && is_literal(*days) && !is_null_literal(*date) && !is_null_literal(*days) &&
      contains(calendar_days(), *range)) {
    return make_literal(Date{static_cast<std::int32_t>(range->lo.value.units)}, SqlType::date(), position);
  }
  if (!is_sum) {
    TACIT_TRY(days, negate_rule.bind(negate_rule, {days}, position));
  }
  days = as_exact(std::move(days), SqlType::integer(32));
  return in_calendar(make_call(add_days_rule, {date, days}, SqlType::date(), *range, position));
}

Result<ExprPtr> bind_difference(std::vector<ExprPtr> dates, int position) {
  for (ExprPtr& date : dates) date = in_calendar(numeric_operand(std::move(date)));
  const auto range = subtract(exact_range(*dates[0]), exact_range(*dates[1]));
  if (!range) return refuse_overflow("`-`", dates, position);
  return make_call(days_between_rule, std::move(dates), SqlType::integer(64), *range, position);
}

// Adding months keeps the order of days but not of moments: 31 March 00:00 and 30 March 23:00 both land on the last day
// of February, the later one earlier. The range then covers both days whole.
ExactRange shifted_range(const ExactRange& from, const Interval& interval, bool keeps_order) {
  const auto shift = [&](Int128 microseconds) {
    return add_interval(static_cast<std::int64_t>(microseconds), interval);
  };
  if (keeps_order) {
    return map_ends(from, [&](const Decimal& end) { return Decimal{shift(end.units), 0}; });
  }
  const auto midnight_before = [](Int128 microseconds) {
    const Int128 into_day = microseconds % microseconds_per_day;
    return microseconds - (into_day < 0 ? into_day + microseconds_per_day : into_day);
  };
  return {{{shift(midnight_before(from.lo.value.units)), 0}, from.lo.stated},
          {{shift(midnight_before(from.hi.value.units)) + microseconds_per_day - 1, 0}, from.hi.stated}};
}

Result<ExprPtr> bind_interval_sum(ExprPtr moment, const ExprPtr& interval_expr, bool is_sum, int position) {
  const Interval interval = is_sum ? interval_of(*interval_expr) : negated(interval_of(*interval_expr));
  const bool keeps_order = interval.months == 0 || is_date(*moment) || is_literal(*moment);
  ExprPtr from = as_timestamp(numeric_operand(std::move(moment)));
  if (is_null_literal(*from)) return from;
  const ExactRange range = shifted_range(exact_range(*from), interval, keeps_order);
  if (is_literal(*from) && contains(calendar_microseconds(), range)) {
    return make_literal(Timestamp{static_cast<std::int64_t>(range.lo.value.units)}, SqlType::timestamp(), position);
  }
  ExprPtr shift = make_interval(interval, interval_expr->position);
  return in_calendar(make_call(add_interval_rule, {from, shift}, SqlType::timestamp(), range, position));
}

// A moment of ours that leaves our calendar for a day before Dialect::earliest_day is NULL in the end. A sum that may
// leave the engine's calendar: CASE WHEN days since 0001-01-01 >= 0 THEN date + days END
void print_days_sum(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  const auto earliest_day = printer.dialect().earliest_day();
  const bool guarded = earliest_day && exact_range(call).lo.value.units < *earliest_day;
  printer.text("(");
  if (guarded) {
    printer.text("CASE WHEN ");
    printer.operand(*args[0]);
    printer.text(" - DATE '0001-01-01' + ");
    printer.operand(*args[1]);
    printer.text(" >= 0 THEN ");
  }
  printer.operand(*args[0]);
  printer.text(" + ");
  printer.operand(*args[1]);
  printer.text(guarded ? " END)" : ")");
}

void print_difference(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("CAST(");
  printer.operand(*args[0]);
  printer.text(" - ");
  printer.operand(*args[1]);
  printer.text(" AS BIGINT)");
}

void print_interval_sum(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  const Interval interval = interval_of(*args[1]);
  const auto earliest_day = printer.dialect().earliest_day();
  const std::int64_t earliest = earliest_day.value_or(0) * microseconds_per_day;
  const bool guarded = earliest_day && exact_range(call).lo.value.units < earliest;
  printer.text("(");
  if (guarded) {
    // What lies before this moment lands before our calendar, what lies after it lands in the engine's.
    printer.text("CASE WHEN ");
    printer.operand(*args[0]);
    printer.text(" >= ");
    const auto first = static_cast<std::int64_t>(calendar_microseconds().lo.value.units);
    const std::int64_t from = std::max(first, add_interval(earliest, negated(interval)));
    printer.literal(Timestamp{from}, SqlType::timestamp());
    printer.text(" THEN ");
  }
  printer.operand(*args[0]);
  printer.text(" + ");
  printer.text(printer.dialect().interval_literal(interval));
  printer.text(guarded ? " END)" : ")");
}

}  // namespace

bool is_date_arithmetic(std::span<const ExprPtr> args) {
  return std::any_of(args.begin(), args.end(), [](const ExprPtr& arg) { return is_moment(*arg) || is_interval(*arg); });
}

Result<ExprPtr> bind_date_arithmetic(std::vector<ExprPtr> args, bool is_sum, int position) {
  // Addition commutes: the moment comes first.
  if (is_sum && is_moment(*args[1])) std::swap(args[0], args[1]);
  // date - '2020-01-01' is date - date.
  if (!is_sum && is_date(*args[0]) && is_untyped_literal(*args[1])) {
    TACIT_TRY(args[1], cast_literal(*args[1], SqlType::date(), position));
  }
  if (!is_moment(*args[0])) return refuse_pair(args, is_sum, position);
  if (is_interval(*args[1])) return bind_interval_sum(args[0], args[1], is_sum, position);
  if (is_date(*args[0]) && args[1]->type.kind == TypeKind::integer) {
    return bind_days(args[0], args[1], is_sum, position);
  }
  if (!is_sum && is_date(*args[0]) && is_date(*args[1])) return bind_difference(std::move(args), position);
  return refuse_pair(args, is_sum, position);
}

const FunctionRule add_days_rule{
    "add days", {Nulls::propagated, Meaning::other}, nullptr, print_days_sum, Callable::internally, 2};
const FunctionRule days_between_rule{
    "days between", {Nulls::strict, Meaning::other, infix("-")}, nullptr, print_difference};
const FunctionRule add_interval_rule{
    "add interval", {Nulls::propagated, Meaning::other}, nullptr, print_interval_sum, Callable::internally, 2};

}  // namespace tacit
