#include "bench/timed_tasks.hpp"

#include "bench/timing.hpp"

namespace tacit {

Status time_in_turn(const std::vector<TimedTask>& tasks, std::size_t repetition) {
  TACIT_TRY_STATUS(tasks.front().run());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const TimedTask& task = tasks[(i + repetition) % tasks.size()];
    TACIT_TRY(const double ms, milliseconds(task.run));
    task.times->push_back(ms);
  }
  return {};
}

}  // namespace tacit
