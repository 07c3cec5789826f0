#pragma once

#include <chrono>

#include "base/result.hpp"

namespace tacit {

// How long `run` took, if it succeeded.
template <class Run>
Result<double> milliseconds(Run run) {
  const auto start = std::chrono::steady_clock::now();
  auto result = run();
  if (!result) return fail(result.error());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tacit
