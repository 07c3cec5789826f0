#include "sensitivity/rows/counting/missing_dependencies.hpp"

#include <algorithm>

#include "base/work_limit.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_pairs = 300;
// Of a join by hundreds of columns: more would be no advice.
constexpr std::size_t most_candidates = 60;

bool same(const MissingDependency& a, const MissingDependency& b) {
  return a.relation == b.relation && a.dependency.from == b.dependency.from && a.dependency.to == b.dependency.to;
}

class Candidates {
 public:
  explicit Candidates(const ConjunctiveQuery& query) : query_(query), connects_(query.terms.size(), false) {
    std::vector<int> count(query.terms.size(), 0);
    for (const CqAtom& atom : query.atoms) {
      for (const CqTerm term : atom.terms) ++count[term];
    }
    for (CqTerm term = 0; term < count.size(); ++term) {
      connects_[term] = count[term] > 1 || query.terms[term].is_constant;
    }
  }

  std::vector<MissingDependency> list() {
    // What leads from a constant bounds how often it occurs in the whole table: that comes last.
    for (const bool from_constants : {false, true}) {
      for (const bool to_rows : {false, true}) {
        for (const CqAtom& atom : query_.atoms) {
          if (!query_.relations[atom.relation].is_function) add_atom(atom, to_rows, from_constants);
        }
      }
    }
    return std::move(found_);
  }

 private:
  bool is_row(const CqAtom& atom, std::size_t column) const {
    return query_.relations[atom.relation].columns[column].empty();
  }

  // To another column first: that asks less of the data than a number of rows.
  void add_atom(const CqAtom& atom, bool to_rows, bool from_constants) {
    std::vector<std::size_t> connected;
    for (std::size_t i = 0; i < atom.terms.size(); ++i) {
      const bool is_constant = query_.terms[atom.terms[i]].is_constant;
      if (connects_[atom.terms[i]] && !is_row(atom, i) && (from_constants || !is_constant)) connected.push_back(i);
    }
    for (std::size_t to = 0; to < atom.terms.size(); ++to) {
      const bool is_head = std::ranges::find(query_.head, atom.terms[to]) != query_.head.end();
      if (is_row(atom, to) != to_rows || (!to_rows && !is_head && !connects_[atom.terms[to]])) continue;
      if (found_.size() == most_candidates) return;
      for (const std::size_t from : connected) {
        if (from != to) add({atom.relation, {{from}, {to}, 0}});
      }
      std::vector<std::size_t> others;
      std::ranges::copy_if(connected, std::back_inserter(others), [&](std::size_t column) { return column != to; });
      if (others.size() > 1) add({atom.relation, {others, {to}, 0}});
    }
  }

  void add(MissingDependency candidate) {
    if (found_.size() == most_candidates) return;
    count_work();
    if (std::ranges::none_of(found_, [&](const auto& other) { return same(other, candidate); })) {
      found_.push_back(std::move(candidate));
    }
  }

  const ConjunctiveQuery& query_;
  std::vector<bool> connects_;
  std::vector<MissingDependency> found_;
};

void add_to(ConjunctiveQuery& query, const MissingDependency& missing) {
  CqDependency dependency = missing.dependency;
  dependency.limit = 2;
  query.relations[missing.relation].dependencies.push_back(std::move(dependency));
}

bool are_enough(const CountBound& bound, const std::vector<MissingDependency>& added) {
  CountBound with = bound;
  for (const MissingDependency& one : added) {
    add_to(with.core.query, one);
    add_to(with.chased, one);
  }
  if (!join_fan_out(with.chased)) return false;
  bound_core(with);
  return with.upper.has_value();
}

}  // namespace

std::optional<long long> join_fan_out(const ConjunctiveQuery& chased) {
  ConjunctiveQuery query = chased;
  for (CqRelation& relation : query.relations) {
    if (relation.is_sensitive || relation.is_function) continue;
    CqDependency known{{}, {}, 1};
    for (std::size_t i = 0; i < relation.columns.size(); ++i) known.to.push_back(i);
    relation.dependencies.push_back(std::move(known));
  }
  std::vector<CqTerm> rows;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < query.atoms.size(); ++i) {
    if (!query.relations[query.atoms[i].relation].is_sensitive) continue;
    starts.push_back(i);
    const CqTerm row = query.atoms[i].terms.front();
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
  }
  std::optional<long long> least;
  for (const std::size_t start : starts) {
    const auto chain = chain_bound(query, start, rows);
    if (chain && (!least || chain->limit < *least)) least = chain->limit;
  }
  return least;
}

std::vector<MissingDependency> missing_dependencies(const CountBound& bound) {
  const std::vector<MissingDependency> candidates = Candidates(bound.chased).list();
  if (!are_enough(bound, candidates)) return {};
  for (const MissingDependency& one : candidates) {
    if (are_enough(bound, {one})) return {one};
  }
  std::size_t tried = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (std::size_t j = i + 1; j < candidates.size() && tried < most_pairs; ++j, ++tried) {
      if (are_enough(bound, {candidates[i], candidates[j]})) return {candidates[i], candidates[j]};
    }
  }
  std::vector<MissingDependency> all = candidates;
  for (std::size_t i = all.size(); i-- > 0;) {
    auto fewer = all;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (are_enough(bound, fewer)) all = std::move(fewer);
  }
  return all;
}

}  // namespace tacit
