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
  // How engine SQL reads the column as a value of `type`, with {} for its name: "CAST({} AS TEXT)". Total: it never
  // fails, whatever is stored. Empty: the column as it is.
  std::string read_as = {};
  // An exact number without declared digits (PostgreSQL's bare numeric): `type` is empty until the policy declares one.
  bool needs_declared_digits = false;
  // Why the engine's constraints may hold two values equal that are read as different ones: citext ignores case. They
  // never tell apart what is read as equal, so that a unique key stays one. Empty: they compare what is read.
  std::string own_equality = {};

  friend bool operator==(const CatalogColumn&, const CatalogColumn&) = default;
};

struct ForeignKey {
  std::vector<std::string> columns;
  std::string schema;  // of the table it refers to
  std::string table;
  std::vector<std::string> references;  // its columns, in the order of `columns`

  friend bool operator==(const ForeignKey&, const ForeignKey&) = default;
};

enum class TableAccess {
  open,
  denied,        // the engine's user may read no column of it
  row_security,  // which rows the user sees may depend on other rows: nothing can be proved about them
};

struct CatalogTable {
  std::string schema;
  std::string name;
  std::vector<CatalogColumn> columns;
  std::vector<std::vector<std::string>> unique_keys;  // PRIMARY KEY and UNIQUE constraints the engine enforces
  std::vector<std::string> primary_key = {};          // one of unique_keys; empty: none
  std::vector<ForeignKey> foreign_keys = {};          // those the engine enforces
  bool reads_only_itself = false;                     // FROM ONLY: no table that is made its child meanwhile adds rows
  TableAccess access = TableAccess::open;             // unless open, `columns` is empty
  // Of a primary key that the policy declares and the engine does not enforce (src/declared_keys.hpp): what tells the
  // state of the rows from all others (empty: nothing does), and when the owner found the key true of that state.
  std::string key_state = {};
  std::string key_verified_at = {};
  std::vector<std::string> dependencies_verified_at = {};  // the same of each dependency of a rows table

  const CatalogColumn* find_column(const std::string& column) const;  // exact spelling
  friend bool operator==(const CatalogTable&, const CatalogTable&) = default;
};

// What the engine says about its tables. Public: names, types and constraints, never a value.
struct Catalog {
  std::vector<std::string> search_path;  // the schemas an unqualified name is looked up in, in order
  std::vector<CatalogTable> tables;

  // `schema` empty: the first schema of the search path that has it. Exact spelling; the caller has folded unquoted
  // names.
  const CatalogTable* find_table(const std::string& schema, const std::string& name) const;
};

}  // namespace tacit
