#include "catalog/catalog.hpp"

#include <algorithm>

namespace tacit {

const CatalogColumn* CatalogTable::find_column(const std::string& column) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == column; });
  return found == columns.end() ? nullptr : &*found;
}

const CatalogTable* Catalog::find_table(const std::string& schema, const std::string& name) const {
  const auto find_in = [&](const std::string& wanted) {
    const auto found =
        std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.schema == wanted && t.name == name; });
    return found == tables.end() ? nullptr : &*found;
  };
  if (!schema.empty()) return find_in(schema);
  for (const std::string& candidate : search_path) {
    if (const CatalogTable* found = find_in(candidate)) return found;
  }
  return nullptr;
}

}  // namespace tacit
