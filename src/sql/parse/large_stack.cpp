#include "sql/parse/large_stack.hpp"

#include <pthread.h>

#include <exception>

namespace tacit {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} * 1024 * 1024;

struct Errand {
  const std::function<void()>& work;
  std::exception_ptr thrown;
};

void* run(void* argument) {
  auto& errand = *static_cast<Errand*>(argument);
  try {
    errand.work();
  } catch (...) {
    errand.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

Status run_on_large_stack(const std::function<void()>& work) {
  Errand errand{work, nullptr};
  pthread_attr_t attributes;
  bool started = pthread_attr_init(&attributes) == 0;
  if (started) {
    pthread_t thread{};
    started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
              pthread_create(&thread, &attributes, run, &errand) == 0;
    pthread_attr_destroy(&attributes);
    if (started) pthread_join(thread, nullptr);
  }
  if (!started) return refuse("the machine has no room for a thread to read the query", "try again later");
  if (errand.thrown) std::rethrow_exception(errand.thrown);
  return {};
}

}  // namespace tacit
