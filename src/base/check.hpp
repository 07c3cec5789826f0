#pragma once

#include <stdexcept>
#include <string>

namespace tacit {

// A broken invariant of ours (exit code 70). Never thrown for anything a user wrote, and never carries data.
class InvariantBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void invariant_broken(const char* invariant, const char* file, int line);

}  // namespace tacit

// The second argument names the invariant in words.
#define TACIT_CHECK(condition, invariant)                                       \
  do {                                                                          \
    if (!(condition)) ::tacit::invariant_broken(invariant, __FILE__, __LINE__); \
  } while (false)
