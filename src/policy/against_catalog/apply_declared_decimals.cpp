#include "policy/against_catalog/apply_declared_decimals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.hpp"

namespace tacit {
namespace {

// Rounding reaches 10^(p-s) from half a unit below it on: a value that stays below that half rounds to at most p
// digits, so the cast cannot fail. NaN is above every number for PostgreSQL, so the upper test keeps it out.
std::string guarded_cast(const SqlType& type) {
  const std::string whole(static_cast<std::size_t>(type.precision - type.scale), '9');
  const std::string fraction(static_cast<std::size_t>(type.scale), '9');
  const std::string limit = fmt::format("{}.{}5", whole.empty() ? "0" : whole, fraction);
  return fmt::format("(CASE WHEN {{}} > -{0} AND {{}} < {0} THEN CAST({{}} AS NUMERIC({1},{2})) END)", limit,
                     type.precision, type.scale);
}

// Rounded, two values may be one, and one may be NULL: what the engine enforces on the stored values is not enforced on
// those that are read.
void forget_constraints(CatalogTable& table, const std::string& column) {
  const auto has_column = [&](const std::vector<std::string>& key) {
    return std::find(key.begin(), key.end(), column) != key.end();
  };
  std::erase_if(table.unique_keys, has_column);
  if (has_column(table.primary_key)) table.primary_key.clear();
  std::erase_if(table.foreign_keys, [&](const ForeignKey& key) { return has_column(key.columns); });
}

CatalogTable* find(Catalog& catalog, const TableName& name) {
  const CatalogTable* found = catalog.find_table(name.schema, name.name);
  return found == nullptr ? nullptr : &catalog.tables[static_cast<std::size_t>(found - catalog.tables.data())];
}

}  // namespace

void apply_declared_decimals(Catalog& catalog, const Policy& policy) {
  for (const TablePolicy& table : policy.tables) {
    CatalogTable* in_engine = find(catalog, table.name);
    if (in_engine == nullptr) continue;
    for (CatalogColumn& column : in_engine->columns) {
      const auto declared = table.columns.find(column.name);
      if (!column.needs_declared_digits || declared == table.columns.end() || !declared->second.type) continue;
      if (declared->second.type->kind != TypeKind::decimal) continue;
      column.type = declared->second.type;
      column.read_as = guarded_cast(*column.type);
      column.not_null = false;
      forget_constraints(*in_engine, column.name);
    }
  }
}

}  // namespace tacit
