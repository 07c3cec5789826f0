#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "policy/policy.hpp"
#include "sensitivity/derivation.hpp"
#include "sensitivity/work/work_bound.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// What a neighbouring database is. Queries are charged to the account of their neighbour relation
// (docs/theory/composition.md, "Accounts").
struct NeighbourRelation {
  std::string model;          // "rows"
  std::string description;    // "one row added to or removed from a table of the rows model"
  std::string key;            // its kind, the first word of the ledger's account: "rows/add-remove"
  std::string in_query = {};  // the same without tables that the query does not read; empty: the description
};

// The released values of an exact number are units * step: a power of ten for integers and decimals,
// a power of two for doubles. Public: fixed by types and stated bounds.
struct Grid {
  enum class Base { decimal, binary };
  Base base = Base::decimal;
  int exponent = 0;  // decimal: step 10^-exponent; binary: step 2^-exponent
};

// One aggregate with its bound. `lo` and `hi` are one row's contribution in units of the grid (counts: 0 and 1).
struct AnalyzedAggregate {
  Grid grid;
  Int128 lo = 0;
  Int128 hi = 0;
  // Vector-l1 sensitivity over all groups of what the engine returns for it, in units of the grid.
  // average: of the pair (sum of x - lo, sum of hi - x) taken together.
  Int128 l1_sensitivity = 0;
};

// The groups an answer reports, decided without looking at private data. Each part covers some of the keys;
// the groups are the cross product of the parts.
struct ListedKeys {  // every combination is spelt out: keys[i] takes values from rows[.][i]
  std::vector<std::size_t> keys;
  std::vector<std::vector<Value>> rows;
};
struct PublicKeys {  // distinct values of columns of one public scan
  std::vector<std::size_t> keys;
  RelationPtr scan;                  // public Scan, with the filters that read it alone
  std::vector<ExprPtr> expressions;  // one per key, over the scan's columns
  bool with_nulls = false;           // rows of a LEFT JOIN without a partner form a group of NULLs
};
using KeyDomain = std::variant<ListedKeys, PublicKeys>;

// A key the proof relies on that the engine does not enforce; checked on the public table before the query runs.
struct AssumedKey {
  RelationPtr scan;
  std::vector<std::string> columns;
  bool has_no_nulls = false;  // the proof relies on that too
};
// The same of a dependency.
struct AssumedDependency {
  RelationPtr scan;
  const Dependency* dependency = nullptr;  // the policy's
};

// A key of a users table that the proof may rely on by the owner's word.
struct DeclaredKeyUse {
  TableName table;  // as the catalog spells it
  DeclaredKey key;
};

struct MetricAnalysis;  // sensitivity/metric/metric_analysis.hpp
struct UsersAnalysis;   // sensitivity/contribution/users_analysis.hpp

struct AnalyzedQuery {
  TypedQuery query;
  NeighbourRelation neighbours;
  std::vector<AnalyzedAggregate> aggregates;  // one per query.aggregates
  std::vector<KeyDomain> domains;
  std::vector<std::string> bounded_columns;  // rows where one of them is outside its declared domain are in no group
  std::vector<AssumedKey> assumed_keys;
  std::vector<AssumedDependency> assumed_dependencies;
  std::vector<DeclaredKeyUse> declared_keys;
  std::vector<WorkBound> work;  // public numbers that are compared with limits before the query is charged, in order
  Derivation derivation;
  // The metric model: bounds that depend on the data, and groups that the engine's own rows name (they are public).
  std::shared_ptr<const MetricAnalysis> metric = nullptr;
  // The users model: then `aggregates` is empty, and `domains` too where the keys are private.
  std::shared_ptr<const UsersAnalysis> users = nullptr;
};

}  // namespace tacit
