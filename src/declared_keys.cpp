#include "declared_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "metric/identifier.hpp"

namespace tacit {
namespace {

bool is_enforced(const std::vector<std::string>& key, const CatalogTable& stored) {
  return std::any_of(stored.unique_keys.begin(), stored.unique_keys.end(), [&](const auto& unique) {
    return std::all_of(unique.begin(), unique.end(), [&](const std::string& column) {
      return std::find(key.begin(), key.end(), column) != key.end();
    });
  });
}

bool needs_the_owners_word(const TablePolicy& table, const CatalogTable* stored) {
  return stored != nullptr && std::holds_alternative<UsersTable>(table.model) && !table.primary_key.empty() &&
         !is_enforced(table.primary_key, *stored);
}

// The key, and how the table is read: by other types the same file may hold other values.
std::string print_key(const TablePolicy& table, const CatalogTable& stored) {
  std::string text = print_identifier(table.primary_key.front());
  for (std::size_t i = 1; i < table.primary_key.size(); ++i) text += ", " + print_identifier(table.primary_key[i]);
  text += " of";
  for (const CatalogColumn& column : stored.columns) {
    text += fmt::format(" {} {} {};", print_identifier(column.name), column.engine_type, column.read_as);
  }
  return text;
}

KeyOfState key_of(const TablePolicy& table, const CatalogTable& stored, Engine& engine) {
  const TableName name{stored.schema, stored.name};
  return {to_string(name), print_key(table, stored), engine.state_of(name)};
}

}  // namespace

Result<Catalog> with_verified_keys(const Policy& policy, const Catalog& catalog, Engine& engine, const Ledger& ledger) {
  Catalog result = catalog;
  for (const TablePolicy& table : policy.tables) {
    const CatalogTable* found = catalog.find_table(table.name.schema, table.name.name);
    if (table.keys_trusted || !needs_the_owners_word(table, found)) continue;
    CatalogTable& stored = result.tables.at(static_cast<std::size_t>(found - catalog.tables.data()));
    const KeyOfState key = key_of(table, stored, engine);
    stored.key_state = key.state;
    TACIT_TRY(stored.key_verified_at, ledger.key_verified_at(key));
  }
  return result;
}

Status check_still_verified(Engine& engine, const std::vector<DeclaredKeyUse>& keys) {
  for (const DeclaredKeyUse& use : keys) {
    if (use.key.verified_at.empty() || engine.state_of(use.table) == use.key.state) continue;
    return fail(
        {FailureCode::engine,
         fmt::format("the data of `{}` changed while the question was answered, and its primary_key was verified "
                     "on the earlier data",
                     to_string(use.table)),
         "", "ask the database's owner to run `tacit policy check --verify` again; the question stays charged"});
  }
  return {};
}

std::vector<std::string> describe_declared_keys(const std::vector<DeclaredKeyUse>& keys) {
  std::vector<std::string> sentences;
  for (const DeclaredKeyUse& use : keys) {
    std::string columns;
    for (const auto& column : use.key.columns) columns += (columns.empty() ? "" : ", ") + print_identifier(column);
    const std::string who = use.key.verified_at.empty()
                                ? "the database's owner vouches for it (keys = \"trusted\")"
                                : fmt::format("the database's owner verified it on {}, on the data as they are now",
                                              use.key.verified_at.substr(0, 10));
    sentences.push_back(
        fmt::format("the engine does not enforce the primary_key ({}) of `{}`; {}. The promise covers databases in "
                    "which the key is unique",
                    columns, print_identifier(use.table.name), who));
  }
  return sentences;
}

std::vector<KeyOfState> keys_to_verify(const Policy& policy, const Catalog& catalog, Engine& engine) {
  std::vector<KeyOfState> keys;
  for (const TablePolicy& table : policy.tables) {
    const CatalogTable* stored = catalog.find_table(table.name.schema, table.name.name);
    if (needs_the_owners_word(table, stored)) keys.push_back(key_of(table, *stored, engine));
  }
  std::erase_if(keys, [](const KeyOfState& key) { return key.state.empty(); });
  return keys;
}

std::vector<KeyOfState> verified_keys(const Policy& policy, const Catalog& catalog, Engine& engine,
                                      const std::vector<KeyOfState>& before, const std::vector<Finding>& findings) {
  std::vector<KeyOfState> keys = before;
  for (KeyOfState& key : keys) {
    std::string state;
    for (const Finding& finding : findings) {
      if (finding.fact.kind != FactKind::primary_key || finding.fails()) continue;
      if (finding.fact.known_by == KnownBy::nobody) continue;
      const TablePolicy& table = policy.tables[finding.fact.table];
      const CatalogTable* stored = catalog.find_table(table.name.schema, table.name.name);
      if (!needs_the_owners_word(table, stored)) continue;
      const KeyOfState after = key_of(table, *stored, engine);
      if (after.table == key.table && after.key == key.key && after.state == key.state) state = after.state;
    }
    key.state = state;
  }
  return keys;
}

}  // namespace tacit
