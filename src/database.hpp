#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "base/result.hpp"
#include "budget/ledger.hpp"
#include "catalog/catalog.hpp"
#include "engine/engine.hpp"
#include "policy/policy.hpp"
#include "policy_accounts.hpp"

namespace tacit {

struct Connection;

// An opened policy, once per process: the engine locked down, the catalog read and checked, the ledger bound to the
// database. All of it may be used from any thread:
//   1. policy, catalog and accounts never change once it is open;
//   2. the ledger lets one call in at a time, and each of its charges is one transaction;
//   3. the engine's shared part (EngineInstance) guards itself.
// On a server a table may change while the database is open. Each question's snapshot compares the tables that it reads
// with the catalog of here, and a question about one that changed fails until the policy is opened again.
class Database {
 public:
  static Result<std::shared_ptr<Database>> open(const std::string& policy_path);

  const Policy& policy() const { return policy_; }
  const Catalog& catalog() const { return catalog_; }
  const AccountsPtr& accounts() const { return accounts_; }  // what the ledger's money is about
  Ledger& ledger() { return ledger_; }

  // The first one has the engine's connection that opening needed.
  static Result<Connection> connect(const std::shared_ptr<Database>& database);

 private:
  Database(Policy policy, Catalog catalog, Ledger ledger, OpenedEngine engine);

  const Policy policy_;  // typed queries point into it
  const Catalog catalog_;
  const AccountsPtr accounts_;
  Ledger ledger_;
  const std::shared_ptr<EngineInstance> engine_;
  std::mutex first_mutex_;
  std::unique_ptr<Engine> first_;  // until somebody takes it
};

// What one questioner needs alone. One thread at a time; any number of them at once.
struct Connection {
  std::shared_ptr<Database> database;
  std::unique_ptr<Engine> engine;
};

// A database of one connection.
Result<Connection> open_policy(const std::string& path);

}  // namespace tacit
