#include "engine/postgres/connection.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <string_view>

#include "base/check.hpp"
#include "base/value.hpp"
#include "engine/postgres/connect.hpp"
#include "engine/postgres/engine_trouble.hpp"

namespace tacit::postgres_engine {
namespace {

// A database or a role may have a timeout by default that is shorter than its replacement takes on a busy server. It
// may even ring after that statement was answered, and end the one that follows; the connection is of no use then.
bool is_ended_by_the_servers_timeout(const EngineError& error) {
  constexpr std::string_view query_canceled = "57014";
  return error.sqlstate == query_canceled && !error.is_cancelled && !error.is_timed_out;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(std::string url, const Limits& limits, std::string where,
                                                     const ServerFacts& known) {
  std::unique_ptr<Connection> made(new Connection(std::move(url), limits, std::move(where), known));
  TACIT_TRY_STATUS(made->connect_anew());
  return made;
}

Status Connection::connect_anew() {
  constexpr int tries = 50;
  cancelled_ = false;
  for (int attempt = 1;; ++attempt) {
    auto connected = connect(url_, cancelled_);
    if (!connected) return fail(connect_failure(connected.error(), where_));
    auto facts = set_up_connection(connected->get(), limits_, cancelled_);
    if (!facts && attempt < tries && is_ended_by_the_servers_timeout(facts.error())) continue;
    if (!facts) return fail(explain(facts.error()));
    if (facts_.identity.empty()) facts_ = *facts;
    TACIT_TRY_STATUS(check_same_server(*facts));
    handle_ = std::move(*connected);
    return {};
  }
}

Status Connection::check_same_server(const ServerFacts& now) const {
  if (now.identity != facts_.identity) {
    return fail({FailureCode::engine, "the connection was lost, and another database answers at the url now", where_,
                 "start Tacit again if that is meant; its ledger will refuse a database that is not its own"});
  }
  // What this one computes was not looked at (check_relied_on).
  if (now.version / 10000 != facts_.version / 10000) {
    return fail({FailureCode::engine, "the server is of another version than when the policy was opened", where_,
                 "start Tacit again; a program that embeds it opens the database again"});
  }
  return {};
}

// What the server sent while nobody listened: a farewell, if anything. Costs no round trip.
bool Connection::is_alive() {
  if (handle_ == nullptr) return false;
  constexpr int looks = 16;
  for (int look = 0; look < looks; ++look) {
    pollfd socket{PQsocket(handle_.get()), POLLIN, 0};
    if (poll(&socket, 1, 0) <= 0) break;
    if (PQconsumeInput(handle_.get()) == 0) return false;
  }
  return PQstatus(handle_.get()) == CONNECTION_OK && PQtransactionStatus(handle_.get()) == PQTRANS_IDLE;
}

Status Connection::revive() {
  if (in_snapshot_ || is_alive()) return {};
  handle_.reset();
  return connect_anew();
}

Outcome<void> Connection::run(const std::string& sql, Protocol protocol, double timeout_seconds,
                              const AnswerSink& sink) {
  if (handle_ == nullptr) return tl::unexpected(EngineError{.is_lost = true});
  cancelled_ = false;
  try {
    auto outcome =
        run_statement(handle_.get(), sql, protocol, std::chrono::duration<double>(timeout_seconds), cancelled_, sink);
    if (!outcome && (outcome.error().is_lost || outcome.error().is_cancelled || outcome.error().is_timed_out)) {
      handle_.reset();
    }
    return outcome;
  } catch (...) {
    handle_.reset();  // half an answer is still in it
    throw;
  }
}

Outcome<void> Connection::begin(const std::string& sql) {
  TACIT_CHECK(!in_snapshot_, "one snapshot at a time");
  auto begun = run(sql, Protocol::simple, limits_.timeout_seconds, [](const PGresult&) {});
  in_snapshot_ = true;
  if (!begun) end();
  return begun;
}

void Connection::end() noexcept {
  if (!std::exchange(in_snapshot_, false) || handle_ == nullptr) return;
  // Nothing was written, nothing waits: a connection that does not answer at once is of no use any more.
  constexpr double patience_seconds = 3;
  try {
    const auto ended = run("ROLLBACK", Protocol::simple, patience_seconds, [](const PGresult&) {});
    if (!ended) handle_.reset();
  } catch (...) {
    handle_.reset();
  }
}

Outcome<void> Connection::select(const std::string& sql, const AnswerSink& sink) {
  return run(sql, Protocol::extended, limits_.timeout_seconds, [&](const PGresult& answer) {
    TACIT_CHECK(PQresultStatus(&answer) != PGRES_COMMAND_OK, "only SELECT reaches the engine");
    sink(answer);
  });
}

Failure Connection::explain(const EngineError& error, const std::vector<TableName>& tables) const {
  if (error.is_timed_out) {
    return {FailureCode::engine,
            fmt::format("the engine did not finish within {} s", to_string(limits_.timeout_seconds)), "",
            "raise `timeout` under [engine] in the policy"};
  }
  if (error.is_cancelled) return {FailureCode::engine, "cancelled", "", ""};
  return statement_failure(error, tables);
}

}  // namespace tacit::postgres_engine
