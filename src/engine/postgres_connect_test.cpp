#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/postgres_fixture.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using tacit::testing::cpu_seconds;
using tacit::testing::PostgresServer;
using tacit::testing::time_limit;

class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

class PostgresConnect : public PostgresTest {
 protected:
  std::string what_of(const std::string& url) {
    policy.engine.url = url;
    const Failure failure = open_failure();
    EXPECT_EQ(to_line(failure).find("secret"), std::string::npos);
    EXPECT_EQ(failure.where, policy.path + ":2");
    EXPECT_FALSE(failure.hint.empty());
    return failure.what;
  }
  bool opens(const std::string& url) {
    policy.engine.url = url;
    const auto engine = open_engine(policy);
    if (!engine) ADD_FAILURE() << to_line(engine.error());
    return static_cast<bool>(engine);
  }
};

TEST_F(PostgresConnect, AcceptsBothSchemes) {
  const std::string url = server.url(database);
  EXPECT_TRUE(opens(url));
  EXPECT_TRUE(opens("postgres" + url.substr(url.find(':'))));
}

// Alone on a machine 5 ms, and most of them the server's; a busy one takes several times as long.
TEST_F(PostgresConnect, IsQuick) {
  const auto engine = open();
  constexpr int connections = 20;
  auto best = std::chrono::steady_clock::duration::max();
  const double before = cpu_seconds();
  for (int i = 0; i < connections; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto opened = open();
    best = std::min(best, std::chrono::steady_clock::now() - begin);
  }
  EXPECT_LT((cpu_seconds() - before) / connections, time_limit(0.01));
  EXPECT_LT(std::chrono::duration<double>(best).count(), time_limit(0.1));
}

TEST_F(PostgresConnect, TriesEveryHostOfTheUrl) {
  const std::string role = make_role();
  EXPECT_TRUE(opens("postgresql://" + role + ":secret@127.0.0.1:1,127.0.0.1:" + std::to_string(server.port()) + "/" +
                    database));
}

TEST_F(PostgresConnect, SetsTheSession) {
  sql({"ALTER DATABASE " + database + " SET default_transaction_read_only = off",
       "ALTER DATABASE " + database + " SET statement_timeout = 1"});
  policy.engine.threads = 3;
  policy.engine.timeout_seconds = 42.5;
  policy.engine.url += "&options=-cTimeZone%3DAsia/Tokyo";
  const auto engine = open();
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"default_transaction_read_only", "on"},
                                                        {"search_path", "pg_catalog, pg_temp"},
                                                        {"TimeZone", "UTC"},
                                                        {"DateStyle", "ISO, YMD"},
                                                        {"statement_timeout", "42500ms"},
                                                        {"lock_timeout", "10s"},
                                                        {"idle_in_transaction_session_timeout", "5min"},
                                                        {"max_parallel_workers_per_gather", "2"},
                                                        {"client_encoding", "UTF8"},
                                                        {"application_name", "tacit"},
                                                        {"standard_conforming_strings", "on"}}) {
    const auto rows = engine->read_public({"SELECT current_setting('" + name + "')", {SqlType::text()}});
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->at(0).at(0), Value(value)) << name;
  }
}

// Shorter than the first questions of a connection take when many come at once.
TEST_F(PostgresConnect, OutlivesTheDatabasesOwnTimeout) {
  sql({"ALTER DATABASE " + database + " SET statement_timeout = 1"});
  std::mutex one_at_a_time;
  std::vector<std::string> refused;
  std::vector<std::jthread> others;
  for (int thread = 0; thread < 16; ++thread) {
    others.emplace_back([&] {
      for (int connection = 0; connection < 20; ++connection) {
        const auto engine = open_engine(policy);
        if (engine) continue;
        const std::lock_guard lock(one_at_a_time);
        refused.push_back(to_line(engine.error()));
      }
    });
  }
  others.clear();
  EXPECT_THAT(refused, ::testing::IsEmpty());
}

TEST_F(PostgresConnect, RefusesMalformedUrls) {
  for (const char* url : {"postgresql:", "postgresql:shop", "postgres:/shop", "postgresql://u:secret@h:1:2/d",
                          "postgresql://h/d?secret=1", "postgresql://[::1/d"}) {
    EXPECT_EQ(what_of(url), "the url of the PostgreSQL server is malformed") << url;
    EXPECT_EQ(open_failure().code, FailureCode::usage);
  }
}

