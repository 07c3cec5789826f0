#include "sql/functions/interval.hpp"

#include <vector>

#include "base/check.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

const std::string* literal_text(const Expr& expr) {
  return is_literal(expr) ? std::get_if<std::string>(&literal_value(expr)) : nullptr;
}

// interval ('text'[, 'unit']): interval '3 days', interval '3' day.
Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 2, position));
  const std::string* text = literal_text(*args[0]);
  const std::string* unit = args.size() == 2 ? literal_text(*args[1]) : nullptr;
  const auto interval = text != nullptr && (args.size() == 1 || unit != nullptr)
                            ? parse_interval(*text, unit != nullptr ? std::string_view(*unit) : std::string_view())
                            : std::nullopt;
  if (!interval) {
    return refuse("the interval is malformed or longer than 10,000 years",
                  "write it as interval '3 days' with whole years, months, weeks, days, hours, minutes or seconds",
                  position);
  }
  return make_interval(*interval, position);
}

}  // namespace

ExprPtr make_interval(const Interval& interval, int position) {
  std::vector<ExprPtr> parts;
  for (const std::int64_t part : {interval.months, interval.days, interval.microseconds}) {
    parts.push_back(make_literal(Decimal{part, 0}, SqlType::integer(64), position));
  }
  return make_call(interval_rule, std::move(parts), SqlType{}, {}, position);
}

Interval interval_of(const Expr& expr) {
  TACIT_CHECK(is_interval(expr), "an interval is read from an interval");
  const auto part = [&](std::size_t i) {
    const auto& literal = *std::get<Call>(expr.node).args[i];
    return static_cast<std::int64_t>(std::get<Decimal>(literal_value(literal)).units);
  };
  return {part(0), part(1), part(2)};
}

Interval negated(const Interval& interval) { return {-interval.months, -interval.days, -interval.microseconds}; }

const FunctionRule interval_rule{"interval", {Nulls::never, Meaning::other}, bind};

}  // namespace tacit
