#include "engine/postgres/stop_request.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <thread>

namespace tacit::postgres_engine {

struct StopRequest::State {
  struct Free {
    void operator()(PGcancel* cancel) const { PQfreeCancel(cancel); }
  };
  std::unique_ptr<PGcancel, Free> cancel;
  std::atomic<bool> ended = false;
};

StopRequest::StopRequest(PGconn* connection, std::chrono::milliseconds patience) : state_(std::make_shared<State>()) {
  state_->cancel.reset(PQgetCancel(connection));
  std::thread([state = state_, patience] { ask(*state, patience); }).detach();
}

StopRequest::~StopRequest() { state_->ended = true; }

void StopRequest::ask(State& state, std::chrono::milliseconds patience) {
  constexpr auto pause = std::chrono::milliseconds(100);
  sigset_t all;
  sigfillset(&all);  // signals are for the program's own threads, and a broken pipe for nobody
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::array<char, 256> ignored{};
  while (!state.ended && state.cancel != nullptr && std::chrono::steady_clock::now() < deadline) {
    PQcancel(state.cancel.get(), ignored.data(), static_cast<int>(ignored.size()));
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace tacit::postgres_engine
