#include "engine/postgres/connect.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace tacit::postgres_engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* default_timeout = "10";  // seconds
constexpr std::chrono::milliseconds slice{50};

bool is_url(const std::string& url) {
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) return false;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(PQconninfoParse(url.c_str(), nullptr),
                                                                               PQconninfoFree);
  return options != nullptr;
}

ConnectionHandle start(const std::string& url) {
  // What stands before dbname gives way to the url, what stands after it does not. A connect_timeout of ours would
  // hide the environment's.
  std::vector<const char*> keys = {"keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
                                   "fallback_application_name"};
  std::vector<const char*> values = {"30", "10", "3", "60000", "tacit"};
  if (std::getenv("PGCONNECT_TIMEOUT") == nullptr) {  // NOLINT(concurrency-mt-unsafe): nothing here sets it
    keys.push_back("connect_timeout");
    values.push_back(default_timeout);
  }
  keys.insert(keys.end(), {"dbname", "client_encoding", nullptr});
  values.insert(values.end(), {url.c_str(), "UTF8", nullptr});
  return ConnectionHandle(PQconnectStartParams(keys.data(), values.data(), 1));
}

// The whole time to wait: connect_timeout for each host of the url.
Clock::duration patience(PGconn* connection) {
  int seconds = 0;
  std::ptrdiff_t hosts = 1;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(PQconninfo(connection), PQconninfoFree);
  for (const PQconninfoOption* option = options.get(); option != nullptr && option->keyword != nullptr; ++option) {
    const std::string_view key = option->keyword;
    const std::string_view value = option->val == nullptr ? "" : option->val;
    if (key == "connect_timeout") seconds = std::atoi(std::string(value).c_str());
    if (key == "host" || key == "hostaddr") {
      hosts = std::max(hosts, 1 + std::count(value.begin(), value.end(), ','));
    }
  }
  if (seconds <= 0) return std::chrono::hours(24);  // libpq's word for no limit
  return std::chrono::seconds(seconds) * hosts;
}

// False: not yet, or a signal came.
bool wait_for(PGconn* connection, PostgresPollingStatusType wanted) {
  pollfd socket{PQsocket(connection), static_cast<short>(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
  return poll(&socket, 1, static_cast<int>(slice.count())) > 0;
}

}  // namespace

tl::expected<ConnectionHandle, ConnectTrouble> connect(const std::string& url, const std::atomic<bool>& cancelled) {
  if (!is_url(url)) return tl::unexpected(ConnectTrouble::malformed_url);
  ConnectionHandle connection = start(url);
  if (connection == nullptr) return tl::unexpected(ConnectTrouble::other);
  PQsetErrorVerbosity(connection.get(), PQERRORS_SQLSTATE);
  PQsetNoticeProcessor(
      connection.get(), [](void*, const char*) {}, nullptr);
  const auto deadline = Clock::now() + patience(connection.get());
  auto wanted = PQstatus(connection.get()) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (wanted == PGRES_POLLING_READING || wanted == PGRES_POLLING_WRITING) {
    if (cancelled) return tl::unexpected(ConnectTrouble::cancelled);
    if (Clock::now() >= deadline) return tl::unexpected(ConnectTrouble::timed_out);
    if (wait_for(connection.get(), wanted)) wanted = PQconnectPoll(connection.get());
  }
  if (wanted != PGRES_POLLING_OK) {
    return tl::unexpected(
        classify_connect(PQerrorMessage(connection.get()), PQconnectionNeedsPassword(connection.get()) == 1));
  }
  if (PQserverVersion(connection.get()) / 10000 < oldest_served) {
    return tl::unexpected(ConnectTrouble::unsupported_version);
  }
  // Of other encodings some rows cannot be converted to UTF-8, and a query would fail by what is stored.
  const char* encoding = PQparameterStatus(connection.get(), "server_encoding");
  if (encoding == nullptr || std::string_view(encoding) != "UTF8") {
    return tl::unexpected(ConnectTrouble::unsupported_encoding);
  }
  return connection;
}

}  // namespace tacit::postgres_engine
