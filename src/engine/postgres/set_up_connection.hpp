#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "engine/postgres/handles.hpp"

namespace tacit::postgres_engine {

struct Limits {
  double timeout_seconds = 60.0;  // of each statement
  std::optional<int> threads;     // empty: the server's own choice
};

// What a server tells a new connection.
struct ServerFacts {
  int version = 0;  // 180004: 18.4
  // "postgresql:<system identifier>/<database>". The identifier is made with the cluster and copied to its replicas:
  // however the url spells the host, the same data has the same ledger, and another cluster behind the same host does
  // not. Where the server keeps it from the role, host and port take its place.
  std::string identity;
  std::vector<std::string> search_path;  // as the role, the database and the url set it; schemas that exist
};

// Reads the facts, then fixes every setting that could change what our SQL means, in one round trip.
Outcome<ServerFacts> set_up_connection(PGconn* connection, const Limits& limits, const std::atomic<bool>& cancelled);

}  // namespace tacit::postgres_engine
