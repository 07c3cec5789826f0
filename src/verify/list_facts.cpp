#include "verify/list_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "metric/identifier.hpp"
#include "policy/dependency.hpp"

namespace tacit {
namespace {

using Names = std::vector<std::string>;

std::string in_parentheses(const Names& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + print_identifier(name);
  return '(' + list + ')';
}

const CatalogTable& in_engine(const TablePolicy& table, const Catalog& catalog) {
  const CatalogTable* found = catalog.find_table(table.name.schema, table.name.name);
  TACIT_CHECK(found != nullptr, "a table of a checked policy is in the catalog");
  return *found;
}

const CatalogColumn& column_of(const CatalogTable& table, const std::string& name) {
  const CatalogColumn* found = table.find_column(name);
  TACIT_CHECK(found != nullptr, "a column of a checked policy is in the catalog");
  return *found;
}

// A column of which the engine enforces what it stores but Tacit reads it rounded: two values may become one, or NULL.
bool is_rounded(const CatalogTable& table, const std::string& name) {
  return column_of(table, name).needs_declared_digits;
}

bool have_no_nulls(const CatalogTable& table, const Names& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](const std::string& name) {
    return column_of(table, name).not_null && !is_rounded(table, name);
  });
}

// Some key that the engine enforces lies within the columns.
bool contain_a_key(const CatalogTable& table, const Names& columns) {
  std::set<std::string> given;
  for (const auto& name : columns) {
    if (!is_rounded(table, name)) given.insert(name);
  }
  return std::any_of(table.unique_keys.begin(), table.unique_keys.end(), [&](const Names& key) {
    return std::all_of(key.begin(), key.end(), [&](const std::string& name) { return given.contains(name); });
  });
}

bool is_enforced(const CatalogTable& child, const Names& columns, const CatalogTable& parent, const Names& key) {
  std::set<std::pair<std::string, std::string>> wanted;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // The engine's equality may not be that of what is read: citext and some collations ignore case.
    if (!column_of(child, columns[i]).read_as.empty() || !column_of(parent, key[i]).read_as.empty()) return false;
    wanted.emplace(columns[i], key[i]);
  }
  return std::any_of(child.foreign_keys.begin(), child.foreign_keys.end(), [&](const ForeignKey& foreign) {
    std::set<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < foreign.columns.size(); ++i) pairs.emplace(foreign.columns[i], foreign.references[i]);
    return foreign.schema == parent.schema && foreign.table == parent.name && pairs == wanted;
  });
}

// The least distance of two different values of the type; empty for a double.
std::optional<Decimal> granularity(const SqlType& type) {
  switch (type.kind) {
    case TypeKind::integer:
    case TypeKind::date: return Decimal{1, 0};
    case TypeKind::decimal: return Decimal{1, type.scale};
    case TypeKind::timestamp: return Decimal{1, 6};
    default: return std::nullopt;
  }
}

// Decimals of different scales meet in one type; beyond 38 digits there is none.
bool can_be_compared(const SqlType& a, const SqlType& b) {
  if (a.kind != TypeKind::decimal || b.kind != TypeKind::decimal) return true;
  return std::max(a.precision - a.scale, b.precision - b.scale) + std::max(a.scale, b.scale) <= 38;
}

class FactList {
 public:
  FactList(const Policy& policy, const Catalog& catalog) : policy_(policy), catalog_(catalog) {}

  std::vector<Fact> list() {
    for (table_ = 0; table_ < policy_.tables.size(); ++table_) {
      const TablePolicy& table = policy_.tables[table_];
      const CatalogTable& stored = in_engine(table, catalog_);
      if (!table.primary_key.empty()) add_primary_key(table, stored);
      if (const auto* users = std::get_if<UsersTable>(&table.model)) add_owner(*users, stored);
      for (const auto& dependency : table.dependencies) add_dependency(dependency, stored);
      for (const auto& name : table.column_order) add_column(name, table.columns.at(name), stored);
    }
    return std::move(facts_);
  }

 private:
  Fact start(FactKind kind, const std::string& key, std::string label) const {
    Fact fact;
    fact.kind = kind;
    fact.table = table_;
    fact.place = policy_.place_of(policy_.tables[table_].place.key + "." + key);
    fact.label = std::move(label);
    return fact;
  }

