#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/check.hpp"
#include "policy/policy.hpp"
#include "sensitivity/derivation.hpp"
#include "sensitivity/metric/metric_analysis.hpp"
#include "sensitivity/rows/rows_analysis.hpp"
#include "sensitivity/users/users_analysis.hpp"
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

// What the privacy model of the query's tables adds.
using ModelAnalysis = std::variant<RowsAnalysis, MetricAnalysis, UsersAnalysis>;

struct AnalyzedQuery {
  TypedQuery query;
  NeighbourRelation neighbours;
  // Of keys with a public list. None where the engine's own rows name the groups: private keys of the users model, and
  // the metric model, where they are public.
  std::vector<KeyDomain> domains;
  std::vector<std::string> bounded_columns;  // rows where one of them is outside its declared domain are in no group
  std::vector<AssumedKey> assumed_keys;
  std::vector<AssumedDependency> assumed_dependencies;
  std::vector<DeclaredKeyUse> declared_keys;
  std::vector<WorkBound> work;  // public numbers that are compared with limits before the query is charged, in order
  Derivation derivation;
  ModelAnalysis model;
};

// The analysis of a query that is known to be of that model.
template <class Analysis>
const Analysis& analysis_of(const AnalyzedQuery& analyzed) {
  const auto* analysis = std::get_if<Analysis>(&analyzed.model);
  TACIT_CHECK(analysis != nullptr, "the query was analysed in this model");
  return *analysis;
}

}  // namespace tacit
