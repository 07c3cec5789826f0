#include "declared_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "metric/identifier.hpp"
#include "policy/dependency.hpp"

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
  const bool has_word =
      std::holds_alternative<UsersTable>(table.model) || std::holds_alternative<RowsTable>(table.model);
  return stored != nullptr && has_word && !table.primary_key.empty() && !is_enforced(table.primary_key, *stored);
}

// How many dependencies need it.
std::size_t dependencies_in_need(const TablePolicy& table, const CatalogTable* stored) {
  return stored != nullptr && std::holds_alternative<RowsTable>(table.model) ? table.dependencies.size() : 0;
}

std::string print_key(const std::vector<std::string>& key) {
  std::string text = print_identifier(key.front());
  for (std::size_t i = 1; i < key.size(); ++i) text += ", " + print_identifier(key[i]);
  return text;
}

// The fact, and how the table is read: by other types the same file may hold other values.
std::string with_types(std::string text, const CatalogTable& stored) {
  text += " of";
  for (const CatalogColumn& column : stored.columns) {
    text += fmt::format(" {} {} {};", print_identifier(column.name), column.engine_type, column.read_as);
  }
  return text;
}

KeyOfState fact_of(const std::string& fact, const CatalogTable& stored, Engine& engine) {
  const TableName name{stored.schema, stored.name};
  return {to_string(name), with_types(fact, stored), engine.state_of(name)};
}

KeyOfState key_of(const TablePolicy& table, const CatalogTable& stored, Engine& engine) {
  return fact_of(print_key(table.primary_key), stored, engine);
}

KeyOfState dependency_of(const Dependency& dependency, const CatalogTable& stored, Engine& engine) {
  return fact_of("dependency " + to_string(dependency), stored, engine);
}

}  // namespace

Result<Catalog> with_verified_keys(const Policy& policy, const Catalog& catalog, Engine& engine, const Ledger& ledger) {
  Catalog result = catalog;
  for (const TablePolicy& table : policy.tables) {
    const CatalogTable* found = catalog.find_table(table.name.schema, table.name.name);
    const bool has_key = needs_the_owners_word(table, found);
    if (table.keys_trusted || (!has_key && dependencies_in_need(table, found) == 0)) continue;
    CatalogTable& stored = result.tables.at(static_cast<std::size_t>(found - catalog.tables.data()));
    stored.key_state = engine.state_of({stored.schema, stored.name});
    if (has_key) {
      TACIT_TRY(stored.key_verified_at, ledger.key_verified_at(key_of(table, stored, engine)));
    }
    for (std::size_t i = 0; i < dependencies_in_need(table, found); ++i) {
      auto& at = stored.dependencies_verified_at.emplace_back();
      TACIT_TRY(at, ledger.key_verified_at(dependency_of(table.dependencies[i], stored, engine)));
    }
  }
  return result;
}

Status check_still_verified(Engine& engine, const std::vector<DeclaredKeyUse>& keys) {
  for (const DeclaredKeyUse& use : keys) {
    if (use.key.verified_at.empty() || engine.state_of(use.table) == use.key.state) continue;
    return fail(
        {FailureCode::engine,
         fmt::format("the data of `{}` changed while the question was answered, and its {} was verified on the earlier "
                     "data",
                     to_string(use.table), use.key.dependency.empty() ? "primary_key" : "dependency"),
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
    const bool is_key = use.key.dependency.empty();
    sentences.push_back(
        fmt::format("the engine does not enforce the {} of `{}`; {}. The promise covers databases in which {}",
                    is_key ? fmt::format("primary_key ({})", columns) : "dependency " + use.key.dependency,
                    print_identifier(use.table.name), who, is_key ? "the key is unique" : "the dependency holds"));
  }
  return sentences;
}

std::vector<KeyOfState> keys_to_verify(const Policy& policy, const Catalog& catalog, Engine& engine) {
  std::vector<KeyOfState> keys;
  for (const TablePolicy& table : policy.tables) {
    const CatalogTable* stored = catalog.find_table(table.name.schema, table.name.name);
    if (needs_the_owners_word(table, stored)) keys.push_back(key_of(table, *stored, engine));
    for (std::size_t i = 0; i < dependencies_in_need(table, stored); ++i) {
      keys.push_back(dependency_of(table.dependencies[i], *stored, engine));
    }
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
      if (finding.fails() || finding.fact.known_by == KnownBy::nobody) continue;
      const TablePolicy& table = policy.tables[finding.fact.table];
      const CatalogTable* stored = catalog.find_table(table.name.schema, table.name.name);
      KeyOfState after;
      if (finding.fact.kind == FactKind::primary_key && needs_the_owners_word(table, stored)) {
        after = key_of(table, *stored, engine);
      } else if (finding.fact.kind == FactKind::dependency && dependencies_in_need(table, stored) > 0) {
        Dependency found;
        found.from = finding.fact.columns;
        found.to = finding.fact.others;
        found.limit = finding.fact.limit;
        after = dependency_of(found, *stored, engine);
      } else {
        continue;
      }
      if (after.table == key.table && after.key == key.key && after.state == key.state) state = after.state;
    }
    key.state = state;
  }
  return keys;
}

}  // namespace tacit
