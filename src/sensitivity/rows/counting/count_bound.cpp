#include "sensitivity/rows/counting/count_bound.hpp"

#include <algorithm>

#include "sensitivity/rows/counting/chase.hpp"

namespace tacit {
namespace {

void note_facts(const ConjunctiveQuery& query, const Chain& chain, std::set<std::size_t>& facts) {
  for (const ChainStep& step : chain.steps) {
    const auto& dependencies = query.relations[query.atoms[step.atom].relation].dependencies;
    const std::size_t fact = dependencies[step.dependency].fact;
    if (fact != no_fact) facts.insert(fact);
  }
}

}  // namespace

CountBound bound_count(const ConjunctiveQuery& query) {
  CountBound bound;
  bound.chased = chase(query, bound.facts);
  bound.core = core_of(bound.chased);
  bound_core(bound);
  return bound;
}

void bound_core(CountBound& bound) {
  const ConjunctiveQuery& core = bound.core.query;
  bound.relations.clear();
  for (std::size_t atom = 0; atom < core.atoms.size(); ++atom) {
    const std::size_t relation = core.atoms[atom].relation;
    if (!core.relations[relation].is_sensitive) continue;
    auto found = std::ranges::find(bound.relations, relation, &RelationBound::relation);
    if (found == bound.relations.end()) {
      bound.relations.push_back({relation, {}, 0});
      found = std::prev(bound.relations.end());
    }
    found->atoms.push_back({atom, chain_bound(core, atom, core.head)});
    const auto& chain = found->atoms.back().chain;
    if (!chain) found->limit.reset();
    if (found->limit) *found->limit += chain->limit;
  }
  long long upper = 0;
  bool is_bounded = true;
  for (const RelationBound& relation : bound.relations) {
    if (relation.limit) upper = std::max(upper, *relation.limit);
    is_bounded = is_bounded && relation.limit && *relation.limit <= largest_count_bound;
  }
  bound.upper.reset();
  if (core.head.empty()) {
    bound.upper = 1;  // there is an answer or there is none
    return;
  }
  if (!is_bounded) return;
  bound.upper = upper;
  for (const RelationBound& relation : bound.relations) {
    for (const AtomBound& atom : relation.atoms) note_facts(core, *atom.chain, bound.facts);
  }
}

}  // namespace tacit
