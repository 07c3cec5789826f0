#include "base/value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace tacit {
namespace {

constexpr std::int64_t day = 86'400'000'000;

TEST(Date, PrintsAndReadsKnownDays) {
  EXPECT_EQ(to_string(Date{0}), "1970-01-01");
  EXPECT_EQ(to_string(Date{-1}), "1969-12-31");
  EXPECT_EQ(parse_date("2000-02-29"), Date{11016});
  EXPECT_EQ(parse_date("0001-01-01"), Date{-719162});
  EXPECT_EQ(parse_date("9999-12-31"), Date{2932896});
}

TEST(Date, RefusesDaysThatDoNotExist) {
  for (const char* text :
       {"2023-02-29", "1900-02-29", "2023-13-01",  "2023-00-01",       "2023-01-00",  "2023-04-31",  "0000-01-01",
        "-001-01-01", "2023-1-1",   "2023/01/01",  "20230101",         "2023-01-01x", " 2023-01-01", "2023-01-1",
        "2023-01",    "",           "02023-01-01", "2023-01-01 00:00", "202a-01-01",  "2023-+1-01"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

TEST(Date, EnginesHaveDaysFarOutsideOurCalendar) {
  EXPECT_EQ(to_string(Date{-719528}), "0000-01-01");
  EXPECT_EQ(to_string(Date{-719529}), "-0001-12-31");
  EXPECT_EQ(to_string(Date{2932897}), "10000-01-01");
  EXPECT_EQ(to_string(Date{std::numeric_limits<std::int32_t>::max()}), "5881580-07-11");
  EXPECT_EQ(to_string(Date{std::numeric_limits<std::int32_t>::min()}), "-5877641-06-23");
}

TEST(Timestamp, PrintsTheFractionOnlyWhenThereIsOne) {
  EXPECT_EQ(to_string(Timestamp{0}), "1970-01-01 00:00:00");
  EXPECT_EQ(to_string(Timestamp{-1}), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(to_string(Timestamp{1'500'000}), "1970-01-01 00:00:01.5");
  EXPECT_EQ(to_string(Timestamp{-day}), "1969-12-31 00:00:00");
}

TEST(Timestamp, ReadsItsForms) {
  EXPECT_EQ(parse_timestamp("1970-01-02"), Timestamp{day});
  EXPECT_EQ(parse_timestamp("1970-01-02 01:02"), Timestamp{day + 3'720'000'000});
  EXPECT_EQ(parse_timestamp("1970-01-02T01:02:03"), Timestamp{day + 3'723'000'000});
  EXPECT_EQ(parse_timestamp("1970-01-02 01:02:03.5"), Timestamp{day + 3'723'500'000});
  EXPECT_EQ(parse_timestamp("1970-01-02 01:02:03.000001"), Timestamp{day + 3'723'000'001});
}

TEST(Timestamp, RefusesOtherForms) {
  for (const char* text : {"1970-01-01 24:00", "1970-01-01 23:60", "1970-01-01 23:59:60", "1970-01-01 1:00",
                           "1970-01-01 10:00:", "1970-01-01 10:00:00.", "1970-01-01 10:00:00.1234567",
                           "1970-01-01 10:00.5", "1970-01-01 10", "1970-01-01 ", "1970-01-01x10:00",
                           "1970-01-01 10:00:00Z", "1970-01-01 10:00:00+01", "1970-01-01 10:00:00.12x", "10:00", ""}) {
    EXPECT_FALSE(parse_timestamp(text)) << text;
  }
}

TEST(Value, PlainText) {
  EXPECT_EQ(to_string(Value{Null{}}), "");
  EXPECT_EQ(to_string(Value{true}), "true");
  EXPECT_EQ(to_string(Value{false}), "false");
  EXPECT_EQ(to_string(Value{Decimal{-150, 2}}), "-1.50");
  EXPECT_EQ(to_string(Value{0.1}), "0.1");
  EXPECT_EQ(to_string(Value{std::string("it's")}), "it's");
  EXPECT_EQ(to_string(Value{Date{0}}), "1970-01-01");
  EXPECT_EQ(to_string(Value{Timestamp{0}}), "1970-01-01 00:00:00");
}

TEST(Value, DifferentKindsAreDifferentValues) {
  EXPECT_NE(Value{Null{}}, Value{std::string()});
  EXPECT_EQ(Value{Null{}}, Value{Null{}});
  EXPECT_EQ((Value{Decimal{10, 1}}), (Value{Decimal{1, 0}}));
  EXPECT_NE((Value{Decimal{1, 0}}), Value{true});
}

RC_GTEST_PROP(DateProperty, TextReadsBack, ()) {
  const Date date{*rc::gen::inRange(-719162, 2932897)};
  RC_ASSERT(parse_date(to_string(date)) == date);
}

RC_GTEST_PROP(DateProperty, TextKeepsTheOrderOfDays, ()) {
  const int day_number = *rc::gen::inRange(-719162, 2932896);
  RC_ASSERT(to_string(Date{day_number}) < to_string(Date{day_number + 1}));
}

RC_GTEST_PROP(TimestampProperty, TextReadsBack, ()) {
  const Timestamp timestamp{*rc::gen::inRange<std::int64_t>(-719162 * day, 2932897 * day)};
  RC_ASSERT(parse_timestamp(to_string(timestamp)) == timestamp);
}

RC_GTEST_PROP(ValueProperty, DoublesReadBack, (std::uint64_t bits)) {
  double value = 0.0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  RC_PRE(std::isfinite(value));
  const std::string text = to_string(value);
  double back = 0.0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), back);
  RC_ASSERT(parsed.ptr == text.data() + text.size());
  RC_ASSERT(back == value && std::signbit(back) == std::signbit(value));
}

}  // namespace
}  // namespace tacit
