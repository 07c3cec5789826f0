#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tacit::postgres_engine {

// Why there is no connection.
enum class ConnectTrouble {
  malformed_url,
  unknown_host,
  refused,  // nobody listens there
  timed_out,
  no_password,
  wrong_password,
  not_admitted,  // no such role, or pg_hba.conf does not let it in this way
  no_database,
  no_connect_privilege,
  too_many_connections,
  not_accepting,  // it starts, stops or recovers
  no_tls,         // asked for, not offered
  untrusted_certificate,
  other_host_name,  // in the certificate
  no_root_certificate,
  tls_failed,
  wrong_server_role,  // target_session_attrs
  unsupported_version,
  unsupported_encoding,
  cancelled,
  other,
};

// Told from libpq's message, which holds the SQLSTATE instead of the server's words (PQERRORS_SQLSTATE), whatever
// language the server speaks. `lacks_password`: the server asked for one and there was none.
ConnectTrouble classify_connect(std::string_view message, bool lacks_password);

// The sentence. Nothing of the url is repeated, not even the host: where a character of a password was not escaped, a
// part of the password stands there.
Failure connect_failure(ConnectTrouble trouble, const std::string& where);

}  // namespace tacit::postgres_engine
