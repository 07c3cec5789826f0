#include "engine/duckdb/watched_statement.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "base/check.hpp"
#include "engine/end_of_process.hpp"

namespace tacit {
namespace {

std::atomic<int> abandoned_statements = 0;

}  // namespace

bool has_abandoned_statements() { return abandoned_statements > 0; }

namespace duckdb_engine {
namespace {

using Clock = std::chrono::steady_clock;

struct Running {
  std::function<void()> statement;
  std::mutex mutex;
  std::condition_variable wake;
  bool has_ended = false;  // this and the next two: under mutex
  bool is_abandoned = false;
  std::exception_ptr thrown;  // of an abandoned statement: dropped
};

void run(Running& running) {
  std::exception_ptr thrown;
  try {
    running.statement();
  } catch (...) {
    thrown = std::current_exception();
  }
  running.statement = nullptr;  // what it holds may close the engine, before anybody is told
  const std::lock_guard lock(running.mutex);
  running.thrown = thrown;
  running.has_ended = true;
  if (running.is_abandoned) --abandoned_statements;
  running.wake.notify_all();
}

void* run_on_thread(void* argument) {
  const std::unique_ptr<std::shared_ptr<Running>> running(static_cast<std::shared_ptr<Running>*>(argument));
  run(**running);
  return nullptr;
}

// The engine plans deep expressions by recursion. The default stack of a thread is that of the process, or 2 MB where
// that one has no limit.
pthread_t start_thread(const std::shared_ptr<Running>& running) {
  constexpr std::size_t stack_bytes = std::size_t{16} << 20U;
  auto argument = std::make_unique<std::shared_ptr<Running>>(running);
  pthread_attr_t attributes;
  pthread_t thread{};
  TACIT_CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, stack_bytes) == 0,
              "a thread can be described");
  const bool is_started = pthread_create(&thread, &attributes, run_on_thread, argument.get()) == 0;
  pthread_attr_destroy(&attributes);
  TACIT_CHECK(is_started, "the system has a thread for a statement");
  static_cast<void>(argument.release());
  return thread;
}

}  // namespace

StatementEnd run_watched(std::function<void()> statement, std::chrono::duration<double> timeout,
                         const std::atomic<bool>& cancelled, const std::function<void()>& interrupt) {
  constexpr auto tick = std::chrono::milliseconds(20);
  const auto running = std::make_shared<Running>();
  running->statement = std::move(statement);
  const auto begin = Clock::now();
  auto give_up = Clock::time_point::max();
  StatementEnd end;
  const pthread_t thread = start_thread(running);
  std::unique_lock lock(running->mutex);
  while (!running->wake.wait_for(lock, tick, [&] { return running->has_ended; })) {
    const auto now = Clock::now();
    if (now - begin >= timeout) end.is_timed_out = true;
    if (!end.is_timed_out && !cancelled) continue;
    interrupt();
    give_up = std::min(give_up, now + grace);
    if (now < give_up) continue;
    end.is_abandoned = running->is_abandoned = true;
    ++abandoned_statements;
    pthread_detach(thread);
    return end;
  }
  lock.unlock();
  pthread_join(thread, nullptr);
  if (running->thrown) std::rethrow_exception(running->thrown);
  return end;
}

}  // namespace duckdb_engine
}  // namespace tacit
