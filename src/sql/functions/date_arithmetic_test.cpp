#include "sql/functions/date_arithmetic.hpp"

#include <gtest/gtest.h>

#include "sql/coerce.hpp"
#include "sql/functions/calendar.hpp"

namespace tacit {
namespace {

Timestamp at(const char* text) { return *parse_timestamp(text); }

// Months keep the order of days, not of moments: every moment between the bounds must stay in the proved range.
TEST(DateArithmetic, TheRangeOfAMonthShiftCoversEveryMoment) {
  auto column = std::make_shared<Column>();
  column->type = SqlType::timestamp();
  column->proved = type_range(column->type);
  column->declared = declared_range(column->type, at("2021-01-29 12:00:00"), at("2021-01-31 00:00:00"));
  for (const char* text : {"1 month", "-11 months", "1 month 3 days 2 hours"}) {
    const auto interval = bind_call("interval", {string_literal(text, 1)}, 1);
    ASSERT_TRUE(interval.has_value());
    const auto sum = bind_call("+", {make_column(column, 1), *interval}, 1);
    ASSERT_TRUE(sum.has_value()) << to_line(sum.error());
    const auto& range = std::get<ExactRange>((*sum)->range);
    for (std::int64_t moment = at("2021-01-29 12:00:00").microseconds; moment <= at("2021-01-31 00:00:00").microseconds;
         moment += 60'000'000) {
      const Decimal shifted{add_interval(moment, *parse_interval(text)), 0};
      ASSERT_TRUE(range.lo.value <= shifted && shifted <= range.hi.value)
          << text << " " << to_string(Timestamp{moment});
    }
    EXPECT_TRUE(range.stated());
  }
}

}  // namespace
}  // namespace tacit
