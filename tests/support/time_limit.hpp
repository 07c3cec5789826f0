#pragma once

#include <chrono>
#include <ctime>

namespace tacit::testing {

// A limit tells the way that was meant from a runaway: it fails for neither a busy machine nor the sanitizers, under
// which the same steps take several times as long.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr double slowdown = 8;
#elif defined(__has_feature)
inline constexpr double slowdown = __has_feature(address_sanitizer) ? 8 : 1;
#else
inline constexpr double slowdown = 1;
#endif

constexpr double time_limit(double seconds) { return slowdown * seconds; }

// Of this process: another program on the machine does not count.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Where another process is waited for.
inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace tacit::testing
