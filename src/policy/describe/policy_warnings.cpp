#include "policy/describe/policy_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "metric/identifier.hpp"
#include "policy/engine_url.hpp"
#include "policy/read/column_facts.hpp"

namespace tacit {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::set<std::string> measured_columns(const MetricNode& metric) {
  std::set<std::string> names;
  for (const auto& use : columns_of(metric)) names.insert(use.column);
  return names;
}

class Warnings {
 public:
  Warnings(const Policy& policy, const Catalog* catalog) : policy_(policy), catalog_(catalog) {}

  std::vector<std::string> collect() {
    engine();
    budgets();
    const bool has_people = std::any_of(policy_.tables.begin(), policy_.tables.end(), [](const TablePolicy& table) {
      return std::holds_alternative<UsersTable>(table.model);
    });
    if (has_people) groups_of_the_data();
    for (const auto& table : policy_.tables) {
      if (table.is_public()) public_table(table);
      if (std::holds_alternative<RowsTable>(table.model)) rows_table(table);
      if (const auto* users = std::get_if<UsersTable>(&table.model)) users_table(table, *users);
      for (const auto& [name, column] : table.columns) soft_column(column);
      unused_facts(table);
    }
    return std::move(warnings_);
  }

 private:
  void warn(const std::string& key, const std::string& sentence) {
    const PolicyPlace place = policy_.place_of(key);
    warnings_.push_back(fmt::format("{}:{}: `{}`: {}", policy_.path, place.line, key, sentence));
  }

  void engine() {
    if (scheme_of(policy_.engine.url) != EngineScheme::postgresql) return;
    const std::string& url = policy_.engine.url;
    if (has_password(url)) {
      warn("engine.url",
           "holds a password, which whoever reads this file can use: better give it in the environment (PGPASSWORD) "
           "or in a password file");
    }
    const char* mode = std::getenv("PGSSLMODE");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
    const bool verified = url.find("sslmode=verify-full") != std::string::npos ||
                          (mode != nullptr && std::string_view(mode) == "verify-full");
    if (is_remote(url) && !verified) {
      warn("engine.url",
           "the server is on another machine and need not prove who it is: add sslmode=verify-full and its "
           "sslrootcert");
    }
    if (policy_.engine.memory_bytes) {
      warn("engine.memory",
           "limits the size of answers alone on PostgreSQL: the server's own settings (work_mem) decide about its "
           "memory");
    }
  }

  void budgets() {
    const BudgetPolicy& budget = policy_.budget;
    double epsilon = 0.0;
    double delta = 0.0;
    for (const auto& [name, allowance] : budget.analysts) {
      epsilon += allowance.epsilon.value();
      delta += allowance.delta.value();
      if (allowance.epsilon < policy_.defaults.epsilon_min) {
        warn("budget.analysts", fmt::format("{} may spend {}, less than the least price of one query ({})", name,
                                            allowance.epsilon.value(), policy_.defaults.epsilon_min.value()));
      }
    }
    if (epsilon > budget.global.epsilon.value() * (1 + 1e-9)) {
      warn("budget.analysts", fmt::format("the allowances add up to epsilon {}, more than the global cap {}: who asks "
                                          "late finds the budget gone",
                                          epsilon, budget.global.epsilon.value()));
    }
    if (delta > budget.global.delta.value() * (1 + 1e-9)) {
      warn("budget.analysts", fmt::format("the allowances add up to delta {}, more than the global cap {}", delta,
                                          budget.global.delta.value()));
    }
    if (policy_.defaults.delta > budget.global.delta) {
      warn("defaults.delta", fmt::format("a query's delta of {} is more than may ever be released ({})",
                                         policy_.defaults.delta.value(), budget.global.delta.value()));
    }
  }

  void public_table(const TablePolicy& table) {
    const CatalogTable* in_engine = find(table);
    if (table.primary_key.empty()) {
      if (in_engine != nullptr && !in_engine->unique_keys.empty()) return;
      warn(table.place.key, "a public table without primary_key cannot be joined to a private one");
    } else if (!enforced(table)) {
      warn(table.place.key + ".primary_key",
           "the engine does not enforce this key: questions that rest on it look it up in the data first, every time");
    }
  }

