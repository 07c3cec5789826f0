#pragma once

#include <signal.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "answer/print_answer.hpp"
#include "engine/engine.hpp"

namespace tacit {

// What Ctrl-C (SIGINT), SIGTERM and SIGHUP do. Before an engine is watched they end the process at once: nothing was
// charged. From then on they cancel its statement, and the command ends with the engine's own failure; if it has not
// ended within six seconds, or at a second signal, the process ends at once. What was charged stays charged.
// The exit code is 5 in every case.
// Construct before any other thread exists: threads inherit that these signals are blocked.
class Interruption {
 public:
  explicit Interruption(Format format);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  class Watch {
   public:
    Watch(Interruption& interruption, Engine& engine);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Interruption& interruption_;
  };

  bool requested() const { return requested_; }

 private:
  void listen();
  void end_soon(const sigset_t& signals);
  void cancel_or_end();
  [[noreturn]] void end_at_once(const char* hint);

  Format format_;
  std::mutex mutex_;  // guards the next two: an engine is not taken away while it is being cancelled
  Engine* engine_ = nullptr;
  bool was_watching_ = false;
  std::atomic<bool> requested_ = false;
  std::atomic<bool> stopping_ = false;
  std::thread listener_;
};

}  // namespace tacit
