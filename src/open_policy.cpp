#include "answer_query.hpp"
#include "policy/check_against_catalog.hpp"
#include "policy/declare_digits.hpp"

namespace tacit {

Result<OpenedPolicy> open_policy(const std::string& path) {
  TACIT_TRY(Policy policy, read_policy(path));
  TACIT_TRY(auto engine, open_engine(policy));
  std::vector<TableName> tables;
  for (const TablePolicy& table : policy.tables) tables.push_back(table.name);
  TACIT_TRY(Catalog catalog, engine->catalog_of(tables));
  declare_digits(catalog, policy);
  TACIT_TRY(policy, check_against_catalog(std::move(policy), catalog));
  TACIT_TRY(Ledger ledger, Ledger::open(policy, engine->identity()));
  const AccountsPtr accounts = accounts_of(policy, catalog);
  return OpenedPolicy{std::make_unique<Policy>(std::move(policy)), std::move(engine), std::move(catalog),
                      std::move(ledger), accounts};
}

}  // namespace tacit
