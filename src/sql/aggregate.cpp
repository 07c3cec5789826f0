#include "sql/aggregate.hpp"

#include "base/check.hpp"

namespace tacit {
namespace {

bool same_or_null(const ExprPtr& a, const ExprPtr& b) {
  if (!a || !b) return !a && !b;
  return same_expression(*a, *b);
}

}  // namespace

bool same_aggregate(const Aggregate& a, const Aggregate& b) {
  if (a.kind != b.kind || !same_or_null(a.argument, b.argument)) return false;
  if (a.kind == AggregateKind::quantile && a.fraction != b.fraction) return false;
  if (a.written.has_value() != b.written.has_value() || !same_or_null(a.unclamped, b.unclamped)) return false;
  return !a.written ||
         (same_expression(*a.written->low, *b.written->low) && same_expression(*a.written->high, *b.written->high));
}

const char* name_of(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::count_rows: return "COUNT(*)";
    case AggregateKind::count: return "COUNT";
    case AggregateKind::count_distinct: return "COUNT(DISTINCT)";
    case AggregateKind::sum: return "SUM";
    case AggregateKind::average: return "AVG";
    case AggregateKind::minimum: return "MIN";
    case AggregateKind::maximum: return "MAX";
    case AggregateKind::variance: return "VAR";
    case AggregateKind::deviation: return "STDDEV";
    case AggregateKind::quantile: return "a quantile";
  }
  TACIT_CHECK(false, "every aggregate has a name");
}

}  // namespace tacit
