#include "engine/duckdb/statement_watch.hpp"

namespace tacit {

StatementWatch::StatementWatch(std::chrono::duration<double> timeout, const std::atomic<bool>& cancelled,
                               std::function<void()> interrupt)
    : thread_([this, timeout, &cancelled, interrupt = std::move(interrupt)] { watch(timeout, cancelled, interrupt); }) {
}

StatementWatch::~StatementWatch() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void StatementWatch::watch(std::chrono::duration<double> timeout, const std::atomic<bool>& cancelled,
                           const std::function<void()>& interrupt) {
  constexpr auto tick = std::chrono::milliseconds(20);
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, tick, [this] { return ended_; })) {
    if (std::chrono::steady_clock::now() - begin >= timeout) timed_out_ = true;
    if (timed_out_ || cancelled) interrupt();
  }
}

}  // namespace tacit
