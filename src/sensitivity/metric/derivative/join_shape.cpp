#include "sensitivity/metric/derivative/join_shape.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>

#include "base/check.hpp"

namespace tacit {
namespace {

constexpr long long largest_bound = 1'000'000'000'000'000;  // beyond it "no bound" is as good
constexpr std::size_t most_states = 1'000;                  // of the exact search; then the greedy one answers

long long times(long long a, long long b) { return a > largest_bound / b ? largest_bound + 1 : a * b; }

// Columns determine columns inside one row of a table: a key (all columns and the row itself, once) or a dependency.
struct Rule {
  std::size_t role = 0;
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
  long long limit = 1;
  bool finds_row = false;
};

// Something that can be learned at the price of a factor: the Y of a dependency, or whether an optional role has a row.
struct Move {
  long long factor = 1;
  const Rule* rule = nullptr;  // null: look at `role`
  std::size_t role = 0;
};

struct Known {
  std::vector<bool> column;
  std::vector<bool> row;  // by role
};

using Moves = std::vector<std::size_t>;  // sorted

class Search {
 public:
  Search(const JoinShape& shape, std::size_t start);

  // The least factor that determines every row. Precondition 5 needs no look: join_shape.md, step 3.
  std::optional<long long> rows() {
    looks_are_free_ = true;
    return least([](const Known& known) {
      return std::all_of(known.row.begin(), known.row.end(), [](bool found) { return found; });
    });
  }

  std::optional<long long> combinations(const std::vector<const Column*>& columns);

 private:
  struct Equality {
    std::size_t early;
    std::size_t late;  // its role stands later in FROM, or is the same
  };

  void number_columns(const JoinShape& shape);
  void add_equalities(const JoinShape& shape);
  void find_present(const JoinShape& shape);
  void find_not_null(const JoinShape& shape);
  void add_keys(std::size_t role, const Relation& relation);
  void add_dependencies(std::size_t role, const Relation& relation);
  void list_moves();
  bool is_used(const DeclaredFact& fact) const { return std::ranges::find(unused_, fact) == unused_.end(); }

  // The numbers of the named columns of the role; empty when one of them is not there.
  std::vector<std::size_t> named(std::size_t role, const std::vector<std::string>& names) const;
  Known close(const Moves& moves) const;
  bool apply_equalities(Known& known, const std::vector<bool>& usable) const;
  bool apply_rules(Known& known, const std::vector<bool>& usable, const Moves& moves) const;
  Moves possible(const Known& known, const Moves& moves) const;
  long long factor_of(const Moves& moves) const;

  template <typename Goal>
  std::optional<long long> least(const Goal& goal) const;
  template <typename Goal>
  std::optional<long long> greedy(const Goal& goal) const;

  std::size_t start_;
  const std::vector<DeclaredFact>& unused_;
  std::map<const Column*, std::size_t> number_;
  std::vector<const Column*> columns_;
  std::vector<std::size_t> role_of_;
  std::vector<std::vector<std::size_t>> of_role_;
  std::vector<Equality> equal_;
  std::vector<std::size_t> constant_;
  std::vector<bool> present_;   // by role: has a row in every join row that contains the given one
  std::vector<bool> not_null_;  // by column: wherever its role has a row
  std::vector<Rule> rules_;
  std::vector<Move> moves_;
  bool looks_are_free_ = false;
};

Search::Search(const JoinShape& shape, std::size_t start) : start_(start), unused_(shape.unused) {
  TACIT_CHECK(start < shape.roles.size(), "the role is one of the shape's");
  number_columns(shape);
  add_equalities(shape);
  find_present(shape);
  find_not_null(shape);
  for (std::size_t role = 0; role < shape.roles.size(); ++role) {
    add_keys(role, *shape.roles[role].scan);
    add_dependencies(role, *shape.roles[role].scan);
  }
  list_moves();
}

void Search::number_columns(const JoinShape& shape) {
  for (std::size_t role = 0; role < shape.roles.size(); ++role) {
    of_role_.emplace_back();
    for (const auto& column : shape.roles[role].scan->columns) {
      number_.emplace(column.get(), columns_.size());
      of_role_.back().push_back(columns_.size());
      columns_.push_back(column.get());
      role_of_.push_back(role);
    }
  }
}

// Precondition 4: equality of two values of one kind is transitive and exact; a mixed one may round.
bool compares_exactly(const SqlType& a, const SqlType& b) {
  return a.kind == b.kind || (a.is_exact_number() && b.is_exact_number());
}

void Search::add_equalities(const JoinShape& shape) {
  for (const auto& [a, b] : shape.equal) {
    const auto first = number_.find(a);
    const auto second = number_.find(b);
    if (first == number_.end() || second == number_.end() || !compares_exactly(a->type, b->type)) continue;
    Equality equality{first->second, second->second};
    if (role_of_[equality.early] > role_of_[equality.late]) std::swap(equality.early, equality.late);
    equal_.push_back(equality);
  }
  for (const Column* column : shape.constant) {
    if (const auto found = number_.find(column); found != number_.end()) constant_.push_back(found->second);
  }
}

void Search::find_present(const JoinShape& shape) {
  for (std::size_t role = 0; role < shape.roles.size(); ++role)
    present_.push_back(!shape.roles[role].optional || role == start_);
  // Where the later role has a row the equality holds, and NULL equals nothing: the earlier one has a row too.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [early, late] : equal_) {
      if (!present_[role_of_[late]] || present_[role_of_[early]]) continue;
      present_[role_of_[early]] = changed = true;
    }
  }
}

