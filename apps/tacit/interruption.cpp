#include "interruption.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "streams.hpp"

namespace tacit {
namespace {

constexpr int wake_up = SIGUSR1;                    // from the destructor to the listener
constexpr auto patience = std::chrono::seconds(6);  // a server that does not react is given up after 4
constexpr timespec between_cancels{0, 100'000'000};

sigset_t listened_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, wake_up);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    const bool is_ignored = sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) sigaddset(&signals, signal);  // what the parent told us to ignore (nohup) stays ignored
  }
  return signals;
}

}  // namespace

Interruption::Interruption(Format format) : format_(format) {
  const sigset_t signals = listened_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  listener_ = std::thread([this] { listen(); });
}

Interruption::~Interruption() {
  stopping_ = true;
  pthread_kill(listener_.native_handle(), wake_up);
  listener_.join();
}

void Interruption::listen() {
  const sigset_t signals = listened_signals();
  while (!stopping_) {
    const int signal = sigwaitinfo(&signals, nullptr);
    if (signal > 0 && signal != wake_up) return end_soon(signals);
  }
}

// The statement may be about to start, so it is cancelled again and again until the command has ended.
void Interruption::end_soon(const sigset_t& signals) {
  requested_ = true;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!stopping_) {
    cancel_or_end();
    const int signal = sigtimedwait(&signals, nullptr, &between_cancels);
    if (stopping_) return;
    if ((signal > 0 && signal != wake_up) || std::chrono::steady_clock::now() > deadline)
      end_at_once("what was charged stays charged; see tacit ledger show");
  }
}

void Interruption::cancel_or_end() {
  const std::lock_guard lock(mutex_);
  if (engine_) engine_->cancel();
  if (!was_watching_) end_at_once("nothing was charged");
}

void Interruption::end_at_once(const char* hint) {
  write_message(print_failure({FailureCode::engine, "interrupted", "", hint}, format_));
  ::_exit(static_cast<int>(FailureCode::engine));
}

Interruption::Watch::Watch(Interruption& interruption, Engine& engine) : interruption_(interruption) {
  const std::lock_guard lock(interruption_.mutex_);
  interruption_.engine_ = &engine;
  interruption_.was_watching_ = true;
}

Interruption::Watch::~Watch() {
  const std::lock_guard lock(interruption_.mutex_);
  interruption_.engine_ = nullptr;
}

}  // namespace tacit
