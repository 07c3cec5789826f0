#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using Dates = ExpressionFixture;

TEST_F(Dates, DaysMoveDates) {
  EXPECT_EQ(type(call("+", {d, age})), "date");
  EXPECT_EQ(sql(call("+", {year2020, number("1")})).substr(0, 7), "((CASE ");
  EXPECT_EQ(sql(call("-", {date("2020-03-01"), number("1")})), "DATE '2020-02-29'");
  EXPECT_EQ(sql(call("+", {number("1"), date("2020-02-28")})), "DATE '2020-02-29'");
  // Beyond the calendar: NULL by a guard, not an error.
  EXPECT_NE(sql(call("+", {d, i64})).find("BETWEEN CAST(-3652058 AS BIGINT) AND CAST(3652058 AS BIGINT)"),
            std::string::npos);
}

TEST_F(Dates, DifferencesAreDays) {
  const ExprPtr days = call("-", {year2020, date("2020-01-01")});
  EXPECT_EQ(type(days), "bigint");
  EXPECT_EQ(range(days), "[0, 365]");
  EXPECT_EQ(range(call("-", {d, text("2020-01-01")})), "[-737424?, 2914634?]");
  EXPECT_NE(refusal("-", {ts, ts}).find("CAST both to date"), std::string::npos);
  EXPECT_NE(refusal("-", {d, ts}), "accepted");
  EXPECT_NE(refusal("+", {d, d}), "accepted");
  EXPECT_NE(refusal("-", {number("1"), d}), "accepted");
  EXPECT_NE(refusal("+", {d, x}), "accepted");
}

TEST_F(Dates, IntervalsMakeTimestamps) {
  const ExprPtr later = call("+", {year2020, interval("1 month")});
  EXPECT_EQ(type(later), "timestamp");
  EXPECT_TRUE(std::get<ExactRange>(later->range).stated());
  EXPECT_NE(sql(later).find("INTERVAL '1 months 0 days 0 microseconds'"), std::string::npos);
  EXPECT_EQ(sql(call("-", {date("2020-03-31"), interval("1 month")})), "TIMESTAMP '2020-02-29 00:00:00'");
  EXPECT_EQ(sql(call("+", {interval("1 day"), timestamp("2020-01-01 12:00")})), "TIMESTAMP '2020-01-02 12:00:00'");
  EXPECT_NE(refusal("+", {interval("1 day"), interval("1 day")}), "accepted");
  EXPECT_NE(refusal("-", {interval("1 day"), d}), "accepted");
  EXPECT_NE(refusal("*", {interval("1 day"), number("2")}), "accepted");
  EXPECT_NE(refusal("interval", {text("soon")}), "accepted");
  EXPECT_FALSE(resolve_unknown(interval("1 day")).has_value());
}

TEST_F(Dates, ExtractHasItsOwnRange) {
  EXPECT_EQ(range(call("extract", {text("month"), d})), "[1, 12]");
  EXPECT_EQ(range(call("extract", {text("dow"), ts})), "[0, 6]");
  EXPECT_EQ(range(call("extract", {text("YEAR"), year2020})), "[2020, 2020]");
  EXPECT_EQ(range(call("date_part", {text("year"), d})), "[1?, 9999?]");
  EXPECT_EQ(type(call("extract", {text("second"), ts})), "decimal(8,6)");
  EXPECT_NE(refusal("extract", {text("hour"), d}).find("a date has no hour"), std::string::npos);
  EXPECT_NE(refusal("extract", {text("mounth"), d}).find("did you mean `month`"), std::string::npos);
  EXPECT_NE(refusal("extract", {text("month"), s}), "accepted");
  EXPECT_NE(refusal("extract", {s, d}), "accepted");
}

TEST_F(Dates, TruncationIsATimestamp) {
  const ExprPtr month = call("date_trunc", {text("month"), year2020});
  EXPECT_EQ(type(month), "timestamp");
  EXPECT_TRUE(std::get<ExactRange>(month->range).stated());
  EXPECT_NE(refusal("date_trunc", {text("dow"), d}), "accepted");
  EXPECT_NE(refusal("date_trunc", {text("month"), age}), "accepted");
}

}  // namespace
}  // namespace tacit