void Search::find_not_null(const JoinShape& shape) {
  not_null_.assign(columns_.size(), false);
  for (const auto& [early, late] : equal_) {
    not_null_[late] = true;
    if (present_[role_of_[late]] || role_of_[early] == role_of_[late]) not_null_[early] = true;
  }
  for (const std::size_t column : constant_) not_null_[column] = true;
  for (std::size_t role = 0; role < shape.roles.size(); ++role) {
    const auto& scan = std::get<Scan>(shape.roles[role].scan->node);
    for (const auto& name : scan.not_null) {
      for (const std::size_t column : named(role, {name})) not_null_[column] = true;
    }
    if (!is_used({scan.table})) continue;
    for (const std::size_t column : named(role, scan.table->primary_key)) not_null_[column] = true;
  }
}

std::vector<std::size_t> Search::named(std::size_t role, const std::vector<std::string>& names) const {
  std::vector<std::size_t> numbers;
  for (const auto& name : names) {
    const auto found = std::find_if(of_role_[role].begin(), of_role_[role].end(),
                                    [&](std::size_t column) { return columns_[column]->name == name; });
    if (found == of_role_[role].end()) return {};  // a column of a type no query can use
    numbers.push_back(*found);
  }
  return numbers;
}

void Search::add_keys(std::size_t role, const Relation& relation) {
  const auto& scan = std::get<Scan>(relation.node);
  const auto add = [&](const std::vector<std::size_t>& key) {
    if (!key.empty()) rules_.push_back({role, key, of_role_[role], 1, true});
  };
  if (is_used({scan.table})) add(named(role, scan.table->primary_key));
  for (const auto& names : scan.enforced_keys) {
    auto key = named(role, names);
    // UNIQUE lets NULLs repeat, and what is enforced on the stored number need not hold for the number as it is read.
    const bool holds = std::all_of(key.begin(), key.end(), [&](std::size_t column) {
      return not_null_[column] && (columns_[column]->read_as.empty() || !columns_[column]->type.is_number());
    });
    if (holds) add(key);
  }
}

void Search::add_dependencies(std::size_t role, const Relation& relation) {
  const TablePolicy& table = *std::get<Scan>(relation.node).table;
  for (const auto& dependency : table.dependencies) {
    if (!is_used({&table, &dependency})) continue;
    Rule rule{role, named(role, dependency.from), named(role, dependency.to), dependency.limit, false};
    if (rule.from.size() == dependency.from.size() && !rule.to.empty()) rules_.push_back(std::move(rule));
  }
}

void Search::list_moves() {
  for (const auto& rule : rules_)
    if (rule.limit > 1) moves_.push_back({rule.limit, &rule, rule.role});
  for (std::size_t role = 0; role < present_.size(); ++role)
    if (!present_[role]) moves_.push_back({2, nullptr, role});
}

bool Search::apply_equalities(Known& known, const std::vector<bool>& usable) const {
  bool changed = false;
  const auto learn = [&](std::size_t column) {
    if (known.column[column] || !usable[role_of_[column]]) return;
    known.column[column] = changed = true;
  };
  for (const std::size_t column : constant_) learn(column);
  for (const auto& [early, late] : equal_) {
    if (known.column[early]) learn(late);
    if (known.column[late] && (present_[role_of_[late]] || role_of_[early] == role_of_[late])) learn(early);
  }
  return changed;
}

