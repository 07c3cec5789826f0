#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacit {

// The shape of [engine].url. Which engines are built in, and whether the database exists, the engine says.
enum class EngineScheme { duckdb, postgresql, spark };

std::optional<EngineScheme> scheme_of(std::string_view url);  // "duckdb:", "postgresql://", "postgres://", "spark://"

// The file of a "duckdb:PATH" url; empty for a database in memory and for other engines.
std::string duckdb_file(std::string_view url);

// A password in the authority (user:password@host) or among the parameters (?password=, ?sslpassword=), percent-encoded
// spellings included.
bool has_password(std::string_view url);

// The url without it, for people to see.
std::string without_password(std::string_view url);

// Whether the server's host is another machine, as far as the url tells: a name or address that is not this one.
bool is_remote(std::string_view url);

}  // namespace tacit
