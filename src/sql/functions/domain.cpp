#include "sql/functions/domain.hpp"

#include <algorithm>

#include "sql/coerce.hpp"
#include "sql/functions/calendar_argument.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/range_ends.hpp"
#include "sql/functions/rules.hpp"
#include "sql/functions/substring.hpp"

namespace tacit {
namespace {

using Domain = std::optional<std::vector<Value>>;

// Values of one type; text by bytes.
bool comes_before(const Value& a, const Value& b) {
  if (a.index() != b.index()) return a.index() < b.index();
  if (const auto* text = std::get_if<std::string>(&a)) return *text < std::get<std::string>(b);
  if (const auto* truth = std::get_if<bool>(&a)) return !*truth && std::get<bool>(b);
  if (const auto* number = std::get_if<Decimal>(&a)) return *number < std::get<Decimal>(b);
  if (const auto* real = std::get_if<double>(&a)) return *real < std::get<double>(b);
  if (const auto* date = std::get_if<Date>(&a)) return *date < std::get<Date>(b);
  if (const auto* moment = std::get_if<Timestamp>(&a)) return *moment < std::get<Timestamp>(b);
  return false;
}

Domain sorted(std::vector<Value> values, std::size_t at_most) {
  std::sort(values.begin(), values.end(), comes_before);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() > at_most) return std::nullopt;
  return values;
}

// Every value of the type's scale between stated ends.
Domain enumerated(const Expr& e, std::size_t at_most) {
  const auto* range = std::get_if<ExactRange>(&e.range);
  if (range == nullptr || !range->stated() || e.type.kind == TypeKind::timestamp) return std::nullopt;
  const int scale = e.type.kind == TypeKind::decimal ? e.type.scale : 0;
  const auto lo = rescale_up(range->lo.value, scale);
  const auto hi = rescale_down(range->hi.value, scale);
  if (!lo || !hi) return std::nullopt;
  const auto span = checked_subtract(hi->units, lo->units);
  if (!span || *span < 0 || *span >= static_cast<Int128>(at_most)) return std::nullopt;
  std::vector<Value> values;
  for (Int128 units = lo->units; units <= hi->units; ++units) values.push_back(exact_value({units, scale}, e.type));
  return values;
}

Domain truncated_moments(const Expr& e, const Call& call, std::size_t at_most) {
  const ExactRange& range = exact_range(e);
  if (!range.stated()) return std::nullopt;
  const CalendarField& field = field_of(*call.args[0]);
  const auto last = static_cast<std::int64_t>(range.hi.value.units);
  std::vector<Value> values;
  for (auto at = static_cast<std::int64_t>(range.lo.value.units); at <= last; at = next_start(field, at)) {
    if (values.size() == at_most) return std::nullopt;
    values.emplace_back(Timestamp{at});
  }
  return values;
}

// The value as a literal of the wider exact type, or a date's midnight.
Value converted(const Value& value, const SqlType& type) {
  if (const auto* number = std::get_if<Decimal>(&value)) {
    const auto same = rescale(*number, type.kind == TypeKind::decimal ? type.scale : 0);
    return same ? Value(*same) : value;
  }
  if (const auto* date = std::get_if<Date>(&value); date != nullptr && type.kind == TypeKind::timestamp) {
    return Timestamp{date->days * microseconds_per_day};
  }
  return value;
}

Domain domain_of(const Expr& e, std::size_t at_most);

Domain union_of(const std::vector<ExprPtr>& branches, const SqlType& type, std::size_t at_most) {
  std::vector<Value> values;
  for (const ExprPtr& branch : branches) {
    const Domain domain = domain_of(*branch, at_most);
    if (!domain) return std::nullopt;
    for (const Value& value : *domain) values.push_back(converted(value, type));
  }
  return sorted(std::move(values), at_most);
}

std::vector<ExprPtr> case_values(const Call& call) {
  std::vector<ExprPtr> values;
  for (std::size_t i = 1; i < call.args.size(); i += 2) values.push_back(call.args[i]);
  if (call.args.size() % 2 == 1) values.push_back(call.args.back());
  return values;
}

Domain parts_of_texts(const Call& substring, std::size_t at_most) {
  Domain whole = domain_of(*substring.args[0], at_most);
  if (!whole) return std::nullopt;
  for (Value& value : *whole) value = substring_of(std::get<std::string>(value), substring);
  return sorted(std::move(*whole), at_most);
}

Domain domain_of_call(const Expr& e, const Call& call, std::size_t at_most) {
  const FunctionRule* rule = call.rule;
  if (rule == &substring_rule) return parts_of_texts(call, at_most);
  if (rule == &date_trunc_rule) return truncated_moments(e, call, at_most);
  if (rule == &case_rule) return union_of(case_values(call), e.type, at_most);
  if (rule == &coalesce_rule || rule == &least_rule || rule == &greatest_rule) {
    return union_of(call.args, e.type, at_most);
  }
  // A clamp moves values only to its bounds; a bound that is no value of the domain is a row to drop.
  if (rule == &convert_rule || rule == &clamp_rule || rule == &to_timestamp_rule || rule == &null_outside_rule) {
    return union_of(call.args, e.type, at_most);
  }
  return std::nullopt;
}

Domain domain_of(const Expr& e, std::size_t at_most) {
  if (is_literal(e)) {
    if (is_null_literal(e)) return std::vector<Value>{};
    return sorted({literal_value(e)}, at_most);
  }
  if (e.type.kind == TypeKind::boolean) return sorted({false, true}, at_most);
  if (const auto* reference = std::get_if<ColumnRef>(&e.node); reference && !reference->column->domain.empty()) {
    return sorted(reference->column->domain, at_most);
  }
  if (const auto* call = std::get_if<Call>(&e.node)) {
    if (Domain domain = domain_of_call(e, *call, at_most)) return domain;
  }
  return enumerated(e, at_most);
}

}  // namespace

ExprPtr key_operand(ExprPtr e) {
  const auto* reference = std::get_if<ColumnRef>(&e->node);
  if (reference == nullptr || !reference->column->domain.empty()) return e;
  ExprPtr read = numeric_operand(e);
  const auto* call = std::get_if<Call>(&read->node);
  if (call == nullptr || call->rule != &clamp_rule) return read;
  const EndsToCheck check = ends_to_check(*read, *e);
  if (!check.lo && !check.hi) return read;
  return make_call(null_outside_rule, {std::move(e)}, read->type, read->range, read->position);
}

std::optional<std::vector<Value>> finite_domain(const Expr& e, std::size_t at_most) {
  const auto* reference = std::get_if<ColumnRef>(&e.node);
  if (reference == nullptr) return domain_of(e, at_most);
  return domain_of(*key_operand(make_column(reference->column, e.position)), at_most);
}

}  // namespace tacit
