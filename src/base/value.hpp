#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/decimal.hpp"

namespace tacit {

struct Null {
  friend bool operator==(Null, Null) = default;
};

struct Date {
  std::int32_t days = 0;  // since 1970-01-01
  friend auto operator<=>(Date, Date) = default;
};

struct Timestamp {
  std::int64_t microseconds = 0;  // since 1970-01-01 00:00:00, no time zone
  friend auto operator<=>(Timestamp, Timestamp) = default;
};

// A public value: a literal of the query, an entry of a declared domain, a key read from a public table.
// Integers are decimals of scale 0. Private cells never become a Value; they stay in ExactRows.
using Value = std::variant<Null, bool, Decimal, double, std::string, Date, Timestamp>;

std::string to_string(Date date);                       // 2026-11-15
std::string to_string(Timestamp timestamp);             // 2026-11-15 08:30:00[.123456]
std::optional<Date> parse_date(std::string_view text);  // ISO 8601, years 0001 to 9999
std::optional<Timestamp> parse_timestamp(
    std::string_view text);  // date, then optionally ' ' or 'T' and hh:mm[:ss[.ffffff]]

// Plain text of a value as an answer shows it; NULL is the empty string.
std::string to_string(const Value& value);
// Shortest text that reads back as the same double.
std::string to_string(double value);

}  // namespace tacit
