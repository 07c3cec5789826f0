#include "sql/parse/large_stack.hpp"

#include <pthread.h>
#include <unistd.h>

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

namespace tacit {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} * 1024 * 1024;

// One thread for all queries, which take turns. libpg_query makes a key of thread-local storage in every thread that
// parses and never gives it back; a process has 1,024 of them, and OpenSSL needs some too.
class ParsingThread {
 public:
  bool start() {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_t thread{};
    const bool started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                         pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
                         pthread_create(&thread, &attributes, run, this) == 0;
    pthread_attr_destroy(&attributes);
    return started;
  }

  void do_errand(const std::function<void()>& work) {
    const std::lock_guard turn(turns_);
    std::unique_lock lock(mutex_);
    thrown_ = nullptr;
    work_ = &work;
    changed_.notify_all();
    changed_.wait(lock, [this] { return work_ == nullptr; });
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  static void* run(void* self) {
    static_cast<ParsingThread*>(self)->serve();
    return nullptr;
  }

  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return work_ != nullptr; });
      try {
        (*work_)();
      } catch (...) {
        thrown_ = std::current_exception();
      }
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex turns_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  std::exception_ptr thrown_;
};

// Never destroyed: the thread waits for work until the process ends. A child of fork() has no such thread and makes its
// own. Null: the machine has no room for it.
ParsingThread* parsing_thread() {
  static std::mutex mutex;
  static ParsingThread* thread = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  static pid_t process = 0;
  const std::lock_guard lock(mutex);
  if (thread == nullptr || process != getpid()) {
    auto made = std::make_unique<ParsingThread>();
    thread = made->start() ? made.release() : nullptr;
    process = getpid();
  }
  return thread;
}

}  // namespace

Status run_on_large_stack(const std::function<void()>& work) {
  ParsingThread* thread = parsing_thread();
  if (thread == nullptr) return refuse("the machine has no room for a thread to read the query", "try again later");
  thread->do_errand(work);
  return {};
}

}  // namespace tacit
