#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/value.hpp"
#include "sql/range.hpp"

namespace tacit {

// The days Tacit computes with: 0001-01-01 to 9999-12-31, proleptic Gregorian. Anything outside, infinities included,
// becomes NULL before it is used, because no two engines agree on it.
inline constexpr std::int64_t microseconds_per_day = 86'400'000'000;
ExactRange calendar_days();          // of a date
ExactRange calendar_microseconds();  // of a timestamp

// An INTERVAL of SQL: three parts that are added in this order.
struct Interval {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t microseconds = 0;
};

// '3 months', '1 year 2 days', '90 minutes', '-1 day', '01:30:00', '3' with a unit of its own (interval '3' day).
// At most 10,000 years in all. Empty when malformed.
std::optional<Interval> parse_interval(std::string_view text, std::string_view unit = {});

// timestamp + interval as PostgreSQL and DuckDB do it: months first (the day is cut to the month's length), then days,
// then time. Non-decreasing in the timestamp. Any timestamp of the years -20,000 to 30,000.
std::int64_t add_interval(std::int64_t microseconds, const Interval& interval);

// What EXTRACT and date_trunc know about a field.
struct CalendarField {
  std::string_view name;
  bool of_time = false;  // hour, minute, second: a date has none
  std::int64_t least = 0;
  std::int64_t most = 0;  // year: of the calendar
  bool truncates = false;
};
std::span<const CalendarField> calendar_fields();
const CalendarField* find_calendar_field(std::string_view name);

std::int64_t year_of(std::int64_t microseconds);
// The start of the year, quarter, month, ISO week, day, hour, minute or second; `field` truncates.
std::int64_t truncate_to(const CalendarField& field, std::int64_t microseconds);
// The start of the next one.
std::int64_t next_start(const CalendarField& field, std::int64_t start);

}  // namespace tacit