TEST_F(PostgresConnect, RefusesFilesAsTables) {
  add_table("t", "t.parquet");
  EXPECT_EQ(open_failure().what, "table `t` has a `source`, a file");
}

TEST_F(PostgresConnect, TakesThePasswordFromUrlAndEnvironment) {
  const std::string role = make_role();
  const std::string url = server.tcp_url(role, database);
  EXPECT_EQ(what_of(url), "the PostgreSQL server asks for a password");
  EXPECT_TRUE(opens(server.tcp_url(role + ":secret", database)));
  EXPECT_EQ(what_of(server.tcp_url(role + ":secretly", database)),
            "the PostgreSQL server does not accept this role and password");
  {
    const Environment password("PGPASSWORD", "secret");
    EXPECT_TRUE(opens(url));
  }
  {
    const Environment password("PGPASSWORD", "secretly");
    EXPECT_EQ(what_of(url), "the PostgreSQL server does not accept this role and password");
  }
  write("pgpass", "127.0.0.1:*:*:" + role + ":secret\n");
  chmod(at("pgpass").c_str(), 0600);
  const Environment file("PGPASSFILE", at("pgpass"));
  EXPECT_TRUE(opens(url));
}

TEST_F(PostgresConnect, SaysWhatIsMissing) {
  const std::string role = make_role();
  EXPECT_EQ(what_of(server.tcp_url(role + ":secret", "missing")), "the PostgreSQL server has no database of that name");
  EXPECT_EQ(what_of(url_as("missing")), "the PostgreSQL server does not admit this role from here");
  EXPECT_EQ(what_of("postgresql://u:secret@no-such-host.invalid/d"), "the host of the PostgreSQL server is not known");
  // A part of a password that was not escaped looks like a host.
  EXPECT_EQ(what_of("postgresql://u:p@secret@no-such-host.invalid/d"),
            "the host of the PostgreSQL server is not known");
  EXPECT_EQ(what_of("postgresql://127.0.0.1:1/d"), "no PostgreSQL server listens at the url's host and port");
  EXPECT_EQ(what_of("postgresql:///d?host=" + folder.string()),
            "no PostgreSQL server listens at the url's host and port");
  sql({"REVOKE CONNECT ON DATABASE " + database + " FROM PUBLIC"});
  EXPECT_EQ(what_of(url_as(role)), "the role may not connect to this database");
  sql({"ALTER ROLE " + role + " CONNECTION LIMIT 0", "GRANT CONNECT ON DATABASE " + database + " TO " + role});
  EXPECT_EQ(what_of(url_as(role)), "the PostgreSQL server has no connection left");
}

TEST_F(PostgresConnect, GivesUpOnASilentServer) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 5), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string url = "postgresql://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/d";
  EXPECT_EQ(what_of(url + "?connect_timeout=2"), "the PostgreSQL server does not answer");
  close(listener);
}

TEST_F(PostgresConnect, ReadsUtf8DatabasesOnly) {
  server.run("postgres", {"CREATE DATABASE latin_" + database +
                          " ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0 "
                          "LOCALE_PROVIDER libc"});
  EXPECT_EQ(what_of(server.url("latin_" + database)), "the database's encoding is not UTF8");
}

TEST_F(PostgresConnect, IsBoundToTheClusterAndTheDatabase) {
  const std::string identity = open()->identity();
  EXPECT_EQ(identity.rfind("postgresql:", 0), 0U);
  EXPECT_EQ(identity.substr(identity.find('/')), "/" + database);
  const std::string role = make_role();
  EXPECT_TRUE(opens(server.tcp_url(role + ":secret", database)));
  EXPECT_EQ(open()->identity(), identity);
  policy.engine.url = server.url();
  EXPECT_NE(open()->identity(), identity);
}

