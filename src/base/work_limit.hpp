#pragma once

#include <cstdint>
#include <exception>
#include <limits>

namespace tacit {

// How much work one question may make before anything is charged: nodes made or visited, characters printed. Counted,
// not timed, so that the same question of the same policy has the same verdict on every machine, however busy. A step
// is some tens of nanoseconds and some tens of bytes at most.
//
// An exception, where failures are values elsewhere: every constructor of a node would have to return a Result, and so
// would every walk over a tree. It is thrown inside a WorkLimit only, and `plan_query` and `explain_plan`, which open
// one, turn it into a refusal.
class TooMuchWork : public std::exception {
 public:
  const char* what() const noexcept override { return "the question needs too much work"; }
};

// Steps of the worst question that is still planned, in well below a second and 200 MB. The largest of the TPC-H
// queries needs less than a tenth (tests/growth_test.cpp).
inline constexpr std::uint64_t most_work = 4'000'000;

// From its construction on, this thread may count `most` steps; an outer limit waits meanwhile.
class WorkLimit {
 public:
  explicit WorkLimit(std::uint64_t most = most_work);
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;
  ~WorkLimit();

  std::uint64_t used() const;  // REQUIRES that it is the innermost
  // Of the limit that ended last in this thread: for tests and measurements.
  static std::uint64_t last_used();

 private:
  std::uint64_t outer_left_;
  std::uint64_t most_;
};

namespace work_limit_detail {
// What is left of the innermost limit of this thread.
inline constinit thread_local std::uint64_t left =  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
    std::numeric_limits<std::uint64_t>::max();
[[noreturn]] void exceed();
}  // namespace work_limit_detail

// Throws TooMuchWork when the limit is exceeded. Outside every WorkLimit nothing is limited.
inline void count_work(std::uint64_t steps = 1) {
  if (steps > work_limit_detail::left) work_limit_detail::exceed();
  work_limit_detail::left -= steps;
}

// Copying text is cheap: sixteen characters are a step.
inline void count_text(std::uint64_t characters) { count_work(characters / 16 + 1); }

}  // namespace tacit
