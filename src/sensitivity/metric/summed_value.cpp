#include "sensitivity/metric/summed_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/arithmetic.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

constexpr int most_digits = 18;
constexpr int real_steps = 58;  // 2^58 steps to the farther bound fit 64 bits, and are finer than a double's rounding

int scale_of(const SqlType& type) { return type.kind == TypeKind::decimal ? type.scale : 0; }

ExactRange symmetric(int digits, int scale) {
  const Int128 most = power_of_ten(digits) - 1;
  return {{Decimal{-most, scale}, false}, {Decimal{most, scale}, false}};
}

// The operand before it was widened for a long product.
const ExprPtr& without_conversion(const ExprPtr& expr) {
  const Call* call = call_meaning(*expr, Meaning::same_value);
  return call && call->args[0]->type.kind == TypeKind::decimal ? call->args[0] : expr;
}

Result<ExprPtr> lies_within(const ExprPtr& value, int digits) {
  TACIT_TRY(ExprPtr size, bind_call("abs", {value}, 0));
  return bind_call(
      "<=", {std::move(size), make_literal(symmetric(digits, scale_of(value->type)).hi.value, value->type, 0)}, 0);
}

// a * b for ordinary numbers in 64-bit arithmetic, where that is known to fit; else the long product. Null: not of that
// form. DuckDB's long products are three times slower.
Result<ExprPtr> short_product(const ExprPtr& value, const ExprPtr& otherwise) {
  constexpr int digits_of_right = 6;
  const Call* call = call_meaning(*value, Meaning::product);
  if (!call || value->type.kind != TypeKind::decimal) return ExprPtr();
  const ExprPtr& a = without_conversion(call->args[0]);
  const ExprPtr& b = without_conversion(call->args[1]);
  if (a->type.kind != TypeKind::decimal || b->type.kind != TypeKind::decimal) return ExprPtr();
  const SqlType type = engine_product_type(a->type, b->type);
  if (type.precision > most_digits || type.scale != value->type.scale) return ExprPtr();
  const int digits_of_b = std::min(b->type.precision, digits_at_scale(exact_range(*b), b->type.scale));
  const int right = is_literal(*b) ? digits_of_b : std::min(digits_of_right, digits_of_b);
  if (right >= most_digits) return ExprPtr();
  const int left = std::min(most_digits - right, a->type.precision);
  TACIT_TRY(ExprPtr both, lies_within(a, left));
  if (!is_literal(*b)) {
    TACIT_TRY(ExprPtr b_fits, lies_within(b, std::min(right, b->type.precision)));
    TACIT_TRY(both, bind_call("and", {std::move(both), std::move(b_fits)}, 0));
  }
  ExprPtr product = make_call(multiply_rule, {a, b}, type, symmetric(most_digits, type.scale), value->position);
  return make_call(case_rule, {std::move(both), std::move(product), otherwise}, type,
                   symmetric(most_digits, type.scale), value->position);
}

Result<ExprPtr> fitted(const ExprPtr& value) {
  const int scale = scale_of(value->type);
  if (digits_at_scale(exact_range(*value), scale) <= most_digits) return value;
  const ExprPtr kept = clamped(value, symmetric(most_digits, scale));
  if (value->type.kind != TypeKind::decimal) return kept;
  const ExprPtr narrow = as_exact(kept, SqlType::decimal(most_digits, scale));
  TACIT_TRY(ExprPtr quick, short_product(value, narrow));
  return quick ? quick : kept;
}

}  // namespace

Result<ExprPtr> summed_value(const ExprPtr& value, const SoftFilter& filter, int position) {
  if (value->type.kind == TypeKind::real) {
    const auto* real = std::get_if<RealRange>(&value->range);
    TACIT_CHECK(real, "a double has a double range");
    if (real->stated()) return value;
    return refuse("a sum of doubles needs bounds, and none follow for this expression",
                  "write LEAST(GREATEST(x, low), high), or ask the owner to declare min and max of its columns",
                  position);
  }
  if (filter.soft && filter.soft->type.kind == TypeKind::real && !std::isfinite(stated_magnitude(value->range))) {
    return refuse("a sum under a condition on a double needs bounds, and none follow for this expression",
                  "write LEAST(GREATEST(x, low), high), or ask the owner to declare min and max of its columns",
                  position);
  }
  int scale = scale_of(value->type);
  if (filter.soft) scale += scale_of(filter.soft->type);
  constexpr int most_ramp_digits = 9;
  if (scale >= most_digits || (filter.soft && scale_of(filter.soft->type) > most_ramp_digits)) {
    return refuse("the sum would need more than 17 digits after the point",
                  "compute in doubles: write x::double precision", position);
  }
  return fitted(value);
}

Result<ExprPtr> ramped_value(const ExprPtr& value, const SoftFilter& filter) {
  if (!value) return filter.soft;
  // 18 digits times a ramp in [0, 1]: at most 18 and the ramp's own, which no sum of rows overflows.
  return bind_call("*", {value, filter.soft}, 0);
}

Grid grid_of(const MetricCell& cell) {
  const SoftFilter& filter = *cell.filter;
  const bool soft = filter.soft && cell.kind == MetricCell::Kind::sum;
  const auto binary = [](double magnitude) {
    return Grid{Grid::Base::binary,
                std::clamp(real_steps - (std::ilogb(std::clamp(magnitude, 1e-290, 1e300)) + 1), -1000, 1000)};
  };
  const bool counts = !cell.value || cell.counts_value;
  if (counts && !soft) return {Grid::Base::decimal, 0};
  const bool real_value = !counts && cell.value->type.kind == TypeKind::real;
  const bool real_ramp = soft && filter.soft->type.kind == TypeKind::real;
  if (real_value || real_ramp) return binary(counts ? 1.0 : stated_magnitude(cell.value->range));
  return {Grid::Base::decimal, (counts ? 0 : scale_of(cell.value->type)) + (soft ? scale_of(filter.soft->type) : 0)};
}

}  // namespace tacit