TEST_F(PostgresConnect, IsBoundToHostAndPortWhereTheClusterIsNotTold) {
  const std::string role = make_role();
  sql({"REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC"});
  ASSERT_TRUE(opens(server.tcp_url(role + ":secret", database)));
  EXPECT_EQ(open()->identity(), "postgresql://127.0.0.1:" + std::to_string(server.port()) + "/" + database);
  EXPECT_EQ(open()->catalog()->search_path, std::vector<std::string>{"public"});
}

class PostgresTls : public PostgresConnect {
 protected:
  // A server with a certificate for `localhost`, made once.
  static PostgresServer& own() {
    static PostgresServer server;
    static const bool made = prepare(server);
    EXPECT_TRUE(made);
    return server;
  }

  static bool prepare(PostgresServer& server) {
    const std::string folder = server.folder().string();
    const std::string script =
        "cd " + folder +
        " && openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /CN=ca -days 2"
        " && openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.crt -subj /CN=other -days 2"
        " && openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost"
        " && openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out server.crt -days 2"
        " && chmod 600 server.key && chmod 644 ca.crt server.crt other.crt";
    if (std::system(("(" + script + ") > /dev/null 2>&1").c_str()) != 0) return false;
    struct stat owner {};
    if (stat(folder.c_str(), &owner) != 0) return false;
    if (chown((folder + "/server.key").c_str(), owner.st_uid, owner.st_gid) != 0) return false;
    server.run("postgres", {"CREATE ROLE ana LOGIN PASSWORD 'secret'"});
    server.configure(
        {"ssl = on", "ssl_cert_file = '" + folder + "/server.crt'", "ssl_key_file = '" + folder + "/server.key'"});
    return true;
  }

  static std::string url(const std::string& host, const std::string& parameters) {
    return "postgresql://ana:secret@" + host + ":" + std::to_string(own().port()) + "/postgres?hostaddr=127.0.0.1&" +
           parameters;
  }
  static std::string root(const std::string& file) { return "&sslrootcert=" + own().folder().string() + "/" + file; }
};

TEST_F(PostgresTls, ConnectsToAServerItCanVerify) {
  EXPECT_TRUE(opens(url("localhost", "sslmode=verify-full" + root("ca.crt"))));
  EXPECT_TRUE(opens(url("127.0.0.1", "sslmode=verify-ca" + root("ca.crt"))));
  EXPECT_TRUE(opens(url("localhost", "sslmode=require")));
  const Environment mode("PGSSLMODE", "verify-full");
  const Environment file("PGSSLROOTCERT", own().folder().string() + "/ca.crt");
  ASSERT_TRUE(opens(url("localhost", "")));
  const auto engine = open();
  const auto rows =
      engine->read_public({"SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", {SqlType::boolean()}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->at(0).at(0), Value(true));
  EXPECT_TRUE(engine->measure("SELECT i, repeat('x', 100) FROM generate_series(1, 100000) AS s(i)"));
}

TEST_F(PostgresTls, RefusesAServerItCannotVerify) {
  EXPECT_EQ(what_of(url("localhost", "sslmode=verify-full" + root("other.crt"))),
            "the PostgreSQL server's certificate is not trusted");
  EXPECT_EQ(what_of(url("127.0.0.1", "sslmode=verify-full" + root("ca.crt"))),
            "the PostgreSQL server's certificate is for another host name");
  EXPECT_EQ(what_of(url("localhost", "sslmode=verify-full" + root("missing.crt"))),
            "there is no root certificate to verify the PostgreSQL server with");
}

TEST_F(PostgresTls, RefusesAServerWithoutTls) {
  const std::string role = make_role();
  EXPECT_EQ(what_of(server.tcp_url(role + ":secret", database, "sslmode=require")),
            "the PostgreSQL server does not offer TLS");
}

TEST_F(PostgresTls, CancelsAndTimesOut) {
  policy.engine.timeout_seconds = 0.3;
  ASSERT_TRUE(opens(url("localhost", "sslmode=verify-full" + root("ca.crt"))));
  const auto engine = open();
  const auto slept = engine->measure("SELECT pg_sleep(10)");
  ASSERT_FALSE(slept);
  EXPECT_EQ(slept.error().what, "the engine did not finish within 0.3 s");
  EXPECT_TRUE(engine->measure("SELECT 1"));
}

}  // namespace
}  // namespace tacit
