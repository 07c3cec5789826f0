#include "sql/functions/calendar.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

std::int64_t at(std::string_view text) { return parse_timestamp(text)->microseconds; }
std::string moved(std::string_view from, std::string_view by) {
  return to_string(Timestamp{add_interval(at(from), *parse_interval(by))});
}
std::string cut(std::string_view field, std::string_view from) {
  return to_string(Timestamp{truncate_to(*find_calendar_field(field), at(from))});
}

TEST(Calendar, IntervalsAddMonthsThenDaysThenTime) {
  EXPECT_EQ(moved("2020-01-31", "1 month"), "2020-02-29 00:00:00");
  EXPECT_EQ(moved("2021-01-31", "1 month 1 day"), "2021-03-01 00:00:00");
  EXPECT_EQ(moved("2020-02-29", "-1 year"), "2019-02-28 00:00:00");
  EXPECT_EQ(moved("2020-01-01", "-1 microsecond"), "2019-12-31 23:59:59.999999");
  EXPECT_EQ(moved("1969-12-31 12:00:00", "36 hours"), "1970-01-02 00:00:00");
  EXPECT_EQ(moved("0001-03-31", "-1 month"), "0001-02-28 00:00:00");
}

TEST(Calendar, ReadsIntervals) {
  EXPECT_EQ(parse_interval("1 year 2 mons")->months, 14);
  EXPECT_EQ(parse_interval("3", "day")->days, 3);
  EXPECT_EQ(parse_interval("2 weeks 1day")->days, 15);
  EXPECT_EQ(parse_interval("90")->microseconds, 90'000'000);
  EXPECT_EQ(parse_interval("01:30:00.5")->microseconds, 5'400'500'000);
  EXPECT_EQ(parse_interval("-00:01")->microseconds, -60'000'000);
  EXPECT_EQ(parse_interval("1.5 hours")->microseconds, 5'400'000'000);
  EXPECT_EQ(parse_interval("0.5 years")->months, 6);
}

TEST(Calendar, RefusesMalformedIntervals) {
  for (const char* text : {"", " ", "day", "1", "x days", "1 fortnight", "0.3 months", "1:99", "12000 years",
                           "1 day 2 x", "99999999999999999999 days", "1::2", ":30", "--1 day"}) {
    const bool bare_number = std::string_view(text) == "1";
    EXPECT_EQ(parse_interval(text).has_value(), bare_number) << text;
  }
  EXPECT_FALSE(parse_interval("3", "fortnight").has_value());
}

TEST(Calendar, TruncatesToTheStart) {
  EXPECT_EQ(cut("year", "2020-08-19 10:11:12"), "2020-01-01 00:00:00");
  EXPECT_EQ(cut("quarter", "2020-08-19"), "2020-07-01 00:00:00");
  EXPECT_EQ(cut("month", "2020-08-19"), "2020-08-01 00:00:00");
  EXPECT_EQ(cut("week", "2021-01-03"), "2020-12-28 00:00:00");
  EXPECT_EQ(cut("week", "0001-01-01"), "0001-01-01 00:00:00");
  EXPECT_EQ(cut("hour", "1969-12-31 23:30:00"), "1969-12-31 23:00:00");
  EXPECT_EQ(cut("second", "1969-12-31 23:59:59.5"), "1969-12-31 23:59:59");
}

RC_GTEST_PROP(Calendar, TruncationAndIntervalsKeepTheOrder, ()) {
  const auto range = calendar_microseconds();
  const auto any = rc::gen::inRange(static_cast<std::int64_t>(range.lo.value.units),
                                    static_cast<std::int64_t>(range.hi.value.units));
  const std::int64_t a = *any;
  const std::int64_t later = std::min(a + *rc::gen::inRange<std::int64_t>(0, 40 * microseconds_per_day),
                                      static_cast<std::int64_t>(range.hi.value.units));
  const Interval interval{*rc::gen::inRange(-1000, 1000), *rc::gen::inRange(-1000, 1000), *rc::gen::inRange(-9, 9)};
  // Months keep the order of days (31 March 00:00 and 30 March 23:00 land on one day, in reverse), the rest of moments.
  const auto midnight = [&](std::int64_t moment) { return truncate_to(*find_calendar_field("day"), moment); };
  RC_ASSERT(add_interval(midnight(a), interval) <= add_interval(midnight(later), interval));
  const Interval without_months{0, interval.days, interval.microseconds};
  RC_ASSERT(add_interval(a, without_months) <= add_interval(later, without_months));
  for (const CalendarField& field : calendar_fields()) {
    if (!field.truncates) continue;
    const std::int64_t start = truncate_to(field, a);
    RC_ASSERT(start <= a && a < next_start(field, start));
    RC_ASSERT(truncate_to(field, start) == start);
    RC_ASSERT(truncate_to(field, next_start(field, start)) == next_start(field, start));
    RC_ASSERT(start <= truncate_to(field, later));
  }
}

}  // namespace
}  // namespace tacit