  void rows_table(const TablePolicy& table) {
    const bool bounded = std::any_of(table.columns.begin(), table.columns.end(),
                                     [](const auto& entry) { return entry.second.min && entry.second.max; });
    if (!bounded) warn(table.place.key, "no column has min and max: counts are supported, SUM and AVG are not");
  }

  void users_table(const TablePolicy& table, const UsersTable& users) {
    const auto* through = std::get_if<OwnerThrough>(&users.owner);
    if (through) {
      const TablePolicy* owner = policy_.find_table(through->references);
      if (owner && !enforced(*owner) && !owner->keys_trusted) {
        warn(table.place.key + ".owner_through",
             fmt::format("the engine does not enforce the primary key of {}: a row could have two owners, so queries "
                         "through it are refused unless {}the policy says keys = \"trusted\" for {}",
                         to_string(owner->name),
                         scheme_of(policy_.engine.url) == EngineScheme::duckdb
                             ? "`policy check --verify` has passed on the data as they are, or "
                             : "",
                         to_string(owner->name)));
      }
    }
    if (table.keys_trusted && catalog_ != nullptr && enforced(table)) {
      warn(table.place.key + ".keys", "the engine enforces this table's primary key: nothing needs to be trusted");
    }
    second_owner_path(table, users);
  }

  // For all tables of people together.
  void groups_of_the_data() {
    const char* needs = "GROUP BY over values that no list in the policy names needs a delta, and";
    if (policy_.budget.global.delta.value() == 0.0) {
      warn("budget.delta",
           fmt::format("{} none may be released: write delta under [budget], for each analyst, and under "
                       "[defaults], such as 1e-6, 1e-6 and 1e-9",
                       needs));
      return;
    }
    if (policy_.defaults.delta.value() == 0.0) {
      warn(
          "defaults.delta",
          fmt::format("{} a query has none unless the analyst gives one: write one in [defaults], such as delta = 1e-9",
                      needs));
    }
    for (const auto& [name, allowance] : policy_.budget.analysts) {
      if (allowance.delta.value() == 0.0)
        warn("budget.analysts", fmt::format("{} {} may spend none: add delta to the line", needs, name));
    }
  }

  void soft_column(const ColumnPolicy& column) {
    const auto least = least_useful_precision(column);
    if (!least || *column.precision >= *least) return;
    warn(column.place.key + ".precision",
         fmt::format("between min and max a condition hardly changes, so it filters nothing: write at least {:.3g}",
                     *least));
  }

  // Facts that no answer rests on. They harm nobody, but an owner may count on them.
  void unused_facts(const TablePolicy& table) {
    constexpr const char* only_verify = "only `policy check --verify` looks at it";
    const auto* metric = std::get_if<MetricTable>(&table.model);
    if (std::holds_alternative<UsersTable>(table.model) && !table.dependencies.empty()) {
      warn(table.place.key + ".dependencies",
           fmt::format("dependencies bound joins of metric and rows tables; here {}", only_verify));
    }
    const bool is_written_out = metric != nullptr && !std::holds_alternative<ReadyMetric>(metric->metric->node);
    const std::set<std::string> measured = is_written_out ? measured_columns(*metric->metric) : std::set<std::string>{};
    for (const auto& [name, column] : table.columns) {
      const bool is_measured = metric != nullptr && (!is_written_out || measured.contains(name));
      const bool is_usable = metric == nullptr || is_measured || contains(metric->public_columns, name) ||
                             contains(table.primary_key, name);
      if (!is_usable) {
        warn(column.place.key, "is neither in the metric nor in public_columns: nothing can be asked about it");
      } else if (column.step && !is_measured) {
        warn(column.place.key + ".step",
             fmt::format("a step is for conditions on columns that a metric measures; here {}", only_verify));
      }
      if (is_measured && !column.values.empty()) {
        warn(column.place.key + ".values",
             fmt::format("groups of a metric table are those of its public columns; here {}", only_verify));
      }
    }
  }

