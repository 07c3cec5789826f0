#include "sql/functions/cast_literal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>

#include "base/check.hpp"
#include "sql/functions/calendar.hpp"
#include "sql/functions/conversions.hpp"

namespace tacit {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

std::string trimmed_lower(std::string_view text) {
  std::string result(trimmed(text));
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

tl::unexpected<Failure> refuse_literal(const SqlType& target, std::string hint, int position) {
  return refuse(fmt::format("the literal is not a valid {}", to_string(target)), std::move(hint), position);
}

std::optional<bool> read_boolean(std::string_view word) {
  constexpr std::array<std::string_view, 6> yes{"true", "t", "yes", "y", "on", "1"};
  constexpr std::array<std::string_view, 6> no{"false", "f", "no", "n", "off", "0"};
  if (std::find(yes.begin(), yes.end(), word) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), word) != no.end()) return false;
  return std::nullopt;
}

std::optional<double> read_double(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) return std::nullopt;
  if (!(std::abs(value) <= largest_computed_double)) return std::nullopt;
  return value;
}

std::optional<Decimal> read_exact(std::string_view word, const SqlType& target) {
  const auto parsed = parse_decimal(word);
  if (!parsed) return std::nullopt;
  if (target.kind == TypeKind::integer) {
    if (!parse_int128(word)) return std::nullopt;
  }
  const auto value = rescale_half_away(*parsed, target.kind == TypeKind::decimal ? target.scale : 0);
  const auto limits = std::get<ExactRange>(type_range(target));
  if (!value || *value < limits.lo.value || *value > limits.hi.value) return std::nullopt;
  return value;
}

}  // namespace

Result<ExprPtr> cast_literal(const Expr& literal, const SqlType& target, int position) {
  if (is_null_literal(literal)) return make_literal(Null{}, target, position);
  const auto* text = std::get_if<std::string>(&literal_value(literal));
  TACIT_CHECK(text != nullptr, "cast_literal reads text");
  const std::string word = trimmed_lower(*text);
  switch (target.kind) {
    case TypeKind::text: return make_literal(*text, target, position);
    case TypeKind::boolean:
      if (const auto value = read_boolean(word)) return make_literal(*value, target, position);
      return refuse_literal(target, "write true or false", position);
    case TypeKind::integer:
    case TypeKind::decimal:
      if (const auto value = read_exact(word, target)) return make_literal(*value, target, position);
      return refuse_literal(target, "write a number that the type holds", position);
    case TypeKind::real:
      if (const auto value = read_double(word)) return make_literal(*value, target, position);
      return refuse_literal(target, "write a finite number of magnitude at most 1e300", position);
    case TypeKind::date:
      if (const auto moment = parse_timestamp(trimmed(*text))) {
        const auto day = std::chrono::floor<std::chrono::days>(std::chrono::microseconds{moment->microseconds});
        return make_literal(Date{static_cast<std::int32_t>(day.count())}, target, position);
      }
      return refuse_literal(target, "write it as 'YYYY-MM-DD', years 0001 to 9999", position);
    case TypeKind::timestamp:
      if (const auto moment = parse_timestamp(trimmed(*text))) return make_literal(*moment, target, position);
      return refuse_literal(target, "write it as 'YYYY-MM-DD hh:mm:ss', years 0001 to 9999", position);
    case TypeKind::unknown: break;
  }
  invariant_broken("a cast has a target type", __FILE__, __LINE__);
}

ExprPtr exact_literal(const Decimal& value, bool is_integer, int position) {
  if (!is_integer) {
    const int precision = std::max({digits(value.units), value.scale, 1});
    return make_literal(value, SqlType::decimal(precision, value.scale), position);
  }
  for (const int bits : {32, 64}) {
    const auto limits = std::get<ExactRange>(type_range(SqlType::integer(bits)));
    if (limits.lo.value <= value && value <= limits.hi.value)
      return make_literal(value, SqlType::integer(bits), position);
  }
  return make_literal(value, SqlType::integer(128), position);
}

Result<ExprPtr> number_from_literal(const Expr& literal, int position) {
  if (is_null_literal(literal)) return make_literal(Null{}, SqlType::integer(64), position);
  const std::string word = trimmed_lower(std::get<std::string>(literal_value(literal)));
  const auto value = parse_decimal(word);
  if (!value || digits(value->units) > 38) {
    return refuse("the literal is not a number of at most 38 digits",
                  "write the number without quotes, or CAST it to double precision", position);
  }
  return exact_literal(*value, parse_int128(word).has_value(), position);
}

}  // namespace tacit
