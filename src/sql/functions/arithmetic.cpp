#include "sql/functions/arithmetic.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/refusals.hpp"

namespace tacit {
namespace {

constexpr int narrow_digits = 18;
constexpr int most_digits = 38;

}  // namespace

bool is_wide(const SqlType& decimal) { return decimal.precision > narrow_digits; }

std::optional<SqlType> integer_type(const ExactRange& range) {
  if (contains(std::get<ExactRange>(type_range(SqlType::integer(64))), range)) return SqlType::integer(64);
  if (digits_at_scale(range, 0) <= most_digits) return SqlType::integer(128);
  return std::nullopt;
}

SqlType engine_sum_type(const SqlType& a, const SqlType& b) {
  const int scale = std::max(a.scale, b.scale);
  const int width = std::max(a.precision - a.scale, b.precision - b.scale) + scale + 1;
  const int limit = is_wide(a) || is_wide(b) ? most_digits : narrow_digits;
  return SqlType::decimal(std::min(width, limit), scale);
}

SqlType engine_product_type(const SqlType& a, const SqlType& b) {
  const int scale = a.scale + b.scale;
  const int width = a.precision + b.precision;
  const bool is_narrow = !is_wide(a) && !is_wide(b) && scale < narrow_digits;
  return SqlType::decimal(std::min(width, is_narrow ? narrow_digits : most_digits), scale);
}

std::optional<ExprPtr> as_decimal(ExprPtr number) {
  if (number->type.kind == TypeKind::decimal) return number;
  const int width = digits_at_scale(exact_range(*number), 0);
  if (width > most_digits) return std::nullopt;
  return as_exact(std::move(number), SqlType::decimal(width, 0));
}

ExprPtr widened(ExprPtr decimal) {
  if (is_wide(decimal->type)) return decimal;
  const SqlType wide = SqlType::decimal(narrow_digits + 1, decimal->type.scale);
  return as_exact(std::move(decimal), wide);
}

Result<ExprPtr> call_same_type(const FunctionRule& rule, ExprPtr number, const ExactRange& range, int position) {
  if (number->type.kind == TypeKind::integer) {
    const ExactRange both[] = {exact_range(*number), range};
    const auto type = integer_type(hull(both));
    if (!type) return refuse_overflow(rule.name, std::vector<ExprPtr>{number}, position);
    number = as_exact(std::move(number), *type);
  }
  const SqlType type = number->type;
  return make_call(rule, {std::move(number)}, type, range, position);
}

}  // namespace tacit
