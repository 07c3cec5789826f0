#include "progress_line.hpp"

#include <fmt/format.h>

#include <chrono>

#include "streams.hpp"

namespace tacit {

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {
  if (messages_reach_a_terminal()) shower_ = std::thread([this] { show(); });
}

ProgressLine::~ProgressLine() {
  if (!shower_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  shower_.join();
}

void ProgressLine::show() {
  constexpr const char* empty_line = "\r\x1b[K";
  std::unique_lock lock(mutex_);
  int seconds = 0;
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; }))
    write_message(fmt::format("{}{} {} s (Ctrl-C stops)", empty_line, what_, ++seconds));
  if (seconds > 0) write_message(empty_line);
}

}  // namespace tacit
