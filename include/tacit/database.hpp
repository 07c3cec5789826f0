#pragma once

#include <memory>
#include <string>

#include "tacit/outcome.hpp"
#include "tacit/policy.hpp"
#include "tacit/session.hpp"

namespace tacit::api {

// A policy opened once, for many sessions: the engine started and locked down, files loaded, names and types read, the
// ledger bound to the database.
//
//   auto database = tacit::api::Database::open("shop.toml");
//   auto session = database->connect();  // in each thread that asks
//
// Every function may be called from any thread at any time, but for moving and destroying the object. Sessions keep
// what they need: they may outlive it. The embedded engine's memory, threads and temporary files ([engine] in the
// policy) are those of all sessions together; the timeout is each question's own.
//
// What the policy file, a CSV file or the definition of a table say is read here, once. If a table that a question
// reads was defined anew since, the question fails and costs nothing, until the policy is opened again.
class Database {
 public:
  // As Session::open.
  static Outcome<Database> open(const std::string& policy_path);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // Another session. On DuckDB within 2 ms, and no file is read; on PostgreSQL one more connection to the server.
  Outcome<Session> connect();

  PolicySummary policy() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::api
