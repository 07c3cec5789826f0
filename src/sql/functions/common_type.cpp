#include "sql/functions/common_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/check.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/cast_literal.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/refusals.hpp"

namespace tacit {
namespace {

using Values = std::vector<ExprPtr>;
enum class Purpose { result, comparison };

// The kind all values share after conversion; empty when there is none.
std::optional<TypeKind> wider_kind(TypeKind a, TypeKind b) {
  const auto rank = [](TypeKind kind) {
    switch (kind) {
      case TypeKind::integer: return 1;
      case TypeKind::decimal: return 2;
      case TypeKind::real: return 3;
      case TypeKind::date: return 11;
      case TypeKind::timestamp: return 12;
      default: return 0;
    }
  };
  if (a == b) return a;
  if (rank(a) == 0 || rank(b) == 0 || rank(a) / 10 != rank(b) / 10) return std::nullopt;
  return rank(a) > rank(b) ? a : b;
}

Result<std::optional<TypeKind>> kind_of(const Values& values, std::string_view what, int position) {
  std::optional<TypeKind> kind;
  for (const ExprPtr& value : values) {
    if (is_interval(*value)) {
      return refuse(fmt::format("{} cannot take an interval", what), "add it to a date or timestamp first", position);
    }
    if (is_untyped_literal(*value)) continue;
    const auto both = kind ? wider_kind(*kind, value->type.kind) : value->type.kind;
    if (!both) {
      return refuse_types(what, Values{values.front(), value}, "CAST one side so that the types agree", position);
    }
    kind = both;
  }
  return kind;
}

// The literal's scale without trailing zeros.
int needed_scale(const Expr& value) {
  if (value.type.kind != TypeKind::decimal) return 0;
  if (!is_literal(value)) return value.type.scale;
  if (is_null_literal(value)) return 0;
  const auto& number = std::get<Decimal>(literal_value(value));
  int scale = number.scale;
  while (scale > 0 && rescale(number, scale - 1)) --scale;
  return scale;
}

int integer_bits_of(const Expr& value) {
  if (!is_literal(value)) return value.type.bits;
  for (const int bits : {8, 16, 32, 64}) {
    if (contains(std::get<ExactRange>(type_range(SqlType::integer(bits))), exact_range(value))) return bits;
  }
  return 128;
}

void unify_integers(Values& values, Purpose purpose) {
  int bits = 8;
  bool any_column = false;
  for (const ExprPtr& value : values) {
    bits = std::max(bits, integer_bits_of(*value));
    any_column = any_column || !is_literal(*value);
  }
  if (!any_column) bits = std::max(bits, 32);
  for (ExprPtr& value : values) {
    if (purpose == Purpose::result || is_literal(*value)) value = as_exact(std::move(value), SqlType::integer(bits));
  }
}

// Digits that the value's own type has at this scale, or that its range needs.
int width_at(const Expr& value, int scale) {
  if (!is_literal(value) && value.type.kind == TypeKind::decimal && value.type.scale == scale)
    return value.type.precision;
  return std::max({digits_at_scale(exact_range(value), scale), scale, 1});
}

Status unify_decimals(Values& values, Purpose purpose, std::string_view what, int position) {
  int scale = 0;
  for (const ExprPtr& value : values) scale = std::max(scale, needed_scale(*value));
  int width = 1;
  for (const ExprPtr& value : values) width = std::max(width, width_at(*value, scale));
  if (width > 38) return refuse_overflow(what, values, position);
  const SqlType common = SqlType::decimal(width, scale);
  for (ExprPtr& value : values) {
    const bool keeps_scale = value->type.kind == TypeKind::decimal && value->type.scale == scale;
    if (purpose == Purpose::comparison && !is_literal(*value)) {
      const SqlType own_width = SqlType::decimal(width_at(*value, scale), scale);
      if (!keeps_scale) value = as_exact(std::move(value), own_width);
    } else {
      value = as_exact(std::move(value), common);
    }
  }
  return {};
}

// An integer column beside 10.0 is compared as an integer, a date column beside a midnight as a date.
bool all_whole_beside_integers(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](const ExprPtr& value) {
    return value->type.kind == TypeKind::integer || (is_literal(*value) && needed_scale(*value) == 0);
  });
}

