#include "policy/fit_value.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr std::int64_t microseconds_per_day = 86'400'000'000;

tl::unexpected<Failure> does_not_fit(std::string expectation) {
  return fail({FailureCode::usage, "expected " + std::move(expectation), "", ""});
}

std::optional<Decimal> number_in(const Value& value) {
  if (const auto* exact = std::get_if<Decimal>(&value)) return *exact;
  if (const auto* text = std::get_if<std::string>(&value)) return parse_decimal(*text);
  return std::nullopt;
}

bool fits_bits(Int128 units, int bits) {
  if (bits >= 128) return true;
  const Int128 limit = Int128{1} << (bits - 1);
  return units >= -limit && units < limit;
}

Result<Value> fit_integer(const Value& value, const SqlType& type) {
  const auto number = number_in(value);
  const auto whole = number ? rescale(*number, 0) : std::nullopt;
  if (!whole || !fits_bits(whole->units, type.bits)) {
    return does_not_fit(fmt::format("a whole number that fits {}", to_string(type)));
  }
  return *whole;
}

Result<Value> fit_decimal(const Value& value, const SqlType& type) {
  const auto number = number_in(value);
  const auto exact = number ? rescale(*number, type.scale) : std::nullopt;
  if (!exact || digits(exact->units) > type.precision) {
    return does_not_fit(fmt::format("a number that fits {} exactly", to_string(type)));
  }
  return *exact;
}

Result<Value> fit_real(const Value& value) {
  if (const auto* real = std::get_if<double>(&value); real && std::isfinite(*real)) return *real;
  if (const auto number = number_in(value)) return to_double(*number);
  return does_not_fit("a number");
}

Result<Value> fit_date(const Value& value) {
  if (const auto* date = std::get_if<Date>(&value)) return *date;
  const auto* text = std::get_if<std::string>(&value);
  if (const auto date = text ? parse_date(*text) : std::nullopt) return *date;
  return does_not_fit("a date such as 2026-11-15");
}

Timestamp midnight_of(Date date) { return {date.days * microseconds_per_day}; }

Result<Value> fit_timestamp(const Value& value) {
  if (const auto* moment = std::get_if<Timestamp>(&value)) return *moment;
  if (const auto* date = std::get_if<Date>(&value)) return midnight_of(*date);
  const auto* text = std::get_if<std::string>(&value);
  if (const auto moment = text ? parse_timestamp(*text) : std::nullopt) return *moment;
  return does_not_fit("a date and time such as 2026-11-15 08:30:00, without a zone");
}

template <class T>
Result<Value> fit_itself(const Value& value, const char* expectation) {
  if (std::holds_alternative<T>(value)) return value;
  return does_not_fit(expectation);
}

std::partial_ordering compare_numbers(const Value& a, const Value& b) {
  const auto* exact_a = std::get_if<Decimal>(&a);
  const auto* exact_b = std::get_if<Decimal>(&b);
  if (exact_a && exact_b) return *exact_a <=> *exact_b;
  const auto real = [](const Value& v) {
    const auto* exact = std::get_if<Decimal>(&v);
    return exact ? to_double(*exact) : std::get<double>(v);
  };
  return real(a) <=> real(b);
}

}  // namespace

bool is_measurable(const SqlType& type) {
  return type.is_number() || type.kind == TypeKind::date || type.kind == TypeKind::timestamp;
}

Result<Value> fit_value(const Value& value, const SqlType& type) {
  switch (type.kind) {
    case TypeKind::boolean: return fit_itself<bool>(value, "true or false");
    case TypeKind::integer: return fit_integer(value, type);
    case TypeKind::decimal: return fit_decimal(value, type);
    case TypeKind::real: return fit_real(value);
    case TypeKind::text: return fit_itself<std::string>(value, "a string");
    case TypeKind::date: return fit_date(value);
    case TypeKind::timestamp: return fit_timestamp(value);
    case TypeKind::unknown: break;
  }
  TACIT_CHECK(false, "fit_value: a column's type is known");
}

Result<Decimal> fit_step(const Decimal& step, const SqlType& type) {
  std::optional<Decimal> fitted;
  switch (type.kind) {
    case TypeKind::integer:
    case TypeKind::date: fitted = rescale(step, 0); break;
    case TypeKind::decimal: fitted = rescale(step, type.scale); break;
    case TypeKind::timestamp: fitted = rescale(step, 6); break;
    case TypeKind::real: fitted = step; break;
    case TypeKind::unknown:
    case TypeKind::boolean:
    case TypeKind::text: break;
  }
  if (fitted) return *fitted;
  switch (type.kind) {
    case TypeKind::integer: return does_not_fit("a whole number");
    case TypeKind::date: return does_not_fit("a whole number of days");
    case TypeKind::timestamp: return does_not_fit("seconds with at most six digits after the point");
    default: return does_not_fit(fmt::format("a multiple of the smallest step of {}", to_string(type)));
  }
}

std::optional<std::partial_ordering> compare_bounds(const Value& a, const Value& b) {
  const auto is_number = [](const Value& v) {
    return std::holds_alternative<Decimal>(v) || std::holds_alternative<double>(v);
  };
  const auto moment = [](const Value& v) -> std::optional<Timestamp> {
    if (const auto* date = std::get_if<Date>(&v)) return midnight_of(*date);
    if (const auto* timestamp = std::get_if<Timestamp>(&v)) return *timestamp;
    return std::nullopt;
  };
  if (is_number(a) && is_number(b)) return compare_numbers(a, b);
  const auto moment_a = moment(a);
  const auto moment_b = moment(b);
  if (moment_a && moment_b) return *moment_a <=> *moment_b;
  return std::nullopt;
}

bool ValueLess::operator()(const Value& a, const Value& b) const {
  if (a.index() != b.index()) return a.index() < b.index();
  return std::visit(
      [&](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        if constexpr (std::is_same_v<T, Null>)
          return false;
        else
          return left < std::get<T>(b);
      },
      a);
}

}  // namespace tacit