  // A column with the name of another owner table's key is likely a second foreign key to people (buyer and seller).
  void second_owner_path(const TablePolicy& table, const UsersTable& users) {
    std::set<std::string> used(table.primary_key.begin(), table.primary_key.end());
    const auto* through = std::get_if<OwnerThrough>(&users.owner);
    if (through)
      used.insert(through->columns.begin(), through->columns.end());
    else
      used.insert(std::get<OwnerColumn>(users.owner).column);
    warn_of_foreign_keys(table, used);
    const std::set<std::string> columns = columns_of_table(table);
    for (const auto& other : policy_.tables) {
      if (other.name == table.name || other.primary_key.size() != 1) continue;
      if (!std::holds_alternative<UsersTable>(other.model)) continue;
      const std::string& key = other.primary_key.front();
      if (key == "id" || used.contains(key) || !columns.contains(key) || is_foreign_key(table, key)) continue;
      warn(table.place.key,
           fmt::format(
               "column {} looks like a second way to an owner, through {}: rows have one owner only, and whoever "
               "that column names is not protected",
               print_identifier(key), to_string(other.name)));
    }
  }

  // The engine knows better than names: a foreign key to people that is no part of the owner's path.
  void warn_of_foreign_keys(const TablePolicy& table, const std::set<std::string>& used) {
    const CatalogTable* in_engine = find(table);
    if (in_engine == nullptr) return;
    for (const ForeignKey& key : in_engine->foreign_keys) {
      const bool known = std::all_of(key.columns.begin(), key.columns.end(),
                                     [&](const std::string& column) { return used.contains(column); });
      const TablePolicy* owner = people_of(key);
      if (known || owner == nullptr) continue;
      warn(table.place.key,
           fmt::format("the foreign key ({}) is a second way to an owner, through {}: rows have one owner only, and "
                       "whoever it names is not protected",
                       fmt::join(key.columns, ", "), to_string(owner->name)));
    }
  }

  bool is_foreign_key(const TablePolicy& table, const std::string& column) const {
    const CatalogTable* in_engine = find(table);
    return in_engine != nullptr &&
           std::any_of(in_engine->foreign_keys.begin(), in_engine->foreign_keys.end(), [&](const ForeignKey& key) {
             return key.columns == std::vector{column} && people_of(key) != nullptr;
           });
  }

  // The users table that a foreign key refers to; null: it refers to none.
  const TablePolicy* people_of(const ForeignKey& key) const {
    for (const TablePolicy& table : policy_.tables) {
      const CatalogTable* in_engine = find(table);
      if (in_engine != nullptr && in_engine->schema == key.schema && in_engine->name == key.table &&
          std::holds_alternative<UsersTable>(table.model)) {
        return &table;
      }
    }
    return nullptr;
  }

  std::set<std::string> columns_of_table(const TablePolicy& table) const {
    std::set<std::string> names;
    if (const auto* in_engine = find(table)) {
      for (const auto& column : in_engine->columns) names.insert(column.name);
    }
    for (const auto& [name, column] : table.columns) names.insert(name);
    for (const auto& dependency : table.dependencies) {
      names.insert(dependency.from.begin(), dependency.from.end());
      names.insert(dependency.to.begin(), dependency.to.end());
    }
    return names;
  }

  const CatalogTable* find(const TablePolicy& table) const {
    return catalog_ ? catalog_->find_table(table.name.schema, table.name.name) : nullptr;
  }

  // True when the engine guarantees the declared key, or when there is no catalog to tell.
  bool enforced(const TablePolicy& table) const {
    const CatalogTable* in_engine = find(table);
    if (!in_engine) return true;
    const std::set<std::string> declared(table.primary_key.begin(), table.primary_key.end());
    return std::any_of(in_engine->unique_keys.begin(), in_engine->unique_keys.end(), [&](const auto& key) {
      return std::all_of(key.begin(), key.end(), [&](const auto& name) { return declared.contains(name); });
    });
  }

  const Policy& policy_;
  const Catalog* catalog_;
  std::vector<std::string> warnings_;
};

}  // namespace

std::vector<std::string> policy_warnings(const Policy& policy, const Catalog* catalog) {
  return Warnings(policy, catalog).collect();
}

}  // namespace tacit
