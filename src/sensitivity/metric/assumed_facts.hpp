#pragma once

#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/metric/flatten_query.hpp"

namespace tacit {

struct AssumedFacts {
  std::vector<AssumedKey> keys;
  std::vector<AssumedDependency> dependencies;
};

// Declared keys and dependencies of public tables that the engine does not enforce: those that the query's bounds need
// are given back, to be looked up in the data; all others become unused in the query's shape. So no bound of the query
// rests on a public table's fact that nobody checked. Proof: assumed_facts.md.
AssumedFacts settle_public_facts(FlatQuery& query);

}  // namespace tacit
