#include "sensitivity/rows/counting/chase.hpp"

#include <algorithm>

#include "base/work_limit.hpp"

namespace tacit {
namespace {

class Chase {
 public:
  explicit Chase(ConjunctiveQuery& query) : query_(query) {}

  void run(std::set<std::size_t>& used) {
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
        for (std::size_t j = i + 1; j < query_.atoms.size(); ++j) {
          if (query_.atoms[i].relation == query_.atoms[j].relation) progress = compare(i, j, used) || progress;
        }
      }
      remove_repeated_atoms();
    }
  }

 private:
  bool compare(std::size_t i, std::size_t j, std::set<std::size_t>& used) {
    bool progress = false;
    for (const CqDependency& dependency : query_.relations[query_.atoms[i].relation].dependencies) {
      count_work();
      if (dependency.limit != 1 || !agree(i, j, dependency)) continue;
      bool unified = false;
      for (const std::size_t column : dependency.to) {
        unified = unify(query_.atoms[i].terms[column], query_.atoms[j].terms[column]) || unified;
      }
      if (unified && dependency.fact != no_fact) used.insert(dependency.fact);
      progress = progress || unified;
    }
    return progress;
  }

  bool agree(std::size_t i, std::size_t j, const CqDependency& dependency) const {
    return std::ranges::all_of(dependency.from, [&](std::size_t column) {
      const CqTerm term = query_.atoms[i].terms[column];
      const CqTermFacts& facts = query_.terms[term];
      return term == query_.atoms[j].terms[column] && (!dependency.nulls_repeat || facts.not_null || facts.is_constant);
    });
  }

  bool unify(CqTerm a, CqTerm b) {
    if (a == b) return false;
    if (rank(b) > rank(a)) std::swap(a, b);
    CqTermFacts& kept = query_.terms[a];
    const CqTermFacts& gone = query_.terms[b];
    kept.is_kept = kept.is_kept || gone.is_kept;
    kept.not_null = kept.not_null || gone.not_null || gone.is_constant;
    kept.has_few_values = kept.has_few_values || gone.has_few_values;
    for (CqAtom& atom : query_.atoms) std::ranges::replace(atom.terms, b, a);
    std::ranges::replace(query_.head, b, a);
    // Each counted term once.
    std::vector<CqTerm> head;
    for (const CqTerm term : query_.head) {
      if (std::ranges::find(head, term) == head.end()) head.push_back(term);
    }
    query_.head = std::move(head);
    count_work(query_.atoms.size());
    return true;
  }

  int rank(CqTerm term) const {
    if (query_.terms[term].is_constant) return 2;
    return std::ranges::find(query_.head, term) != query_.head.end() ? 1 : 0;
  }

  void remove_repeated_atoms() {
    std::vector<CqAtom> atoms;
    for (CqAtom& atom : query_.atoms) {
      if (std::ranges::find(atoms, atom) == atoms.end()) atoms.push_back(std::move(atom));
    }
    query_.atoms = std::move(atoms);
  }

  ConjunctiveQuery& query_;
};

}  // namespace

ConjunctiveQuery chase(ConjunctiveQuery query, std::set<std::size_t>& used) {
  Chase(query).run(used);
  return query;
}

}  // namespace tacit
