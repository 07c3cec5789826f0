#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>
#include <tl/expected.hpp>

// Owners of libpq's handles. Included by the sources of engine/postgres/ only.
namespace tacit::postgres_engine {

struct Finish {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct Clear {
  void operator()(PGresult* answer) const { PQclear(answer); }
};

using ConnectionHandle = std::unique_ptr<PGconn, Finish>;
using Answer = std::unique_ptr<PGresult, Clear>;

// Why a statement failed. The server's words quote private values: they are not even read.
struct EngineError {
  std::string sqlstate = {};  // empty: libpq's own error
  bool is_lost = false;       // the connection
  bool is_cancelled = false;  // by cancel()
  bool is_timed_out = false;  // by the policy's timeout
};

template <class T>
using Outcome = tl::expected<T, EngineError>;

}  // namespace tacit::postgres_engine
