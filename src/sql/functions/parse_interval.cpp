#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "base/decimal.hpp"
#include "sql/functions/calendar.hpp"

namespace tacit {
namespace {

// One unit of an interval's text, in one of its three parts.
struct Unit {
  std::string_view name;  // singular; a trailing s is allowed
  std::int64_t Interval::*part;
  std::int64_t size;
};

constexpr std::int64_t second = 1'000'000;
constexpr std::array<Unit, 16> units{{
    {"century", &Interval::months, 1200},
    {"decade", &Interval::months, 120},
    {"year", &Interval::months, 12},
    {"quarter", &Interval::months, 3},
    {"month", &Interval::months, 1},
    {"mon", &Interval::months, 1},
    {"week", &Interval::days, 7},
    {"day", &Interval::days, 1},
    {"hour", &Interval::microseconds, 3600 * second},
    {"hr", &Interval::microseconds, 3600 * second},
    {"minute", &Interval::microseconds, 60 * second},
    {"min", &Interval::microseconds, 60 * second},
    {"second", &Interval::microseconds, second},
    {"sec", &Interval::microseconds, second},
    {"millisecond", &Interval::microseconds, 1000},
    {"microsecond", &Interval::microseconds, 1},
}};

const Unit* find_unit(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name == "centuries") name = "century";
  if (name.size() > 1 && name.back() == 's') name.pop_back();
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

bool add_amount(Interval& interval, const Decimal& amount, const Unit& unit) {
  const auto product = multiply(amount, Decimal{unit.size, 0});
  // A fraction of a month or day has no fixed length; of a second it may reach microseconds.
  const auto whole = product ? rescale(*product, 0) : std::nullopt;
  if (!whole || digits(whole->units) > 18) return false;
  return !__builtin_add_overflow(interval.*unit.part, static_cast<std::int64_t>(whole->units), &(interval.*unit.part));
}

// hh:mm[:ss[.ffffff]] with an optional sign.
std::optional<std::int64_t> parse_clock(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t total = 0;
  std::int64_t unit = 3600 * second;
  int parts = 0;
  for (bool last = false; !last; ++parts, unit /= 60) {
    const auto colon = text.find(':');
    last = colon == std::string_view::npos;
    const std::string_view digits_of_part = text.substr(0, colon);
    if (digits_of_part.empty() || std::isdigit(static_cast<unsigned char>(digits_of_part.front())) == 0) return {};
    const auto amount = parse_decimal(digits_of_part);
    if (parts > 2 || !amount || (amount->scale > 0 && parts < 2)) return {};
    if (parts > 0 && *amount >= Decimal{60, 0}) return {};
    Interval sum;
    if (!add_amount(sum, *amount, {"", &Interval::microseconds, unit})) return {};
    total += sum.microseconds;
    if (!last) text.remove_prefix(colon + 1);
  }
  if (parts < 2) return {};
  return negative ? -total : total;
}

// The next word: a run of characters without blanks, or a number cut off from the letters that follow it.
std::string_view next_word(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  std::size_t end = 0;
  while (end < text.size() && text[end] != ' ' && (end == 0 || is_letter(text[end]) == is_letter(text[0]))) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

bool within_ten_thousand_years(const Interval& interval) {
  constexpr std::int64_t most_months = 120'000;
  constexpr std::int64_t most_days = 3'652'425;
  const auto at_most = [](std::int64_t value, std::int64_t most) { return -most <= value && value <= most; };
  return at_most(interval.months, most_months) && at_most(interval.days, most_days) &&
         at_most(interval.microseconds, most_days * microseconds_per_day);
}

}  // namespace

std::optional<Interval> parse_interval(std::string_view text, std::string_view unit) {
  Interval interval;
  bool any = false;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    any = true;
    if (word.find(':') != std::string_view::npos) {
      const auto clock = parse_clock(word);
      if (!clock) return std::nullopt;
      if (__builtin_add_overflow(interval.microseconds, *clock, &interval.microseconds)) return std::nullopt;
      continue;
    }
    const auto amount = parse_decimal(word);
    if (!amount) return std::nullopt;
    std::string_view unit_name = next_word(text);
    if (unit_name.empty()) {
      // A bare number counts the unit written behind the literal, seconds without one.
      unit_name = unit.empty() ? std::string_view("second") : unit;
    }
    const Unit* found = find_unit(std::string(unit_name));
    if (found == nullptr || !add_amount(interval, *amount, *found)) return std::nullopt;
  }
  if (!any || !within_ten_thousand_years(interval)) return std::nullopt;
  return interval;
}

}  // namespace tacit