bool Search::apply_rules(Known& known, const std::vector<bool>& usable, const Moves& moves) const {
  bool changed = false;
  const auto apply = [&](const Rule& rule) {
    if (!usable[rule.role] || known.row[rule.role]) return;
    if (!std::all_of(rule.from.begin(), rule.from.end(), [&](std::size_t c) { return known.column[c]; })) return;
    if (rule.finds_row) known.row[rule.role] = changed = true;
    for (const std::size_t column : rule.to) {
      if (known.column[column]) continue;
      known.column[column] = changed = true;
    }
  };
  for (const auto& rule : rules_)
    if (rule.limit == 1) apply(rule);
  for (const std::size_t move : moves)
    if (moves_[move].rule) apply(*moves_[move].rule);
  return changed;
}

Known Search::close(const Moves& moves) const {
  Known known{std::vector<bool>(columns_.size()), std::vector<bool>(of_role_.size())};
  known.row[start_] = true;
  for (const std::size_t column : of_role_[start_]) known.column[column] = true;
  std::vector<bool> usable = present_;
  if (looks_are_free_) usable.assign(usable.size(), true);
  for (const std::size_t move : moves)
    if (!moves_[move].rule) usable[moves_[move].role] = true;
  for (bool changed = true; changed;) {
    changed = apply_equalities(known, usable);
    changed = apply_rules(known, usable, moves) || changed;
  }
  return known;
}

Moves Search::possible(const Known& known, const Moves& moves) const {
  Moves result;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    if (std::binary_search(moves.begin(), moves.end(), i)) continue;
    const Move& move = moves_[i];
    if (!move.rule && looks_are_free_) continue;
    if (move.rule) {
      const auto is_known = [&](std::size_t column) { return known.column[column]; };
      if (known.row[move.role] || !std::all_of(move.rule->from.begin(), move.rule->from.end(), is_known) ||
          std::all_of(move.rule->to.begin(), move.rule->to.end(), is_known))
        continue;
    }
    result.push_back(i);
  }
  return result;
}

long long Search::factor_of(const Moves& moves) const {
  long long factor = 1;
  for (const std::size_t move : moves) factor = times(factor, moves_[move].factor);
  return factor;
}

// The cheapest possible move again and again, then without those that turn out not to be needed.
template <typename Goal>
std::optional<long long> Search::greedy(const Goal& goal) const {
  Moves moves;
  for (Known known = close(moves); !goal(known); known = close(moves)) {
    const Moves next = possible(known, moves);
    if (next.empty()) return std::nullopt;
    moves.push_back(*std::min_element(
        next.begin(), next.end(), [&](std::size_t a, std::size_t b) { return moves_[a].factor < moves_[b].factor; }));
    std::sort(moves.begin(), moves.end());
  }
  for (std::size_t i = moves.size(); i-- > 0;) {
    Moves fewer = moves;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (goal(close(fewer))) moves = std::move(fewer);
  }
  const long long factor = factor_of(moves);
  return factor > largest_bound ? std::nullopt : std::optional(factor);
}

// Dijkstra over sets of moves.
template <typename Goal>
std::optional<long long> Search::least(const Goal& goal) const {
  using Entry = std::pair<long long, Moves>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::set<Moves> seen{Moves{}};
  queue.push({1, {}});
  while (!queue.empty()) {
    const auto [factor, moves] = queue.top();
    queue.pop();
    const Known known = close(moves);
    if (goal(known)) return factor;
    for (const std::size_t move : possible(known, moves)) {
      Moves more = moves;
      more.insert(std::upper_bound(more.begin(), more.end(), move), move);
      const long long product = times(factor, moves_[move].factor);
      if (product > largest_bound || !seen.insert(more).second) continue;
      if (seen.size() > most_states) return greedy(goal);
      queue.emplace(product, std::move(more));
    }
  }
  return std::nullopt;
}

std::optional<long long> Search::combinations(const std::vector<const Column*>& columns) {
  looks_are_free_ = false;
  std::vector<std::size_t> wanted;
  for (const Column* column : columns) {
    const auto found = number_.find(column);
    if (found == number_.end()) return std::nullopt;
    wanted.push_back(found->second);
  }
  return least([&](const Known& known) {
    return std::all_of(wanted.begin(), wanted.end(), [&](std::size_t column) { return known.column[column]; });
  });
}

}  // namespace

std::optional<long long> join_rows_per_row(const JoinShape& shape, std::size_t role) {
  return Search(shape, role).rows();
}

std::optional<long long> combinations_per_row(const JoinShape& shape, std::size_t role,
                                              const std::vector<const Column*>& columns) {
  Search search(shape, role);
  const auto combinations = search.combinations(columns);
  const auto rows = search.rows();
  if (!combinations || !rows) return combinations ? combinations : rows;
  return std::min(*combinations, *rows);
}

}  // namespace tacit
