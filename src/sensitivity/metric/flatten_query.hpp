#pragma once

#include "sensitivity/metric/derivative/cell.hpp"
#include "sensitivity/metric/derivative/join_shape.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// A query over metric tables with its subqueries written out and its conditions sorted: what is public stays a filter
// of the engine, what reads private cells becomes a function. The rows of `relation` depend on public cells only.
struct FlatQuery {
  std::vector<Role> roles;  // in the order of the relation's scans
  PrivateColumns columns;
  RelationPtr relation;
  bool has_public_filter = false;  // beyond the equalities that join
  std::vector<ExprPtr> private_conjuncts;
  std::vector<GroupKey> keys;             // expanded
  std::vector<std::string> bounded_keys;  // bare keys whose rows outside their declared domain are left out
  std::vector<Aggregate> aggregates;      // expanded
  JoinShape shape;
};

// Preconditions, checked in this order:
//   1. the conditions of a LEFT JOIN, and everything below its right side, read no private cell;
//   2. what a subquery computes on the right of a LEFT JOIN are bare columns;
//   3. group keys read no private cell.
// Public conditions are also taken out of any mixture of AND, OR and NOT with private ones: what follows from a
// condition whatever the private cells are (public_part.hpp) holds for every row that can count.
Result<FlatQuery> flatten_query(const TypedQuery& query);

}  // namespace tacit
