#include "sql/functions/range_ends.hpp"

#include "sql/functions/conversions.hpp"

namespace tacit {

Value exact_value(const Decimal& number, const SqlType& type) {
  if (type.kind == TypeKind::date) return Date{static_cast<std::int32_t>(number.units)};
  if (type.kind == TypeKind::timestamp) return Timestamp{static_cast<std::int64_t>(number.units)};
  return number;
}

RangeEnds literal_ends(const Expr& call) {
  if (call.type.kind == TypeKind::real) {
    const RealRange& range = real_range(call);
    return {range.lo.value, range.hi.value};
  }
  const ExactRange& range = exact_range(call);
  return {exact_value(range.lo.value, call.type), exact_value(range.hi.value, call.type)};
}

EndsToCheck ends_to_check(const Expr& call, const Expr& value) {
  if (call.type.kind == TypeKind::real) return {true, true};
  return {exact_range(call).lo.value > exact_range(value).lo.value,
          exact_range(call).hi.value < exact_range(value).hi.value};
}

}  // namespace tacit
