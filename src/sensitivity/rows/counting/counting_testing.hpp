#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sensitivity/rows/counting/conjunctive_query.hpp"

namespace tacit::testing {

// Queries as the theory writes them: "x: R(x, y), S(y, #c)"; every relation is sensitive, and a set of rows.
class Queries {
 public:
  explicit Queries(std::string_view text) {
    const auto colon = text.find(':');
    const std::string_view head = text.substr(0, colon);
    std::string_view atoms = text.substr(colon + 1);
    while (atoms.find('(') != std::string_view::npos) {
      const auto open = atoms.find('(');
      const auto close = atoms.find(')');
      const auto name = atoms.find_first_not_of(" ,");
      add_atom(std::string(atoms.substr(name, open - name)), names(atoms.substr(open + 1, close - open - 1)));
      atoms.remove_prefix(close + 1);
    }
    for (const std::string& name : names(head)) query.head.push_back(term(name));
  }

  // Columns are counted from 1, as in the theory.
  Queries& depend(const std::string& relation, std::vector<std::size_t> from, std::vector<std::size_t> to,
                  long long limit = 1) {
    for (std::size_t& column : from) --column;
    for (std::size_t& column : to) --column;
    query.relations[relations_.at(relation)].dependencies.push_back({std::move(from), std::move(to), limit});
    return *this;
  }
  Queries& not_sensitive(const std::string& relation) {
    query.relations[relations_.at(relation)].is_sensitive = false;
    return *this;
  }
  // The first column is the row.
  Queries& with_rows(const std::string& relation) {
    CqRelation& found = query.relations[relations_.at(relation)];
    found.columns.front().clear();
    CqDependency all{{0}, {}, 1};
    for (std::size_t i = 1; i < found.columns.size(); ++i) all.to.push_back(i);
    found.dependencies.push_back(std::move(all));
    return *this;
  }
  Queries& keep(const std::string& name) {
    query.terms[term(name)].is_kept = true;
    return *this;
  }

  ConjunctiveQuery query;

 private:
  static std::vector<std::string> names(std::string_view text) {
    std::vector<std::string> found;
    while (!text.empty()) {
      const auto start = text.find_first_not_of(" ,");
      if (start == std::string_view::npos) break;
      const auto end = std::min(text.find_first_of(" ,", start), text.size());
      found.emplace_back(text.substr(start, end - start));
      text.remove_prefix(end);
    }
    return found;
  }

  CqTerm term(const std::string& name) {
    const auto [found, is_new] = terms_.try_emplace(name, query.terms.size());
    if (is_new) query.terms.push_back({name, name.front() == '#', false, false, false});
    return found->second;
  }

  void add_atom(const std::string& name, const std::vector<std::string>& arguments) {
    const auto [found, is_new] = relations_.try_emplace(name, query.relations.size());
    if (is_new) {
      CqRelation relation{name, {}, true, false, {}};
      for (std::size_t i = 0; i < arguments.size(); ++i) relation.columns.push_back("c" + std::to_string(i + 1));
      query.relations.push_back(std::move(relation));
    }
    CqAtom atom{found->second, {}};
    for (const std::string& argument : arguments) atom.terms.push_back(term(argument));
    query.atoms.push_back(std::move(atom));
  }

  std::map<std::string, CqTerm> terms_;
  std::map<std::string, std::size_t> relations_;
};

}  // namespace tacit::testing
