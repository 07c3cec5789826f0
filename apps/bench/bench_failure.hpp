#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"

namespace tacit {

// A statement of the benchmark's own failed. None of the engine's words: a url may stand in them.
inline Failure cannot_run_bench(std::string where, std::string hint) {
  return {FailureCode::engine, "the benchmark's own statements do not run", std::move(where), std::move(hint)};
}

}  // namespace tacit
