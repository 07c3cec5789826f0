#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tacit {

// Watches one statement from a thread of its own and interrupts it when its time is up or `cancelled` becomes true.
// The interrupt is repeated until the watch ends: one that arrives before the engine has begun would be lost.
// `cancelled` is polled, so that setting it is all a signal handler has to do.
class StatementWatch {
 public:
  StatementWatch(std::chrono::duration<double> timeout, const std::atomic<bool>& cancelled,
                 std::function<void()> interrupt);
  ~StatementWatch();
  StatementWatch(const StatementWatch&) = delete;
  StatementWatch& operator=(const StatementWatch&) = delete;

  bool timed_out() const { return timed_out_; }

 private:
  void watch(std::chrono::duration<double> timeout, const std::atomic<bool>& cancelled,
             const std::function<void()>& interrupt);
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;  // under mutex_
  std::atomic<bool> timed_out_ = false;
  std::thread thread_;  // last: starts when the rest is there
};

}  // namespace tacit
