// EXTRACT(field FROM x), date_part('field', x): a whole number with the field's own range, seconds with six digits.
// NULL outside the calendar.
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

// Years follow from the operand; the other fields come round.
ExactRange field_range(const CalendarField& field, const Expr& moment) {
  if (field.name == "second") return {{{0, 6}, true}, {{59'999'999, 6}, true}};
  if (field.name != "year") return {{{field.least, 0}, true}, {{field.most, 0}, true}};
  const std::int64_t unit = moment.type.kind == TypeKind::date ? microseconds_per_day : 1;
  return map_ends(exact_range(moment), [&](const Decimal& end) {
    return Decimal{year_of(static_cast<std::int64_t>(end.units) * unit), 0};
  });
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(const CalendarField* field, field_argument(
                                            *args[0], "EXTRACT", [](const CalendarField&) { return true; }, position));
  TACIT_TRY(ExprPtr moment, moment_argument(args[1], "EXTRACT", position));
  if (field->of_time && moment->type.kind == TypeKind::date) {
    return refuse(fmt::format("a date has no {}", field->name), "EXTRACT it from a timestamp", position);
  }
  moment = in_calendar(numeric_operand(std::move(moment)));
  const SqlType type = field->name == "second" ? SqlType::decimal(8, 6) : SqlType::integer(64);
  const ExactRange range = field_range(*field, *moment);
  ExprPtr name = make_literal(std::string(field->name), SqlType::text(), args[0]->position);
  // One rule for both spellings, so that they are the same expression.
  return make_call(extract_rule, {name, moment}, type, range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  const CalendarField& field = field_of(*args[0]);
  if (field.name == "second") return printer.dialect().print_seconds(*args[1], printer);
  printer.text("CAST(EXTRACT(");
  printer.text(field.name);
  printer.text(" FROM ");
  printer.operand(*args[1]);
  printer.text(") AS ");
  printer.text(printer.dialect().computed_type_name(call.type));
  printer.text(")");
}

}  // namespace

const FunctionRule extract_rule{"extract", {Nulls::propagated, Meaning::other}, bind, print};
const FunctionRule date_part_rule{"date_part", never_called, bind, nullptr, Callable::by_analyst};

}  // namespace tacit
