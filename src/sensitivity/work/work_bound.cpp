#include "sensitivity/work/work_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr long long beyond_all = 1'000'000'000'000;  // larger numbers are all the same: too large

long long product(const std::vector<long long>& counts, int times) {
  long long rows = times;
  for (const long long count : counts) {
    if (__builtin_mul_overflow(rows, std::max(count, 1LL), &rows)) return beyond_all;
    rows = std::min(rows, beyond_all);
  }
  return rows;
}

std::string grouped_digits(long long number) {
  std::string text = std::to_string(number);
  for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

std::string shown(long long rows) { return rows == beyond_all ? "more than a trillion" : grouped_digits(rows); }

// The factors that make the product large.
std::string tables_of(const WorkBound& bound, const std::vector<long long>& counts) {
  std::string names;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] <= 1 || names.find(bound.factors[i].tables) != std::string::npos) continue;
    names += (names.empty() ? "" : ", ") + bound.factors[i].tables;
  }
  return names;
}

constexpr const char* fewer_rows =
    "join public tables with = on all columns of a key, or first count them in a subquery (SELECT the columns of the "
    "join, COUNT(*) ... GROUP BY them)";

}  // namespace

Status WorkTally::add(const WorkBound& bound, const std::vector<long long>& counts) {
  TACIT_CHECK(counts.size() == bound.factors.size(), "every factor is counted");
  const long long rows = product(counts, bound.times);
  switch (bound.of) {
    case WorkBound::Of::private_row:
    case WorkBound::Of::pair_of_rows: {
      const bool pairs = bound.of == WorkBound::Of::pair_of_rows;
      const long long most = pairs ? most_rows_met_by_pairs : most_rows_met;
      if (rows <= most) return {};
      return refuse(fmt::format("{} can meet {} rows of public {}; at most {} are joined, or the time that the query "
                                "takes would tell about {}",
                                pairs ? "two rows of one person" : "one private row", shown(rows),
                                tables_of(bound, counts), grouped_digits(most), pairs ? "a person" : "one row"),
                    fewer_rows);
    }
    case WorkBound::Of::public_join: {
      // A join that is no larger than the largest of its tables is as good as reading that table.
      if (rows == std::max(1LL, counts.empty() ? 1LL : *std::max_element(counts.begin(), counts.end()))) return {};
      pairs_ += rows;
      if (pairs_ <= most_public_pairs) return {};
      return refuse(
          fmt::format("the join of {} can have {} rows; at most {} are allowed, or the time that the query takes "
                      "would tell whether a private row needs it",
                      tables_of(bound, counts), shown(rows), grouped_digits(most_public_pairs)),
          fewer_rows);
    }
    case WorkBound::Of::reading: {
      read_ += rows;
      if (read_ <= most_rows_read) return {};
      return refuse(fmt::format("the query reads public {} {} times, {} rows in all; at most {} readings, or {} rows, "
                                "are allowed",
                                bound.factors.front().tables, bound.times, shown(rows), most_reads,
                                grouped_digits(most_rows_read)),
                    "read the table fewer times: join it once, or put several conditions into one EXISTS");
    }
  }
  TACIT_CHECK(false, "every kind of work has a limit");
}

}  // namespace tacit
