#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>

namespace tacit::postgres_engine {

// Asks the server to stop what the connection runs, again and again until the object is gone or `patience` is over: a
// request that arrives before the statement is lost. On a thread of its own that nobody waits for, since a request is a
// connection of its own, which hangs when the network is gone. One may still be on its way after the object is gone.
class StopRequest {
 public:
  StopRequest(PGconn* connection, std::chrono::milliseconds patience);
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

 private:
  struct State;
  static void ask(State& state, std::chrono::milliseconds patience);
  std::shared_ptr<State> state_;
};

}  // namespace tacit::postgres_engine
