#include "sql/aggregate.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tacit {
namespace {

bool same_or_null(const ExprPtr& a, const ExprPtr& b) {
  if (!a || !b) return !a && !b;
  return same_expression(*a, *b);
}

constexpr int widest = 38;  // digits

SqlType integer_answer(const SqlType&) { return SqlType::integer(64); }
SqlType real_answer(const SqlType&) { return SqlType::real(); }
SqlType one_of_the_values(const SqlType& argument) {
  return argument.kind == TypeKind::integer ? SqlType::integer(64) : argument;
}
SqlType sum_answer(const SqlType& argument) {
  if (argument.kind == TypeKind::decimal) return SqlType::decimal(widest, argument.scale);
  return argument.kind == TypeKind::real ? SqlType::real() : SqlType::integer(64);
}
SqlType average_answer(const SqlType& argument) {
  if (argument.kind == TypeKind::real) return SqlType::real();
  return SqlType::decimal(widest, std::min(argument.scale + 6, 18));
}

}  // namespace

bool same_aggregate(const Aggregate& a, const Aggregate& b) {
  if (a.kind != b.kind || !same_or_null(a.argument, b.argument)) return false;
  if (a.kind == AggregateKind::quantile && a.fraction != b.fraction) return false;
  if (a.written.has_value() != b.written.has_value() || !same_or_null(a.unclamped, b.unclamped)) return false;
  return !a.written ||
         (same_expression(*a.written->low, *b.written->low) && same_expression(*a.written->high, *b.written->high));
}

AggregateTraits traits_of(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::count_rows: return {"COUNT(*)", true, true, "", integer_answer};
    case AggregateKind::count: return {"COUNT", true, true, "COUNT", integer_answer};
    case AggregateKind::count_distinct: return {"COUNT(DISTINCT)", true, true, "", integer_answer};
    case AggregateKind::sum: return {"SUM", false, true, "SUM", sum_answer};
    case AggregateKind::average: return {"AVG", false, true, "AVG", average_answer};
    case AggregateKind::minimum: return {"MIN", false, true, "MIN", one_of_the_values};
    case AggregateKind::maximum: return {"MAX", false, true, "MAX", one_of_the_values};
    case AggregateKind::variance: return {"VAR", false, false, "VAR_POP", real_answer};
    case AggregateKind::deviation: return {"STDDEV", false, false, "STDDEV_POP", real_answer};
    case AggregateKind::quantile: return {"a quantile", false, false, "", one_of_the_values};
  }
  TACIT_CHECK(false, "every aggregate has its traits");
}

}  // namespace tacit
