#include "sensitivity/rows/counting/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/work_limit.hpp"

namespace tacit {
namespace {

constexpr int most_copies = 8;
constexpr std::size_t most_steps = 20'000;  // of counting one database
constexpr std::size_t most_atoms = 8;       // larger queries have witnesses that nobody reads

using Row = std::vector<int>;  // values
using Database = std::vector<std::set<Row>>;

// Terms that are the same in every copy: those that the atom's row determines.
std::vector<bool> determined_by(const ConjunctiveQuery& query, std::size_t atom) {
  std::vector<bool> known;
  for (const CqTermFacts& term : query.terms) known.push_back(term.is_constant);
  for (const CqTerm term : query.atoms[atom].terms) known[term] = true;
  for (bool progress = true; progress;) {
    progress = false;
    for (const CqAtom& other : query.atoms) {
      for (const CqDependency& dependency : query.relations[other.relation].dependencies) {
        const auto is_known = [&](std::size_t column) { return known[other.terms[column]]; };
        if (dependency.limit != 1 || !std::ranges::all_of(dependency.from, is_known)) continue;
        for (const std::size_t column : dependency.to) {
          progress = progress || !known[other.terms[column]];
          known[other.terms[column]] = true;
        }
      }
    }
  }
  return known;
}

bool obeys(const Database& database, const ConjunctiveQuery& query) {
  for (std::size_t relation = 0; relation < database.size(); ++relation) {
    for (const CqDependency& dependency : query.relations[relation].dependencies) {
      std::map<Row, std::set<Row>> found;
      for (const Row& row : database[relation]) {
        Row from;
        Row to;
        for (const std::size_t column : dependency.from) from.push_back(row[column]);
        for (const std::size_t column : dependency.to) to.push_back(row[column]);
        auto& values = found[from];
        values.insert(to);
        if (static_cast<long long>(values.size()) > dependency.limit) return false;
      }
    }
  }
  return true;
}

class Counter {
 public:
  Counter(const ConjunctiveQuery& query, const Database& database) : query_(query), database_(database) {}

  std::optional<long long> count(const std::vector<int>& constants) {
    values_ = constants;
    if (!extend(0)) return std::nullopt;
    return static_cast<long long>(answers_.size());
  }

 private:
  bool extend(std::size_t atom) {
    if (++steps_ > most_steps) return false;
    count_work();
    if (atom == query_.atoms.size()) {
      Row answer;
      for (const CqTerm term : query_.head) answer.push_back(values_[term]);
      answers_.insert(std::move(answer));
      return true;
    }
    const CqAtom& next = query_.atoms[atom];
    for (const Row& row : database_[next.relation]) {
      const std::vector<int> before = values_;
      bool fits = true;
      for (std::size_t i = 0; i < row.size() && fits; ++i) {
        int& value = values_[next.terms[i]];
        fits = value < 0 || value == row[i];
        value = row[i];
      }
      if (fits && !extend(atom + 1)) return false;
      values_ = before;
    }
    return true;
  }

  const ConjunctiveQuery& query_;
  const Database& database_;
  std::vector<int> values_;  // by term; -1: none yet
  std::set<Row> answers_;
  std::size_t steps_ = 0;
};

class WitnessSearch {
 public:
  WitnessSearch(const ConjunctiveQuery& query, std::size_t atom, int copies) : query_(query), copies_(copies) {
    const auto shared = determined_by(query, atom);
    for (CqTerm term = 0; term < query.terms.size(); ++term) {
      auto& own = values_.emplace_back();
      for (int copy = 0; copy < copies; ++copy) own.push_back(shared[term] && copy > 0 ? own.front() : next_value_++);
      constants_.push_back(query.terms[term].is_constant ? own.front() : -1);
    }
  }

