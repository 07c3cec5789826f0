#include "engine/postgres/connect_trouble.hpp"

#include <algorithm>
#include <array>

namespace tacit::postgres_engine {
namespace {

struct Sign {
  std::string_view part;  // an SQLSTATE or its class, or words of libpq's own
  ConnectTrouble trouble;
};

// The first that fits decides.
constexpr std::array states = {
    Sign{"28P01", ConnectTrouble::wrong_password},       Sign{"28", ConnectTrouble::not_admitted},
    Sign{"3D000", ConnectTrouble::no_database},          Sign{"42501", ConnectTrouble::no_connect_privilege},
    Sign{"53300", ConnectTrouble::too_many_connections}, Sign{"57P", ConnectTrouble::not_accepting},
    Sign{"0A000", ConnectTrouble::unsupported_version},  // the protocol
};

constexpr std::array words = {
    Sign{"could not translate host name", ConnectTrouble::unknown_host},
    Sign{"could not parse network address", ConnectTrouble::unknown_host},
    Sign{"server does not support SSL", ConnectTrouble::no_tls},
    Sign{"does not match host name", ConnectTrouble::other_host_name},
    Sign{"host name must be specified for a verified", ConnectTrouble::other_host_name},
    Sign{"root certificate file", ConnectTrouble::no_root_certificate},
    Sign{"certificate verify failed", ConnectTrouble::untrusted_certificate},
    Sign{"SSL error", ConnectTrouble::tls_failed},
    Sign{"SSL SYSCALL error", ConnectTrouble::tls_failed},
    Sign{"certificate", ConnectTrouble::tls_failed},
    Sign{"timeout expired", ConnectTrouble::timed_out},
    Sign{"Connection timed out", ConnectTrouble::timed_out},
    Sign{"session is read-only", ConnectTrouble::wrong_server_role},
    Sign{"session is not read-only", ConnectTrouble::wrong_server_role},
    Sign{"hot standby mode", ConnectTrouble::wrong_server_role},
    Sign{"Connection refused", ConnectTrouble::refused},
    Sign{"No such file or directory", ConnectTrouble::refused},
    Sign{"No route to host", ConnectTrouble::refused},
    Sign{"Network is unreachable", ConnectTrouble::refused},
    Sign{"server closed the connection", ConnectTrouble::not_accepting},
};

// "... failed: FATAL:  28P01" ends in one; the word before it is in the server's language.
std::string_view final_sqlstate(std::string_view message) {
  constexpr std::string_view mark = ":  ";
  constexpr std::size_t length = 5;
  while (!message.empty() && message.back() == '\n') message.remove_suffix(1);
  if (message.size() < mark.size() + length) return {};
  const std::string_view state = message.substr(message.size() - length);
  const bool is_state =
      std::all_of(state.begin(), state.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); });
  return is_state && message.substr(0, message.size() - length).ends_with(mark) ? state : std::string_view();
}

struct Sentence {
  ConnectTrouble trouble;
  const char* what;
  const char* hint;
};

constexpr std::array sentences = {
    Sentence{ConnectTrouble::malformed_url, "the url of the PostgreSQL server is malformed",
             "write postgresql://USER@HOST:PORT/DATABASE, special characters as %40 and the like"},
    Sentence{ConnectTrouble::unknown_host, "the host of the PostgreSQL server is not known",
             "check the url's host, and escape an @ or / in its password as %40 or %2F"},
    Sentence{ConnectTrouble::refused, "no PostgreSQL server listens at the url's host and port",
             "check that the server runs, and the url's host and port"},
    Sentence{ConnectTrouble::timed_out, "the PostgreSQL server does not answer",
             "check the url's host and port and the firewall, or set connect_timeout in the url"},
    Sentence{ConnectTrouble::no_password, "the PostgreSQL server asks for a password",
             "set PGPASSWORD, or write it to the file that PGPASSFILE names (~/.pgpass)"},
    Sentence{ConnectTrouble::wrong_password, "the PostgreSQL server does not accept this role and password",
             "check the url's user, and PGPASSWORD or the file that PGPASSFILE names"},
    Sentence{ConnectTrouble::not_admitted, "the PostgreSQL server does not admit this role from here",
             "check that the role exists and that pg_hba.conf admits it, perhaps only with TLS (sslmode=require)"},
    Sentence{ConnectTrouble::no_database, "the PostgreSQL server has no database of that name",
             "check the url's last part"},
    Sentence{ConnectTrouble::no_connect_privilege, "the role may not connect to this database",
             "GRANT CONNECT ON DATABASE ... TO the role"},
    Sentence{ConnectTrouble::too_many_connections, "the PostgreSQL server has no connection left", "try again later"},
    Sentence{ConnectTrouble::not_accepting, "the PostgreSQL server is starting, stopping or recovering",
             "try again in a moment"},
    Sentence{ConnectTrouble::no_tls, "the PostgreSQL server does not offer TLS",
             "switch it on there (ssl = on); without it the data travels in the clear"},
    Sentence{ConnectTrouble::untrusted_certificate, "the PostgreSQL server's certificate is not trusted",
             "name the authority that signed it: sslmode=verify-full&sslrootcert=FILE in the url"},
    Sentence{ConnectTrouble::other_host_name, "the PostgreSQL server's certificate is for another host name",
             "write the host in the url as the certificate names it"},
    Sentence{ConnectTrouble::no_root_certificate, "there is no root certificate to verify the PostgreSQL server with",
             "name the authority's file: sslrootcert=FILE in the url, or PGSSLROOTCERT"},
    Sentence{ConnectTrouble::tls_failed, "the TLS connection to the PostgreSQL server failed",
             "check sslmode, sslrootcert, sslcert and sslkey in the url"},
    Sentence{ConnectTrouble::wrong_server_role, "no server of the url has the state that target_session_attrs asks for",
             "Tacit only reads: leave target_session_attrs out of the url"},
    Sentence{ConnectTrouble::unsupported_version, "Tacit runs on PostgreSQL 14 and newer, and this server is older",
             "use a newer server"},
    Sentence{ConnectTrouble::unsupported_encoding, "the database's encoding is not UTF8",
             "Tacit reads UTF8 databases only: create one (ENCODING 'UTF8') and restore a dump into it"},
    Sentence{ConnectTrouble::cancelled, "cancelled", ""},
    Sentence{ConnectTrouble::other, "there is no connection to the PostgreSQL server",
             "try the same url with psql, which says more"},
};

}  // namespace

ConnectTrouble classify_connect(std::string_view message, bool lacks_password) {
  const std::string_view state = final_sqlstate(message);
  for (const Sign& sign : states) {
    if (state.starts_with(sign.part)) return sign.trouble;
  }
  if (message.starts_with("invalid ")) return ConnectTrouble::malformed_url;  // a port, a mode
  if (lacks_password) return ConnectTrouble::no_password;
  for (const Sign& sign : words) {
    if (message.find(sign.part) != std::string_view::npos) return sign.trouble;
  }
  return ConnectTrouble::other;
}

Failure connect_failure(ConnectTrouble trouble, const std::string& where) {
  const auto* found =
      std::find_if(sentences.begin(), sentences.end(), [&](const Sentence& s) { return s.trouble == trouble; });
  const Sentence& sentence = found == sentences.end() ? sentences.back() : *found;
  const FailureCode code = trouble == ConnectTrouble::malformed_url ? FailureCode::usage : FailureCode::engine;
  return {code, sentence.what, where, sentence.hint};
}

}  // namespace tacit::postgres_engine
