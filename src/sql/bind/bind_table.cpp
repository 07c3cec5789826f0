#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <set>

#include "base/nearest_name.hpp"
#include "metric/metric.hpp"
#include "policy/dependency.hpp"
#include "sql/bind/bind_from.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/sensitive_rows.hpp"
#include "sql/range.hpp"

namespace tacit {
namespace {

// Where the engine finds the table; for one that it does not have, the first schema of the search path.
std::string schema_of(const TableName& name, const Catalog& catalog) {
  if (!name.schema.empty()) return name.schema;
  const CatalogTable* found = catalog.find_table("", name.name);
  if (found != nullptr) return found->schema;
  return catalog.search_path.empty() ? "" : catalog.search_path.front();
}

std::string shown(const PgQuery__RangeVar& table) {
  const std::string schema = table.schemaname;
  return schema.empty() ? table.relname : schema + "." + table.relname;
}

// " (did you mean `clinic.visit`?)", with the schema where the name alone would not find it.
std::string suggested(const PgQuery__RangeVar& table, const Binding& binding) {
  std::vector<std::string> names;
  for (const auto& candidate : binding.policy.tables) names.push_back(candidate.name.name);
  const std::string wanted = table.relname;
  const bool known = std::find(names.begin(), names.end(), wanted) != names.end();
  const auto nearest = known ? std::optional(wanted) : nearest_name(wanted, names);
  if (!nearest) return "";
  const auto at = std::find(names.begin(), names.end(), *nearest) - names.begin();
  return fmt::format(" (did you mean `{}`?)", to_string(binding.policy.tables[static_cast<std::size_t>(at)].name));
}

// `visit` and `main.visit` are one table when main is the default schema, in the policy and in the query.
Result<const TablePolicy*> find_policy(const PgQuery__RangeVar& table, const Binding& binding, int position) {
  const TableName wanted{table.schemaname, table.relname};
  const TablePolicy* found = nullptr;
  for (const auto& candidate : binding.policy.tables) {
    if (candidate.name.name != wanted.name ||
        schema_of(candidate.name, binding.catalog) != schema_of(wanted, binding.catalog)) {
      continue;
    }
    if (found != nullptr) {
      return refuse(fmt::format("the policy names table {} twice, with and without its schema", shown(table)),
                    "ask its owner to name it once", position);
    }
    found = &candidate;
  }
  if (found == nullptr) {
    return refuse(fmt::format("the policy does not name table {}{}", shown(table), suggested(table, binding)),
                  "ask for a table of the policy, or ask its owner to add this one", position);
  }
  return found;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Columns that the table's metric measures.
std::set<std::string> measured_columns(const TablePolicy& table) {
  std::set<std::string> names;
  const auto* metric = std::get_if<MetricTable>(&table.model);
  if (metric == nullptr || !metric->metric) return names;
  for (const MetricColumn& used : columns_of(*metric->metric)) names.insert(used.column);
  return names;
}

// Empty when the column may be used.
std::string why_unusable(const TablePolicy& table, const CatalogColumn& column, const std::set<std::string>& measured) {
  if (!column.type && column.needs_declared_digits) {
    return fmt::format(
        "column {0}.{1} has the engine type {2}, which does not say how many digits it has: the policy's owner can "
        "declare them with type = \"decimal(p,s)\"",
        table.name.name, column.name, column.engine_type);
  }
  if (!column.type) {
    return fmt::format("column {}.{} has the engine type {}, which Tacit does not compute with", table.name.name,
                       column.name, column.engine_type);
  }
  const auto* metric = std::get_if<MetricTable>(&table.model);
  if (metric == nullptr || contains(metric->public_columns, column.name)) return "";
  if (measured.contains(column.name)) return "";
  return fmt::format("column {}.{} is neither in the table's metric nor one of its public columns", table.name.name,
                     column.name);
}

bool is_private(const TablePolicy& table, const std::string& column) {
  if (const auto* metric = std::get_if<MetricTable>(&table.model)) return !contains(metric->public_columns, column);
  return !table.is_public();
}

ColumnPtr scan_column(const TablePolicy& table, const CatalogColumn& stored) {
  Column column;
  column.name = stored.name;
  column.type = *stored.type;
  column.is_private = is_private(table, stored.name);
  column.proved = type_range(*stored.type);
  column.read_as = stored.read_as;
  column.table_column = table.name.name + "." + stored.name;
  const auto owner_says = table.columns.find(stored.name);
  if (owner_says != table.columns.end()) {
    column.declared = declared_range(column.type, owner_says->second.min, owner_says->second.max);
    column.domain = owner_says->second.values;
  }
  return std::make_shared<Column>(std::move(column));
}

RelationPtr make_scan(const TablePolicy& policy, const CatalogTable& stored, std::vector<ColumnPtr> columns,
                      const Binding& binding);

// Where the engine enforces the key the owner's word adds nothing.
std::optional<DeclaredKey> declared_key(const TablePolicy& policy, const CatalogTable& stored) {
  const auto& key = policy.primary_key;
  const bool counts = policy.keys_trusted || !stored.key_verified_at.empty();
  const bool has_word =
      std::holds_alternative<UsersTable>(policy.model) || std::holds_alternative<RowsTable>(policy.model);
  if (!counts || key.empty() || !has_word) return std::nullopt;
  const bool is_enforced = std::any_of(stored.unique_keys.begin(), stored.unique_keys.end(), [&](const auto& unique) {
    return std::all_of(unique.begin(), unique.end(), [&](const std::string& column) {
      return std::find(key.begin(), key.end(), column) != key.end();
    });
  });
  if (is_enforced) return std::nullopt;
  // Data that were verified need no trust.
  if (stored.key_verified_at.empty()) return DeclaredKey{key, "", ""};
  return DeclaredKey{key, stored.key_verified_at, stored.key_state};
}

std::vector<std::optional<DeclaredKey>> declared_dependencies(const TablePolicy& policy, const CatalogTable& stored) {
  std::vector<std::optional<DeclaredKey>> declared;
  if (!std::holds_alternative<RowsTable>(policy.model)) return declared;
  for (std::size_t i = 0; i < policy.dependencies.size(); ++i) {
    const auto& at = stored.dependencies_verified_at;
    const std::string verified_at = i < at.size() ? at[i] : "";
    auto& word = declared.emplace_back();
    if (verified_at.empty() && !policy.keys_trusted) continue;
    word = DeclaredKey{{}, verified_at, verified_at.empty() ? "" : stored.key_state, to_string(policy.dependencies[i])};
  }
  return declared;
}

// The table that owner_through refers to, which the analyst need not mention. Null for every other table.
RelationPtr referenced_scan(const TablePolicy& policy, const Binding& binding) {
  const auto* users = std::get_if<UsersTable>(&policy.model);
  const auto* through = users != nullptr ? std::get_if<OwnerThrough>(&users->owner) : nullptr;
  const TablePolicy* next = through != nullptr ? binding.policy.find_table(through->references) : nullptr;
  if (next == nullptr) return nullptr;
  const CatalogTable* stored = binding.catalog.find_table(schema_of(next->name, binding.catalog), next->name.name);
  if (stored == nullptr) return nullptr;
  std::vector<ColumnPtr> columns;
  for (const auto& column : stored->columns) {
    if (column.type) columns.push_back(scan_column(*next, column));
  }
  return make_scan(*next, *stored, std::move(columns), binding);
}

RelationPtr make_scan(const TablePolicy& policy, const CatalogTable& stored, std::vector<ColumnPtr> columns,
                      const Binding& binding) {
  Scan scan{&policy, stored.schema, stored.name, stored.unique_keys, stored.reads_only_itself};
  for (const auto& column : stored.columns) {
    if (column.not_null) scan.not_null.push_back(column.name);
  }
  scan.not_null.insert(scan.not_null.end(), stored.primary_key.begin(), stored.primary_key.end());
  scan.referenced = referenced_scan(policy, binding);
  scan.declared_key = declared_key(policy, stored);
  scan.declared_dependencies = declared_dependencies(policy, stored);
  scan.key_can_be_verified = !stored.key_state.empty();
  return std::make_shared<Relation>(Relation{std::move(scan), std::move(columns)});
}

Result<BoundFrom> bind_scan(const PgQuery__RangeVar& table, const std::string& name, Binding& binding, int position) {
  TACIT_TRY(const TablePolicy* policy, find_policy(table, binding, position));
  const CatalogTable* stored = binding.catalog.find_table(schema_of(policy->name, binding.catalog), policy->name.name);
  if (stored == nullptr) {
    return refuse(fmt::format("table {} is in the policy but not in the database", shown(table)),
                  "ask the owner to run `tacit policy check`", position);
  }
  TACIT_TRY_STATUS(binding.count_table(position));
  ScopeTable seen{table.alias == nullptr ? stored->schema : "", name, {}};
  std::vector<ColumnPtr> columns;
  const std::set<std::string> measured = measured_columns(*policy);
  for (const auto& column : stored->columns) {
    const std::string problem = why_unusable(*policy, column, measured);
    ColumnPtr usable = problem.empty() ? scan_column(*policy, column) : nullptr;
    if (usable) columns.push_back(usable);
    seen.columns.push_back({column.name, std::move(usable), problem});
  }
  TACIT_TRY(ExprPtr sensitive_rows, bind_sensitive_rows(*policy, seen, binding));
  if (table.alias != nullptr) {
    TACIT_TRY_STATUS(rename_columns(seen, strings_of(table.alias->colnames, table.alias->n_colnames), position));
  }
  Relation relation = *make_scan(*policy, *stored, std::move(columns), binding);
  std::get<Scan>(relation.node).sensitive_rows = std::move(sensitive_rows);
  return BoundFrom{std::make_shared<Relation>(std::move(relation)), Scope::of_table(std::move(seen))};
}

const CommonTable* find_common_table(const std::string& name, const CommonTable* visible) {
  for (; visible != nullptr; visible = visible->earlier) {
    if (visible->definition->ctename == name) return visible;
  }
  return nullptr;
}

Result<BoundFrom> bind_named(const PgQuery__RangeVar& table, const CommonTable* visible, Binding& binding) {
  const int position = binding.position(table.location);
  if (*table.catalogname != '\0') {
    return refuse("a table's name has at most two parts", "write schema.table", position);
  }
  if (!table.inh) return refuse("ONLY is not supported", "leave it out", position);
  const std::string name = table.alias == nullptr ? table.relname : table.alias->aliasname;
  if (*table.schemaname == '\0') {
    if (const CommonTable* common = find_common_table(table.relname, visible)) {
      common->used = true;
      std::vector<std::string> names =
          strings_of(common->definition->aliascolnames, common->definition->n_aliascolnames);
      if (table.alias != nullptr) {
        const auto here = strings_of(table.alias->colnames, table.alias->n_colnames);
        if (here.size() > names.size()) names.resize(here.size());
        std::copy(here.begin(), here.end(), names.begin());
      }
      return bind_subquery(*common->definition->ctequery, name, names, common->earlier, binding, position);
    }
  }
  return bind_scan(table, name, binding, position);
}

}  // namespace

Result<BoundFrom> bind_table(const PgQuery__RangeVar& table, const CommonTable* visible, Binding& binding) {
  const auto& reserved = binding.tree.privacy.reserved_tables;
  const auto called = reserved.find(table.location);
  if (called == reserved.end()) return bind_named(table, visible, binding);
  std::string name = called->second;
  PgQuery__RangeVar named = table;
  named.relname = name.data();
  return bind_named(named, visible, binding);
}

}  // namespace tacit
