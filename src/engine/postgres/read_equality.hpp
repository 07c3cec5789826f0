#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "engine/postgres/connection.hpp"

namespace tacit::postgres_engine {

// By the table's oid and the column's name: why its constraints may hold two values equal that are read as different
// ones (CatalogColumn::own_equality). Every other column is compared by them as it is read.
using OwnEqualities = std::map<std::pair<std::int64_t, std::string>, std::string>;

// A column is compared in its own way when
//   1. its collation is nondeterministic, or its type is one that somebody made (citext);
//   2. a foreign key compares it as char(n) or as a floating-point number, which it is not: 'a ' refers to 'a', and
//      9007199254740993 to 9007199254740992;
//   3. a foreign key of it refers to such a column: the server compares in the way of the key that is referred to;
//   4. it is such a column in a child table.
// Of a view its own columns are looked at, not what they are computed from.
// `tables`: SQL of an array of oids. REQUIRES: a snapshot is under way.
Result<OwnEqualities> read_own_equalities(Connection& connection, const std::string& tables);

}  // namespace tacit::postgres_engine
