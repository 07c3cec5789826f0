#include "engine/postgres/statement.hpp"

#include <poll.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "base/check.hpp"
#include "engine/postgres/stop_request.hpp"

namespace tacit::postgres_engine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds slice{50};
constexpr std::chrono::seconds reaction_time{4};  // after a request to stop

class RunningStatement {
 public:
  RunningStatement(PGconn* connection, std::chrono::duration<double> timeout, const std::atomic<bool>& cancelled)
      : connection_(connection),
        cancelled_(cancelled),
        timeout_(std::min<std::chrono::duration<double>>(timeout, std::chrono::hours(24 * 365))) {}

  Outcome<void> finish(const AnswerSink& sink) {
    constexpr unsigned pieces_between_looks = 256;
    std::optional<EngineError> error;
    for (unsigned piece = 0;; ++piece) {
      if (piece % pieces_between_looks == 0) look_around();
      if (!wait_for_piece()) return tl::unexpected(lost());
      const Answer answer(PQgetResult(connection_));
      if (answer == nullptr) break;
      if (!take(*answer, sink) && !error) error = error_of(*answer);
    }
    const bool is_lost = PQstatus(connection_) == CONNECTION_BAD;
    if (is_lost && !error) return tl::unexpected(lost());
    if (error) {
      error->is_lost = is_lost;
      return tl::unexpected(*error);
    }
    if (stop_) return tl::unexpected(stopped());  // it ended on its own meanwhile; its rows were not taken
    return {};
  }

 private:
  // False: an error.
  bool take(const PGresult& answer, const AnswerSink& sink) {
    switch (PQresultStatus(&answer)) {
      case PGRES_SINGLE_TUPLE:
      case PGRES_TUPLES_OK:
        if (!stop_) sink(answer);
        return true;
      case PGRES_COMMAND_OK: sink(answer); return true;
      case PGRES_FATAL_ERROR: return false;
      default: invariant_broken("a statement of ours answers rows or nothing", __FILE__, __LINE__);
    }
  }

  // False: the server does not react.
  bool wait_for_piece() {
    while (PQisBusy(connection_) != 0) {
      look_around();
      if (stop_ && Clock::now() >= give_up_) return false;
      const bool is_all_sent = PQflush(connection_) == 0;
      pollfd socket{PQsocket(connection_), static_cast<short>(is_all_sent ? POLLIN : POLLIN | POLLOUT), 0};
      if (poll(&socket, 1, static_cast<int>(slice.count())) <= 0) continue;
      if ((socket.revents & ~POLLOUT) != 0 && PQconsumeInput(connection_) == 0) break;
    }
    return true;  // what is wrong, PQgetResult tells
  }

  void look_around() {
    if (stop_) return;
    is_timed_out_ = Clock::now() - begin_ >= timeout_;
    if (!is_timed_out_ && !cancelled_) return;
    stop_ = std::make_unique<StopRequest>(connection_, reaction_time);
    give_up_ = Clock::now() + reaction_time;
  }

  EngineError stopped() const { return {.is_cancelled = !is_timed_out_, .is_timed_out = is_timed_out_}; }

  EngineError lost() const {
    if (stop_) return stopped();
    return {.is_lost = true};
  }

  EngineError error_of(const PGresult& answer) const {
    const char* state = PQresultErrorField(&answer, PG_DIAG_SQLSTATE);
    EngineError error = stop_ ? stopped() : EngineError{};
    error.sqlstate = state == nullptr ? "" : state;
    // The server's own clock may ring first.
    constexpr std::string_view query_canceled = "57014";
    constexpr double nearly = 0.95;
    if (!stop_ && error.sqlstate == query_canceled) error.is_timed_out = Clock::now() - begin_ >= nearly * timeout_;
    return error;
  }

  PGconn* connection_;
  const std::atomic<bool>& cancelled_;
  std::chrono::duration<double> timeout_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point give_up_;
  bool is_timed_out_ = false;
  std::unique_ptr<StopRequest> stop_;
};

bool send(PGconn* connection, const std::string& sql, Protocol protocol) {
  if (PQsetnonblocking(connection, 1) != 0) return false;  // a long statement must not block either
  if (protocol == Protocol::simple) return PQsendQuery(connection, sql.c_str()) == 1;
  constexpr int binary = 1;
  return PQsendQueryParams(connection, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, binary) == 1 &&
         PQsetSingleRowMode(connection) == 1;
}

}  // namespace

Outcome<void> run_statement(PGconn* connection, const std::string& sql, Protocol protocol,
                            std::chrono::duration<double> timeout, const std::atomic<bool>& cancelled,
                            const AnswerSink& sink) {
  RunningStatement statement(connection, timeout, cancelled);
  if (!send(connection, sql, protocol)) return tl::unexpected(EngineError{.is_lost = true});
  return statement.finish(sink);
}

}  // namespace tacit::postgres_engine
