#pragma once

#include <atomic>
#include <string>
#include <tl/expected.hpp>

#include "engine/postgres/connect_trouble.hpp"
#include "engine/postgres/handles.hpp"

namespace tacit::postgres_engine {

// Major versions. A newer server than the newest tested is served too, with a word of warning (Engine::version).
inline constexpr int oldest_served = 14;
inline constexpr int newest_tested = 18;

// Connects as libpq does: the url, then the environment (PGPASSWORD, PGPASSFILE, PGSSLMODE, PGSERVICE, ...), then
// defaults. Ours are only a bound on waiting (connect_timeout, keepalives), UTF-8 and the application's name. The
// server is one we support. Gives up within a second of `cancelled`.
tl::expected<ConnectionHandle, ConnectTrouble> connect(const std::string& url, const std::atomic<bool>& cancelled);

}  // namespace tacit::postgres_engine
