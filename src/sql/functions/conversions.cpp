#include "sql/functions/conversions.hpp"

#include "base/check.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

int scale_of(const SqlType& type) { return type.kind == TypeKind::decimal ? type.scale : 0; }

ExprPtr call_of(const FunctionRule& rule, ExprPtr value, const SqlType& type, const Range& range) {
  const int position = value->position;
  return make_call(rule, {std::move(value)}, type, range, position);
}

// Ends that are not values of the type are moved to the nearest value inside.
ExactRange moved_inward(const ExactRange& range, int scale) {
  const auto lo = rescale_up(range.lo.value, scale);
  const auto hi = rescale_down(range.hi.value, scale);
  return {{lo.value_or(range.lo.value), range.lo.stated}, {hi.value_or(range.hi.value), range.hi.stated}};
}

}  // namespace

bool is_literal(const Expr& expr) { return std::holds_alternative<Literal>(expr.node); }

bool is_null_literal(const Expr& expr) { return is_literal(expr) && std::holds_alternative<Null>(literal_value(expr)); }

bool is_untyped_literal(const Expr& expr) { return is_literal(expr) && expr.type.kind == TypeKind::unknown; }

bool is_interval(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.node);
  return call != nullptr && call->rule == &interval_rule;
}

const Value& literal_value(const Expr& literal) { return std::get<Literal>(literal.node).value; }

const ExactRange& exact_range(const Expr& expr) {
  const auto* range = std::get_if<ExactRange>(&expr.range);
  TACIT_CHECK(range != nullptr, "an exact expression has an exact range");
  return *range;
}

const RealRange& real_range(const Expr& expr) {
  const auto* range = std::get_if<RealRange>(&expr.range);
  TACIT_CHECK(range != nullptr, "a double expression has a double range");
  return *range;
}

bool fits_exactly(const Expr& number, const SqlType& type) {
  if (!number.type.is_exact_number() || !type.is_exact_number()) return false;
  if (is_null_literal(number)) return true;
  if (is_literal(number)) {
    if (!rescale(std::get<Decimal>(literal_value(number)), scale_of(type))) return false;
  } else if (scale_of(number.type) > scale_of(type)) {
    return false;
  }
  const Range limits = type_range(type);
  return contains(std::get<ExactRange>(limits), exact_range(number));
}

ExprPtr as_exact(ExprPtr number, const SqlType& type) {
  TACIT_CHECK(fits_exactly(*number, type), "an exact conversion loses nothing");
  if (number->type == type) return number;
  if (is_literal(*number)) return make_literal(literal_value(*number), type, number->position);
  // One conversion does for two.
  const auto* call = std::get_if<Call>(&number->node);
  if (call != nullptr && call->rule == &convert_rule && fits_exactly(*call->args[0], type)) {
    return as_exact(call->args[0], type);
  }
  const Range range = number->range;
  return call_of(convert_rule, std::move(number), type, range);
}

ExprPtr as_real(ExprPtr number) {
  if (number->type.kind == TypeKind::real) return number;
  if (is_null_literal(*number)) return make_literal(Null{}, SqlType::real(), number->position);
  if (is_literal(*number)) {
    return make_literal(to_double(std::get<Decimal>(literal_value(*number))), SqlType::real(), number->position);
  }
  const RealRange range = to_real(exact_range(*number));
  return call_of(to_double_rule, std::move(number), SqlType::real(), range);
}

ExprPtr rounded(ExprPtr number, int scale) {
  if (scale_of(number->type) <= scale) return number;
  const auto range = round_half_away(exact_range(*number), scale);
  TACIT_CHECK(range.has_value(), "rounding to fewer digits fits");
  const int width = digits_to_round(exact_range(*number), scale);
  TACIT_CHECK(width <= 38, "a number of 38 digits has room for rounding when a digit is dropped");
  const SqlType type = SqlType::decimal(width, scale);
  if (is_null_literal(*number)) return make_literal(Null{}, type, number->position);
  if (is_literal(*number)) return make_literal(range->lo.value, type, number->position);
  return call_of(round_to_scale_rule, std::move(number), type, *range);
}

ExprPtr null_outside(ExprPtr value, const Range& window) {
  if (const auto* real = std::get_if<RealRange>(&window)) {
    // A bare column may store NaN, whatever its range says.
    const bool is_column = std::holds_alternative<ColumnRef>(value->node);
    if (!is_column && contains(*real, real_range(*value))) return value;
    const RealRange range = intersect(real_range(*value), *real);
    return call_of(null_outside_rule, std::move(value), SqlType::real(), range);
  }
  const ExactRange inward = moved_inward(std::get<ExactRange>(window), scale_of(value->type));
  if (contains(inward, exact_range(*value))) return value;
  const ExactRange range = intersect(exact_range(*value), inward);
  const SqlType type = value->type;
  return call_of(null_outside_rule, std::move(value), type, range);
}

ExprPtr clamped(ExprPtr value, const Range& bounds) {
  const SqlType type = value->type;
  if (const auto* real = std::get_if<RealRange>(&bounds)) {
    const RealRange range = intersect(real_range(*value), *real);
    return call_of(clamp_rule, std::move(value), type, range);
  }
  const ExactRange range = intersect(exact_range(*value), moved_inward(std::get<ExactRange>(bounds), scale_of(type)));
  return call_of(clamp_rule, std::move(value), type, range);
}

ExprPtr in_calendar(ExprPtr moment) {
  const bool is_date = moment->type.kind == TypeKind::date;
  return null_outside(std::move(moment), is_date ? calendar_days() : calendar_microseconds());
}

ExprPtr as_timestamp(ExprPtr moment) {
  if (moment->type.kind == TypeKind::timestamp) return in_calendar(std::move(moment));
  if (is_null_literal(*moment)) return make_literal(Null{}, SqlType::timestamp(), moment->position);
  if (is_literal(*moment)) {
    const auto days = std::get<Date>(literal_value(*moment)).days;
    return make_literal(Timestamp{days * microseconds_per_day}, SqlType::timestamp(), moment->position);
  }
  ExprPtr date = in_calendar(std::move(moment));
  const ExactRange range = map_ends(exact_range(*date), [](const Decimal& days) {
    return Decimal{days.units * microseconds_per_day, 0};
  });
  return call_of(to_timestamp_rule, std::move(date), SqlType::timestamp(), range);
}

}  // namespace tacit