bool is_midnight(const Expr& value) {
  if (!is_literal(value) || is_null_literal(value)) return false;
  const auto* moment = std::get_if<Timestamp>(&literal_value(value));
  return moment != nullptr && moment->microseconds % microseconds_per_day == 0;
}

bool all_midnights_beside_dates(const Values& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const ExprPtr& value) { return value->type.kind == TypeKind::date || is_midnight(*value); });
}

void unify_moments(Values& values, Purpose purpose) {
  if (purpose == Purpose::comparison && all_midnights_beside_dates(values)) {
    for (ExprPtr& value : values) {
      if (!is_midnight(*value)) continue;
      const auto days = std::get<Timestamp>(literal_value(*value)).microseconds / microseconds_per_day;
      value = make_literal(Date{static_cast<std::int32_t>(days)}, SqlType::date(), value->position);
    }
    return;
  }
  for (ExprPtr& value : values) {
    if (value->type.kind == TypeKind::date) value = as_timestamp(std::move(value));
  }
}

SqlType type_for_literal(TypeKind kind) {
  switch (kind) {
    case TypeKind::boolean: return SqlType::boolean();
    case TypeKind::integer: return SqlType::integer(64);
    case TypeKind::real: return SqlType::real();
    case TypeKind::date: return SqlType::date();
    case TypeKind::timestamp: return SqlType::timestamp();
    default: return SqlType::text();
  }
}

Status give_types_to_literals(Values& values, TypeKind kind, int position) {
  for (ExprPtr& value : values) {
    if (!is_untyped_literal(*value)) continue;
    const int at = value->position > 0 ? value->position : position;
    if (kind == TypeKind::decimal) {
      TACIT_TRY(value, number_from_literal(*value, at));
    } else {
      TACIT_TRY(value, cast_literal(*value, type_for_literal(kind), at));
    }
  }
  return {};
}

Result<Values> unify(Values values, Purpose purpose, std::string_view what, int position) {
  TACIT_TRY(const auto known_kind, kind_of(values, what, position));
  const TypeKind kind = known_kind.value_or(TypeKind::text);
  TACIT_TRY_STATUS(give_types_to_literals(values, kind, position));
  switch (kind) {
    case TypeKind::integer: unify_integers(values, purpose); break;
    case TypeKind::decimal: {
      const bool as_integers = purpose == Purpose::comparison && all_whole_beside_integers(values);
      if (as_integers) {
        for (ExprPtr& value : values) {
          if (value->type.kind == TypeKind::decimal) value = as_exact(std::move(value), SqlType::integer(128));
        }
        unify_integers(values, purpose);
      } else {
        TACIT_TRY_STATUS(unify_decimals(values, purpose, what, position));
      }
      break;
    }
    case TypeKind::real:
      for (ExprPtr& value : values) value = as_real(std::move(value));
      break;
    case TypeKind::timestamp: unify_moments(values, purpose); break;
    default: break;
  }
  return values;
}

}  // namespace

Result<Values> to_common_type(Values values, std::string_view what, int position) {
  return unify(std::move(values), Purpose::result, what, position);
}

Result<Values> to_comparable(Values values, std::string_view what, int position) {
  return unify(std::move(values), Purpose::comparison, what, position);
}

Result<ExprPtr> to_number(ExprPtr value, std::string_view what, int position) {
  if (is_untyped_literal(*value)) return number_from_literal(*value, position);
  if (!value->type.is_number()) {
    return refuse_types(what, Values{value}, "use a number; text is not read as numbers", position);
  }
  return numeric_operand(std::move(value));
}

Result<ExprPtr> to_text(ExprPtr value, std::string_view what, int position) {
  if (is_untyped_literal(*value)) return cast_literal(*value, SqlType::text(), position);
  if (value->type.kind != TypeKind::text) return refuse_types(what, Values{value}, "use text", position);
  return value;
}

Result<NumberPair> to_numbers(ExprPtr left, ExprPtr right, std::string_view what, int position) {
  if (is_untyped_literal(*left) && is_untyped_literal(*right)) {
    return refuse_types(what, Values{left, right}, "write numbers without quotes", position);
  }
  NumberPair pair;
  TACIT_TRY(pair.left, to_number(std::move(left), what, position));
  TACIT_TRY(pair.right, to_number(std::move(right), what, position));
  return pair;
}

}  // namespace tacit
