#include "sql/functions/calendar.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "base/check.hpp"
#include "base/decimal.hpp"

namespace tacit {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::int64_t microseconds_per_second = 1'000'000;

constexpr std::array<CalendarField, 11> fields{{
    {"year", false, 1, 9999, true},
    {"quarter", false, 1, 4, true},
    {"month", false, 1, 12, true},
    {"week", false, 1, 53, true},
    {"day", false, 1, 31, true},
    {"dow", false, 0, 6, false},
    {"isodow", false, 1, 7, false},
    {"doy", false, 1, 366, false},
    {"hour", true, 0, 23, true},
    {"minute", true, 0, 59, true},
    {"second", true, 0, 59, true},
}};

std::int64_t day_number(const year_month_day& ymd) { return sys_days{ymd}.time_since_epoch().count(); }

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

year_month_day civil(std::int64_t day_count) { return year_month_day{sys_days{days{static_cast<int>(day_count)}}}; }

std::int64_t add_months(std::int64_t day_count, std::int64_t months) {
  const year_month_day from = civil(day_count);
  const std::int64_t month_count =
      static_cast<std::int64_t>(static_cast<int>(from.year())) * 12 + static_cast<unsigned>(from.month()) - 1 + months;
  const year to_year{static_cast<int>(floor_divide(month_count, 12))};
  const month to_month{static_cast<unsigned>(month_count - floor_divide(month_count, 12) * 12) + 1};
  const day last = std::chrono::year_month_day_last{to_year, std::chrono::month_day_last{to_month}}.day();
  return day_number({to_year, to_month, std::min(from.day(), last)});
}

}  // namespace

ExactRange calendar_days() {
  static const ExactRange range{{{day_number({year{1}, month{1}, day{1}}), 0}, false},
                                {{day_number({year{9999}, month{12}, day{31}}), 0}, false}};
  return range;
}

ExactRange calendar_microseconds() {
  const ExactRange range = calendar_days();
  return {{{range.lo.value.units * microseconds_per_day, 0}, false},
          {{(range.hi.value.units + 1) * microseconds_per_day - 1, 0}, false}};
}

std::int64_t add_interval(std::int64_t microseconds, const Interval& interval) {
  const std::int64_t day_count = floor_divide(microseconds, microseconds_per_day);
  const std::int64_t time = microseconds - day_count * microseconds_per_day;
  const std::int64_t moved = interval.months == 0 ? day_count : add_months(day_count, interval.months);
  return (moved + interval.days) * microseconds_per_day + time + interval.microseconds;
}

std::span<const CalendarField> calendar_fields() { return fields; }

const CalendarField* find_calendar_field(std::string_view name) {
  const auto* found = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::int64_t year_of(std::int64_t microseconds) {
  return static_cast<int>(civil(floor_divide(microseconds, microseconds_per_day)).year());
}

std::int64_t truncate_to(const CalendarField& field, std::int64_t microseconds) {
  TACIT_CHECK(field.truncates, "the field is one date_trunc knows");
  const auto down_to = [&](std::int64_t unit) { return floor_divide(microseconds, unit) * unit; };
  if (field.name == "second") return down_to(microseconds_per_second);
  if (field.name == "minute") return down_to(60 * microseconds_per_second);
  if (field.name == "hour") return down_to(3600 * microseconds_per_second);
  const std::int64_t day_count = floor_divide(microseconds, microseconds_per_day);
  const year_month_day ymd = civil(day_count);
  const unsigned month_number = static_cast<unsigned>(ymd.month());
  if (field.name == "day") return day_count * microseconds_per_day;
  if (field.name == "week") {
    // 1970-01-01 was a Thursday: day 4 of an ISO week, counted from Monday = 1.
    return (floor_divide(day_count + 3, 7) * 7 - 3) * microseconds_per_day;
  }
  if (field.name == "month") return day_number({ymd.year(), ymd.month(), day{1}}) * microseconds_per_day;
  if (field.name == "quarter") {
    return day_number({ymd.year(), month{(month_number - 1) / 3 * 3 + 1}, day{1}}) * microseconds_per_day;
  }
  return day_number({ymd.year(), month{1}, day{1}}) * microseconds_per_day;
}

std::int64_t next_start(const CalendarField& field, std::int64_t start) {
  if (field.name == "second") return start + microseconds_per_second;
  if (field.name == "minute") return start + 60 * microseconds_per_second;
  if (field.name == "hour") return start + 3600 * microseconds_per_second;
  if (field.name == "day") return start + microseconds_per_day;
  if (field.name == "week") return start + 7 * microseconds_per_day;
  if (field.name == "month") return add_interval(start, {1, 0, 0});
  if (field.name == "quarter") return add_interval(start, {3, 0, 0});
  return add_interval(start, {12, 0, 0});
}

}  // namespace tacit