  std::optional<Witness> find(std::size_t atom) const {
    Database database(query_.relations.size());
    for (int copy = 0; copy < copies_; ++copy) {
      for (const CqAtom& one : query_.atoms) database[one.relation].insert(row_of(one, copy));
    }
    if (!obeys(database, query_)) return std::nullopt;
    const auto with = Counter(query_, database).count(constants_);
    Witness witness;
    witness.rows = print(database);
    const CqAtom& removed = query_.atoms[atom];
    database[removed.relation].erase(row_of(removed, 0));
    witness.removed = print(removed.relation, row_of(removed, 0));
    const auto without = Counter(query_, database).count(constants_);
    if (!with || !without) return std::nullopt;
    witness.moved = *with - *without;
    return witness;
  }

 private:
  Row row_of(const CqAtom& atom, int copy) const {
    Row row;
    for (const CqTerm term : atom.terms) row.push_back(values_[term][static_cast<std::size_t>(copy)]);
    return row;
  }

  // "d" where a term has one value, "d1", "d2" where it has several.
  std::string name_of(int value) const {
    for (CqTerm term = 0; term < values_.size(); ++term) {
      for (std::size_t copy = 0; copy < values_[term].size(); ++copy) {
        if (values_[term][copy] != value) continue;
        const bool one = values_[term].front() == values_[term].back();
        return one ? query_.terms[term].name : fmt::format("{}{}", query_.terms[term].name, copy + 1);
      }
    }
    return "";
  }

  std::string print(std::size_t relation, const Row& row) const {
    std::string values;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (query_.relations[relation].columns[i].empty() || !is_shown(relation, i)) continue;
      values += (values.empty() ? "" : ", ") + name_of(row[i]);
    }
    return fmt::format("{}({})", query_.relations[relation].name, values);
  }

  // Columns that nothing reads are left out.
  bool is_shown(std::size_t relation, std::size_t column) const {
    return std::ranges::any_of(query_.atoms, [&](const CqAtom& atom) {
      if (atom.relation != relation) return false;
      const CqTerm term = atom.terms[column];
      std::size_t count = 0;
      for (const CqAtom& other : query_.atoms) count += static_cast<std::size_t>(std::ranges::count(other.terms, term));
      return count > 1 || query_.terms[term].is_constant || std::ranges::find(query_.head, term) != query_.head.end();
    });
  }

  std::vector<std::string> print(const Database& database) const {
    std::vector<std::string> rows;
    for (std::size_t relation = 0; relation < database.size(); ++relation) {
      for (const Row& row : database[relation]) rows.push_back(print(relation, row));
    }
    return rows;
  }

  const ConjunctiveQuery& query_;
  int copies_;
  int next_value_ = 0;
  std::vector<std::vector<int>> values_;  // by term and copy
  std::vector<int> constants_;
};

// A boolean that connects or is counted has no third value.
bool counts_few_values(const ConjunctiveQuery& query) {
  for (CqTerm term = 0; term < query.terms.size(); ++term) {
    if (!query.terms[term].has_few_values) continue;
    std::size_t count = std::ranges::find(query.head, term) != query.head.end() ? 1 : 0;
    for (const CqAtom& atom : query.atoms) count += static_cast<std::size_t>(std::ranges::count(atom.terms, term));
    if (count > 1) return true;
  }
  return false;
}

}  // namespace

std::optional<Witness> find_witness(const CountBound& bound) {
  const ConjunctiveQuery& core = bound.core.query;
  const bool is_whole = std::ranges::none_of(core.terms, [](const CqTermFacts& term) { return term.is_kept; }) &&
                        std::ranges::none_of(core.relations, [](const CqRelation& one) { return one.is_function; });
  if (!is_whole || core.atoms.size() > most_atoms || counts_few_values(core)) return std::nullopt;
  std::optional<Witness> best;
  for (std::size_t atom = 0; atom < core.atoms.size(); ++atom) {
    if (!core.relations[core.atoms[atom].relation].is_sensitive) continue;
    const int most = static_cast<int>(std::min<long long>(bound.upper.value_or(most_copies), most_copies));
    for (int copies = std::max(1, most); copies >= 1; --copies) {
      auto found = WitnessSearch(core, atom, copies).find(atom);
      if (found && (!best || found->moved > best->moved)) best = std::move(found);
    }
  }
  return best;
}

}  // namespace tacit
