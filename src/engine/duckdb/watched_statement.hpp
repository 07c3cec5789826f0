#pragma once

#include <atomic>
#include <chrono>
#include <functional>

namespace tacit::duckdb_engine {

// How long after the first interrupt a statement may go on before it is abandoned.
inline constexpr std::chrono::milliseconds grace{1'000};

struct StatementEnd {
  bool is_timed_out = false;
  bool is_abandoned = false;  // `statement` still runs
};

// Runs `statement` on a thread of its own and returns when it has ended, with what it threw thrown here. When `timeout`
// has passed or `cancelled` is true, `interrupt` is called again and again: one that arrives before the engine has
// begun would be lost. A kernel of the engine that never looks up would make the caller wait for as long as one row's
// value wants; so `grace` later the statement is abandoned: the call returns, and the thread goes on alone.
// `cancelled` is polled, so that setting it is all a signal handler has to do.
// REQUIRES: `statement` owns all that it touches; what it holds is destroyed on its thread. `interrupt` may be called
// until this returns.
StatementEnd run_watched(std::function<void()> statement, std::chrono::duration<double> timeout,
                         const std::atomic<bool>& cancelled, const std::function<void()>& interrupt);

}  // namespace tacit::duckdb_engine
