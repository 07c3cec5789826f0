#include "base/value.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <type_traits>

namespace tacit {
namespace {

constexpr std::int64_t microseconds_per_second = 1'000'000;
constexpr std::int64_t microseconds_per_day = 86'400 * microseconds_per_second;

bool read_number(std::string_view& text, std::size_t width, int& number) {
  if (text.size() < width) return false;
  const auto parsed = std::from_chars(text.data(), text.data() + width, number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + width || text.front() == '-') return false;
  text.remove_prefix(width);
  return true;
}

bool read_char(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<Date> read_date(std::string_view& text) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!read_number(text, 4, year) || !read_char(text, '-') || !read_number(text, 2, month) || !read_char(text, '-') ||
      !read_number(text, 2, day)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day ymd{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                        std::chrono::day{static_cast<unsigned>(day)}};
  if (!ymd.ok() || year < 1) return std::nullopt;
  return Date{static_cast<std::int32_t>(std::chrono::sys_days{ymd}.time_since_epoch().count())};
}

}  // namespace

std::string to_string(Date date) {
  // std::chrono's years end at 32767, an engine's dates do not: the calendar repeats every 400 years.
  constexpr int cycle_days = 146'097;
  constexpr int cycle_years = 400;
  const int cycles = date.days / cycle_days;
  const std::chrono::year_month_day ymd{std::chrono::sys_days{std::chrono::days{date.days % cycle_days}}};
  const int year = static_cast<int>(ymd.year()) + cycles * cycle_years;
  return fmt::format("{}{:04d}-{:02d}-{:02d}", year < 0 ? "-" : "", std::abs(year), static_cast<unsigned>(ymd.month()),
                     static_cast<unsigned>(ymd.day()));
}

std::string to_string(Timestamp timestamp) {
  std::int64_t days = timestamp.microseconds / microseconds_per_day;
  std::int64_t rest = timestamp.microseconds % microseconds_per_day;
  if (rest < 0) {
    --days;
    rest += microseconds_per_day;
  }
  const std::int64_t seconds = rest / microseconds_per_second;
  const std::int64_t fraction = rest % microseconds_per_second;
  std::string text = fmt::format("{} {:02d}:{:02d}:{:02d}", to_string(Date{static_cast<std::int32_t>(days)}),
                                 seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction != 0) {
    text += fmt::format(".{:06d}", fraction);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

std::optional<Date> parse_date(std::string_view text) {
  const auto date = read_date(text);
  return text.empty() ? date : std::nullopt;
}

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  const auto date = read_date(text);
  if (!date) return std::nullopt;
  Timestamp result{static_cast<std::int64_t>(date->days) * microseconds_per_day};
  if (text.empty()) return result;
  if (!read_char(text, ' ') && !read_char(text, 'T')) return std::nullopt;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!read_number(text, 2, hour) || !read_char(text, ':') || !read_number(text, 2, minute)) return std::nullopt;
  const bool with_seconds = read_char(text, ':');
  if (with_seconds && !read_number(text, 2, second)) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  result.microseconds += (hour * 3600LL + minute * 60LL + second) * microseconds_per_second;
  if (with_seconds && read_char(text, '.')) {
    if (text.empty() || text.size() > 6) return std::nullopt;
    std::int64_t unit = microseconds_per_second;
    for (const char c : text) {
      if (c < '0' || c > '9') return std::nullopt;
      unit /= 10;
      result.microseconds += (c - '0') * unit;
    }
    text = {};
  }
  return text.empty() ? std::optional(result) : std::nullopt;
}

std::string to_string(double value) { return fmt::format("{}", value); }

std::string to_string(const Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Null>)
          return "";
        else if constexpr (std::is_same_v<T, bool>)
          return v ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::string>)
          return v;
        else
          return to_string(v);
      },
      value);
}

}  // namespace tacit
