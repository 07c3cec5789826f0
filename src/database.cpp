#include "database.hpp"

#include <thread>

#include "noise/sampling/entropy.hpp"
#include "policy/against_catalog/apply_declared_decimals.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"

namespace tacit {

Database::Database(Policy policy, Catalog catalog, Ledger ledger, OpenedEngine engine)
    : policy_(std::move(policy)),
      catalog_(std::move(catalog)),
      accounts_(accounts_of(policy_, catalog_)),
      ledger_(std::move(ledger)),
      engine_(std::move(engine.instance)),
      first_(std::move(engine.engine)) {}

Result<std::shared_ptr<Database>> Database::open(const std::string& policy_path) {
  TACIT_TRY(Policy policy, read_policy(policy_path));
  const std::jthread beside_the_engine(prepare_entropy);
  TACIT_TRY(OpenedEngine opened, open_engine_instance(policy));
  std::vector<TableName> tables;
  for (const TablePolicy& table : policy.tables) tables.push_back(table.name);
  TACIT_TRY(Catalog catalog, opened.engine->catalog_of(tables));
  apply_declared_decimals(catalog, policy);
  TACIT_TRY(policy, check_against_catalog(std::move(policy), catalog));
  TACIT_TRY(Ledger ledger, Ledger::open(policy, opened.engine->identity()));
  return std::shared_ptr<Database>(
      new Database(std::move(policy), std::move(catalog), std::move(ledger), std::move(opened)));
}

Result<Connection> Database::connect(const std::shared_ptr<Database>& database) {
  {
    const std::lock_guard lock(database->first_mutex_);
    if (database->first_) return Connection{database, std::move(database->first_)};
  }
  TACIT_TRY(auto engine, database->engine_->connect());
  return Connection{database, std::move(engine)};
}

Result<Connection> open_policy(const std::string& path) {
  TACIT_TRY(const auto database, Database::open(path));
  return Database::connect(database);
}

}  // namespace tacit
