#pragma once

#include <chrono>
#include <thread>

#include "engine/engine_fixture.hpp"
#include "support/postgres_server.hpp"

// For the tests of engine/ only.
namespace tacit {

// A database of the test's own in the program's PostgreSQL server, and a policy over it.
class PostgresTest : public EngineTest {
 protected:
  PostgresTest() : server(testing_server()), database(server.create_database()) {
    policy.engine.url = server.url(database);
  }

  static tacit::testing::PostgresServer& testing_server() { return tacit::testing::PostgresServer::shared(); }

  void sql(const std::vector<std::string>& statements) const { server.run(database, statements); }

  // A role of this test's own that may do nothing yet, with the password "secret".
  std::string make_role() const {
    const std::string role = "role_" + database;
    sql({"CREATE ROLE " + role + " LOGIN PASSWORD 'secret'"});
    return role;
  }
  // Through the socket, without a password.
  std::string url_as(const std::string& role) const {
    return "postgresql:///" + database + "?host=" + server.folder().string() +
           "&port=" + std::to_string(server.port()) + "&user=" + role;
  }

  // Until some statement in this database sleeps (pg_sleep).
  static void wait_until_asleep(const tacit::testing::PostgresServer& at, const std::string& in_database) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const std::string count =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = '" + in_database + "'";
    while (at.rows("postgres", count)[0][0] == "0" && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  tacit::testing::PostgresServer& server;
  std::string database;
};

}  // namespace tacit
