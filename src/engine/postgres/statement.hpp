#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

#include "engine/postgres/handles.hpp"

namespace tacit::postgres_engine {

// Takes what the server answers, in pieces: each has the columns, and some of the rows.
using AnswerSink = std::function<void(const PGresult& answer)>;

enum class Protocol {
  extended,  // exactly one statement, cells in binary
  simple,    // several statements, cells as text
};

// Runs what `sql` says to its end. The server is asked to stop when `timeout` has passed or `cancelled` becomes true
// (setting it is all a signal handler has to do), and given up when it does not react. Whoever gets an error that is
// lost, cancelled or timed out must close the connection: a request to stop may still be on its way.
Outcome<void> run_statement(PGconn* connection, const std::string& sql, Protocol protocol,
                            std::chrono::duration<double> timeout, const std::atomic<bool>& cancelled,
                            const AnswerSink& sink);

}  // namespace tacit::postgres_engine
