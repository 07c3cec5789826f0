#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/derivation.hpp"
#include "sensitivity/users/row_facts.hpp"
#include "sql/relation.hpp"

namespace tacit {

// Statement: every row of the relation has exactly one owner (or nobody), and the rows of an owner depend on that
// owner's stored rows and on public tables only. So removing a person removes their rows and changes no others.
//
// The list of what may stand below the aggregate; whatever is not on it is refused:
//   1. Scan of a users table. The owner is a column of the table: the `owner` column, or the column of owner_through
//      that holds the owner's key already. Else the row's owner is the owner of the row that owner_through refers to,
//      and the key it refers to is unique: the engine enforces it, or it counts by the owner's word. Owner columns are
//      read as they are stored, and compared by the engine's constraints as they are read
//      (policy/check_against_catalog).
//   2. Filter, Project: any.
//   3. Inner and cross join: of private sides the owners are equal, by the column = column conjuncts of ON, USING and
//      WHERE around them.
//   4. LEFT JOIN: the right side is public; or both sides are private and ON's own conjuncts make the owners equal.
//   5. Group (GROUP BY, DISTINCT) of private rows: its keys determine the owner.
//   6. SemiJoin (EXISTS, IN and their negations): as 4, with its condition for ON.
// Proof: ownership.md.
struct Ownership {
  RowTerm owner = nullptr;
  RowFacts facts;
  // For each Group of private rows, what its keys determine: such a column may become a key without changing the
  // groups.
  std::map<const Relation*, DeterminedTerms> constant_in_group;
  Derivation derivation;
  std::vector<DeclaredKeyUse> declared_keys;  // those among the facts, each once
};

// Requires: some table below is of the users model, and no other private model.
Result<Ownership> prove_ownership(const RelationPtr& input);

// The column of the scanned table that holds the owner; empty where a join must lead to it.
std::optional<std::string> owner_column(const Scan& scan);

// The unique keys of the table: those that the engine enforces, and the declared one that counts.
std::vector<std::vector<std::string>> unique_keys(const Scan& scan);
// Whether the key, or a part of it, is one of these.
bool has_key(const Scan& scan, const std::vector<std::string>& key);
bool reads_private(const Relation& relation);

}  // namespace tacit
