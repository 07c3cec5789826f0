#pragma once

#include "base/result.hpp"

namespace tacit::postgres_engine {

// PostgreSQL's client library is loaded when the first policy that names a server is opened: with the twenty libraries
// that it loads itself (Kerberos, LDAP, GnuTLS) it would cost every other command 4.5 ms. A process loads it once.
// REQUIRED before any function of libpq is called.
Status load_libpq();

}  // namespace tacit::postgres_engine
