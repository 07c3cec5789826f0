#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/type.hpp"

namespace tacit {

struct CatalogColumn {
  std::string name;  // as the engine spells it
  std::optional<SqlType>
      type;                 // empty: a type Tacit cannot compute with (the column may exist, a query may not use it)
  std::string engine_type;  // the engine's own word for it, for messages
  bool not_null = false;    // enforced by the engine
};

struct CatalogTable {
  std::string schema;
  std::string name;
  std::vector<CatalogColumn> columns;
  std::vector<std::vector<std::string>> unique_keys;  // PRIMARY KEY and UNIQUE constraints the engine enforces

  const CatalogColumn* find_column(const std::string& column) const;  // exact spelling
};

// What the engine says about its tables. Public: names, types and constraints, never a value.
struct Catalog {
  std::string default_schema;  // where an unqualified name is looked up
  std::vector<CatalogTable> tables;

  // `schema` empty: the default schema. Exact spelling; the caller has folded unquoted names.
  const CatalogTable* find_table(const std::string& schema, const std::string& name) const;
};

}  // namespace tacit
