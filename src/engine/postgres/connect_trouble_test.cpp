#include "engine/postgres/connect_trouble.hpp"

#include <gtest/gtest.h>

namespace tacit::postgres_engine {
namespace {

constexpr const char* place = "connection to server at \"h\" (127.0.0.1), port 5432 failed: ";

ConnectTrouble told(const std::string& words, bool lacks_password = false) {
  return classify_connect(place + words, lacks_password);
}

TEST(PostgresConnectTrouble, IsToldFromTheSqlstateInAnyLanguage) {
  EXPECT_EQ(told("FATAL:  28P01\n"), ConnectTrouble::wrong_password);
  EXPECT_EQ(told("SCHWERWIEGEND:  28P01\n"), ConnectTrouble::wrong_password);
  EXPECT_EQ(told("FATAL:  28000\n"), ConnectTrouble::not_admitted);
  EXPECT_EQ(told("FATAL:  3D000\n"), ConnectTrouble::no_database);
  EXPECT_EQ(told("FATAL:  42501\n"), ConnectTrouble::no_connect_privilege);
  EXPECT_EQ(told("FATAL:  53300\n"), ConnectTrouble::too_many_connections);
  EXPECT_EQ(told("FATAL:  57P03\n"), ConnectTrouble::not_accepting);
  EXPECT_EQ(told("FATAL:  57P01\n"), ConnectTrouble::not_accepting);
  EXPECT_EQ(told("FATAL:  XX000\n"), ConnectTrouble::other);
}

TEST(PostgresConnectTrouble, IsToldFromTheWordsOfLibpq) {
  EXPECT_EQ(told("fe_sendauth: no password supplied\n", true), ConnectTrouble::no_password);
  EXPECT_EQ(told("Connection refused\n\tIs the server running?\n"), ConnectTrouble::refused);
  EXPECT_EQ(told("timeout expired\n"), ConnectTrouble::timed_out);
  EXPECT_EQ(told("server does not support SSL, but SSL was required\n"), ConnectTrouble::no_tls);
  EXPECT_EQ(told("SSL error: certificate verify failed\n"), ConnectTrouble::untrusted_certificate);
  EXPECT_EQ(told("SSL error: wrong version number\n"), ConnectTrouble::tls_failed);
  EXPECT_EQ(told("session is read-only\n"), ConnectTrouble::wrong_server_role);
  EXPECT_EQ(classify_connect("could not translate host name \"h\" to address: ...\n", false),
            ConnectTrouble::unknown_host);
  EXPECT_EQ(classify_connect("invalid sslmode value: \"x\"\n", false), ConnectTrouble::malformed_url);
  EXPECT_EQ(classify_connect("", false), ConnectTrouble::other);
}

TEST(PostgresConnectTrouble, HasASentenceForEach) {
  for (int i = 0; i <= static_cast<int>(ConnectTrouble::other); ++i) {
    const auto trouble = static_cast<ConnectTrouble>(i);
    const Failure failure = connect_failure(trouble, "policy.toml:2");
    EXPECT_EQ(failure.where, "policy.toml:2");
    EXPECT_EQ(failure.what == connect_failure(ConnectTrouble::other, "").what, trouble == ConnectTrouble::other) << i;
    EXPECT_EQ(failure.hint.empty(), trouble == ConnectTrouble::cancelled) << i;
  }
}

}  // namespace
}  // namespace tacit::postgres_engine
