#pragma once

#include <functional>
#include <vector>

#include "base/result.hpp"

namespace tacit {

// One thing to time again and again.
struct TimedTask {
  std::function<Status()> run;
  std::vector<double>* times;  // milliseconds
};

// Each task once. What ran just before decides what is still cached, so each repetition begins with another task, after
// one run that does not count.
Status time_in_turn(const std::vector<TimedTask>& tasks, std::size_t repetition);

}  // namespace tacit