  // Finishes a fact of which `look_for_*` say what the engine leaves open.
  void add(Fact fact, const CatalogTable& stored) {
    if (!fact.look_for_nulls && !fact.look_for_violations) {
      if (fact.known_by == KnownBy::data) fact.known_by = KnownBy::engine;
    } else if (fact.known_by == KnownBy::data) {
      Names read = fact.columns;
      if (fact.kind == FactKind::dependency) read.insert(read.end(), fact.others.begin(), fact.others.end());
      for (const auto& name : read) {
        const CatalogColumn& column = column_of(stored, name);
        if (column.type) continue;
        fact.known_by = KnownBy::nobody;
        fact.obstacle = fmt::format("column {} is of a type Tacit does not compute with", print_identifier(name));
        break;
      }
    }
    facts_.push_back(std::move(fact));
  }

  void add_primary_key(const TablePolicy& table, const CatalogTable& stored) {
    Fact fact = start(FactKind::primary_key, "primary_key", "primary_key " + in_parentheses(table.primary_key));
    fact.columns = table.primary_key;
    fact.look_for_nulls = !have_no_nulls(stored, fact.columns);
    fact.look_for_violations = !contain_a_key(stored, fact.columns);
    add(std::move(fact), stored);
  }

  void add_owner(const UsersTable& users, const CatalogTable& stored) {
    if (const auto* owner = std::get_if<OwnerColumn>(&users.owner)) {
      Fact fact = start(FactKind::owner, "owner", "owner " + in_parentheses({owner->column}));
      fact.columns = {owner->column};
      fact.look_for_nulls = !have_no_nulls(stored, fact.columns);
      return add(std::move(fact), stored);
    }
    const auto& through = std::get<OwnerThrough>(users.owner);
    const auto parent = std::find_if(policy_.tables.begin(), policy_.tables.end(),
                                     [&](const TablePolicy& table) { return table.name == through.references; });
    TACIT_CHECK(parent != policy_.tables.end(), "an ownership chain stays within the policy");
    const CatalogTable& stored_parent = in_engine(*parent, catalog_);
    Fact fact =
        start(FactKind::owner_through, "owner_through",
              fmt::format("owner_through {} to {}", in_parentheses(through.columns), to_string(through.references)));
    fact.columns = through.columns;
    fact.others = parent->primary_key;
    fact.references = static_cast<std::size_t>(parent - policy_.tables.begin());
    fact.look_for_nulls = !have_no_nulls(stored, fact.columns);
    fact.look_for_violations = !is_enforced(stored, fact.columns, stored_parent, fact.others);
    for (std::size_t i = 0; i < fact.columns.size() && fact.look_for_violations; ++i) {
      const CatalogColumn& from = column_of(stored, fact.columns[i]);
      const CatalogColumn& to = column_of(stored_parent, fact.others[i]);
      TACIT_CHECK(from.type && to.type, "columns that lead to an owner have types");
      if (can_be_compared(*from.type, *to.type)) continue;
      fact.known_by = KnownBy::nobody;
      fact.obstacle = fmt::format("{} and {} have no type in common", to_string(*from.type), to_string(*to.type));
    }
    add(std::move(fact), stored);
  }

  void add_dependency(const Dependency& dependency, const CatalogTable& stored) {
    Fact fact = start(FactKind::dependency, "dependencies", "dependency " + to_string(dependency));
    fact.columns = dependency.from;
    fact.others = dependency.to;
    fact.limit = dependency.limit;
    // A row of its own for every X has one Y.
    fact.look_for_violations = !(contain_a_key(stored, fact.columns) && have_no_nulls(stored, fact.columns));
    add(std::move(fact), stored);
  }

  void add_column(const std::string& name, const ColumnPolicy& column, const CatalogTable& stored) {
    const std::string label = "columns." + print_identifier(name);
    const auto start_column = [&](FactKind kind, const char* what) {
      Fact fact = start(kind, "", label + what);
      fact.place = column.place;
      fact.columns = {name};
      fact.look_for_violations = true;
      return fact;
    };
    // A CSV file was loaded by its declared types.
    if (column.type && is_rounded(stored, name)) add(start_column(FactKind::type, " type"), stored);
    if (column.min || column.max) {
      const char* what = column.min && column.max ? " min, max" : column.min ? " min" : " max";
      add(start_column(FactKind::bounds, what), stored);
    }
    if (column.step) {
      Fact fact = start_column(FactKind::step, " step");
      const CatalogColumn& in_table = column_of(stored, name);
      const auto least = in_table.type ? granularity(*in_table.type) : std::nullopt;
      if (least && *column.step <= *least) fact.known_by = KnownBy::type;
      add(std::move(fact), stored);
    }
    if (!column.values.empty()) add(start_column(FactKind::values, " values"), stored);
  }

  const Policy& policy_;
  const Catalog& catalog_;
  std::size_t table_ = 0;
  std::vector<Fact> facts_;
};

}  // namespace

std::vector<Fact> list_facts(const Policy& policy, const Catalog& catalog) { return FactList(policy, catalog).list(); }

}  // namespace tacit
