#include "sensitivity/rows/counting/conjunctive_query.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tacit {
namespace {

std::vector<std::size_t> occurrences(const ConjunctiveQuery& query) {
  std::vector<std::size_t> count(query.terms.size(), 0);
  for (const CqAtom& atom : query.atoms) {
    for (const CqTerm term : atom.terms) ++count[term];
  }
  return count;
}

std::string print_atom(const ConjunctiveQuery& query, const CqAtom& atom, const std::vector<std::size_t>& count) {
  const CqRelation& relation = query.relations[atom.relation];
  std::string columns;
  for (std::size_t i = 0; i < atom.terms.size(); ++i) {
    const CqTerm term = atom.terms[i];
    const CqTermFacts& facts = query.terms[term];
    const bool counted = std::ranges::find(query.head, term) != query.head.end();
    if (count[term] < 2 && !counted && !facts.is_constant && !facts.is_kept) continue;
    const std::string& column = relation.columns[i];
    columns += fmt::format("{}{}{}{}", columns.empty() ? "" : ", ", column, column.empty() ? "" : ": ", facts.name);
  }
  return fmt::format("{}({})", relation.name, columns);
}

std::string print_columns(const CqRelation& relation, const std::vector<std::size_t>& columns) {
  std::string text;
  for (const std::size_t column : columns) {
    const std::string& name = relation.columns[column];
    text += (text.empty() ? "" : ", ") + (name.empty() ? "rows" : name);
  }
  return text;
}

}  // namespace

std::vector<bool> fixed_terms(const ConjunctiveQuery& query) {
  std::vector<bool> fixed;
  for (const CqTermFacts& term : query.terms) fixed.push_back(term.is_constant || term.is_kept);
  for (const CqTerm term : query.head) fixed[term] = true;
  return fixed;
}

std::string to_string(const ConjunctiveQuery& query) {
  const auto count = occurrences(query);
  std::string head;
  for (const CqTerm term : query.head) head += (head.empty() ? "" : ", ") + query.terms[term].name;
  std::string text = fmt::format("({}):", head);
  for (const CqAtom& atom : query.atoms) {
    text += fmt::format("{} {}", &atom == query.atoms.data() ? "" : ",", print_atom(query, atom, count));
  }
  return text;
}

std::string to_string(const ConjunctiveQuery& query, const CqAtom& atom) {
  return print_atom(query, atom, occurrences(query));
}

std::string to_string(const CqRelation& relation, const CqDependency& dependency) {
  const std::string limit = dependency.limit == 0 ? "k" : std::to_string(dependency.limit);
  return fmt::format("{}({}) ->{} {}", relation.name, print_columns(relation, dependency.from),
                     dependency.limit == 1 ? "" : "[" + limit + "]", print_columns(relation, dependency.to));
}

}  // namespace tacit
