#pragma once

#include <compare>
#include <optional>
#include <utility>
#include <vector>

#include "sql/relation.hpp"

namespace tacit {

// A primary key or dependency that the policy declares.
struct DeclaredFact {
  const TablePolicy* table = nullptr;
  const Dependency* dependency = nullptr;  // null: the primary key, which has no NULL

  friend auto operator<=>(const DeclaredFact&, const DeclaredFact&) = default;
};

// The public structure of a join: which stored rows meet. Only equalities between public columns, and public columns
// equated with constants, are kept; leaving out a condition makes every count below larger, never smaller.
struct JoinShape {
  struct Role {                      // one FROM item
    const Relation* scan = nullptr;  // its Scan
    bool optional = false;           // right side of a LEFT JOIN
  };
  std::vector<Role> roles;
  std::vector<std::pair<const Column*, const Column*>> equal;
  std::vector<const Column*> constant;
  std::vector<DeclaredFact> unused;  // bound nothing: nobody looks whether they hold
};

// At most how many join rows contain one given row of the role. Follows primary keys (declared or enforced) and
// declared dependencies X ->[k] Y from one role to the next, but for those that are unused. Empty: no bound follows.
std::optional<long long> join_rows_per_row(const JoinShape& shape, std::size_t role);

// At most how many different combinations of values of `columns` occur in the join rows that contain one given row of
// the role. Never more than join_rows_per_row.
std::optional<long long> combinations_per_row(const JoinShape& shape, std::size_t role,
                                              const std::vector<const Column*>& columns);

}  // namespace tacit
