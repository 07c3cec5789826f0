#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tacit {

// One line on standard error while it lives: shown after a second, kept up to date, and removed at the end. Only when
// standard error is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void show();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread shower_;
};

}  // namespace tacit
