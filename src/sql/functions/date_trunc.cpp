// date_trunc('field', x): the start of x's year, quarter, month, ISO week, day, hour, minute or second, as a timestamp.
// Non-decreasing in x, so that the range's ends are the truncated ends. NULL outside the calendar (whose first day is a
// Monday and the start of everything).
#include <fmt/format.h>

#include "sql/coerce.hpp"
#include "sql/functions/calendar_argument.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(const CalendarField* field,
            field_argument(
                *args[0], "date_trunc", [](const CalendarField& known) { return known.truncates; }, position));
  TACIT_TRY(ExprPtr moment, moment_argument(args[1], "date_trunc", position));
  moment = as_timestamp(numeric_operand(std::move(moment)));
  const ExactRange range = map_ends(exact_range(*moment), [&](const Decimal& end) {
    return Decimal{truncate_to(*field, static_cast<std::int64_t>(end.units)), 0};
  });
  ExprPtr name = make_literal(std::string(field->name), SqlType::text(), args[0]->position);
  return make_call(rule, {name, moment}, SqlType::timestamp(), range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  // DuckDB answers with a date for whole days.
  printer.text("CAST(DATE_TRUNC(");
  printer.expression(*args[0]);
  printer.text(", ");
  printer.operand(*args[1]);
  printer.text(") AS TIMESTAMP)");
}

}  // namespace

const FunctionRule date_trunc_rule{
    "date_trunc", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst};

}  // namespace tacit
