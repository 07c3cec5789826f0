#pragma once

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

  tacit::testing::PostgresServer& server;
  std::string database;
};

}  // namespace tacit
