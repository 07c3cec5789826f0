#include "sensitivity/rows/counting/chain_bound.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

#include "base/work_limit.hpp"

namespace tacit {
namespace {

using Known = std::vector<bool>;  // by term

// Saturated just above the largest bound.
long long times(long long a, long long b) { return a > largest_count_bound / b ? largest_count_bound + 1 : a * b; }

class ChainSearch {
 public:
  ChainSearch(const ConjunctiveQuery& query, const std::vector<CqTerm>& wanted)
      : query_(query), wanted_(wanted), waits_(query.terms.size()) {
    for (std::size_t i = 0; i < query.atoms.size(); ++i) {
      const auto& dependencies = query.relations[query.atoms[i].relation].dependencies;
      for (std::size_t d = 0; d < dependencies.size(); ++d) add({i, d}, dependencies[d]);
    }
  }

  std::optional<Chain> find(std::size_t start) const {
    Known known(query_.terms.size(), false);
    for (CqTerm term = 0; term < query_.terms.size(); ++term) known[term] = query_.terms[term].is_constant;
    for (const CqTerm term : query_.atoms[start].terms) known[term] = true;
    if (!can_be_reached(known)) return std::nullopt;
    const auto moves = least(known);
    if (!moves) return std::nullopt;
    return needed(known, *moves);
  }

 private:
  struct Rule {
    ChainStep step;
    std::vector<CqTerm> from;  // each once
    std::vector<CqTerm> to;
    long long limit = 1;
  };
  using Moves = std::vector<std::size_t>;  // rules with a limit above 1, in order

  void add(ChainStep step, const CqDependency& dependency) {
    const CqAtom& atom = query_.atoms[step.atom];
    Rule rule{step, {}, {}, dependency.limit};
    for (const std::size_t column : dependency.from) {
      const CqTermFacts& facts = query_.terms[atom.terms[column]];
      if (dependency.nulls_repeat && !facts.not_null && !facts.is_constant) return;
      if (std::ranges::find(rule.from, atom.terms[column]) == rule.from.end()) rule.from.push_back(atom.terms[column]);
    }
    for (const std::size_t column : dependency.to) rule.to.push_back(atom.terms[column]);
    for (const CqTerm term : rule.from) waits_[term].push_back(rules_.size());
    rules_.push_back(std::move(rule));
  }

  bool is_done(const Known& known) const {
    return std::ranges::all_of(wanted_, [&](CqTerm term) { return known[term]; });
  }

  bool may_apply(const Rule& rule, const Known& known) const {
    return std::ranges::all_of(rule.from, [&](CqTerm term) { return known[term]; }) &&
           !std::ranges::all_of(rule.to, [&](CqTerm term) { return known[term]; });
  }

  // Everything that rules with the limit 1 add; `applied`: those that added something, in order.
  void close(Known& known, std::vector<std::size_t>* applied) const {
    std::vector<std::size_t> missing(rules_.size());
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      missing[i] = static_cast<std::size_t>(std::ranges::count_if(rules_[i].from, [&](CqTerm t) { return !known[t]; }));
      if (missing[i] == 0 && rules_[i].limit == 1) ready.push_back(i);
    }
    count_work(1 + rules_.size() / 4);
    while (!ready.empty()) {
      const std::size_t next = ready.back();
      ready.pop_back();
      bool added = false;
      for (const CqTerm term : rules_[next].to) {
        if (known[term]) continue;
        known[term] = added = true;
        for (const std::size_t waiting : waits_[term]) {
          if (--missing[waiting] == 0 && rules_[waiting].limit == 1) ready.push_back(waiting);
        }
      }
      if (added && applied != nullptr) applied->push_back(next);
    }
  }

  // Whatever the price.
  bool can_be_reached(Known known) const {
    close(known, nullptr);
    for (Moves next = possible(known); !next.empty(); next = possible(known)) {
      for (const std::size_t move : next) apply(known, move);
    }
    return is_done(known);
  }

  Moves possible(const Known& known) const {
    Moves moves;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i].limit > 1 && may_apply(rules_[i], known)) moves.push_back(i);
    }
    return moves;
  }

  void apply(Known& known, std::size_t move) const {
    for (const CqTerm term : rules_[move].to) known[term] = true;
    close(known, nullptr);
  }

  std::optional<Moves> least(const Known& start) const {
    struct Entry {
      long long limit;
      Moves moves;
      Known known;
      bool operator>(const Entry& other) const { return std::tie(limit, moves) > std::tie(other.limit, other.moves); }
    };
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::map<Known, long long> seen;
    Known first = start;
    close(first, nullptr);
    seen[first] = 1;
    queue.push({1, {}, first});
    while (!queue.empty()) {
      const Entry entry = queue.top();
      queue.pop();
      if (is_done(entry.known)) return entry.moves;
      if (seen.at(entry.known) < entry.limit) continue;
      for (const std::size_t move : possible(entry.known)) {
        const long long limit = times(entry.limit, rules_[move].limit);
        if (limit > largest_count_bound) continue;
        Entry longer{limit, entry.moves, entry.known};
        longer.moves.push_back(move);
        apply(longer.known, move);
        const auto [found, is_new] = seen.try_emplace(longer.known, limit);
        if (!is_new && found->second <= limit) continue;
        found->second = limit;
        if (seen.size() > most_chain_states) return greedy(first);
        queue.push(std::move(longer));
      }
    }
    return std::nullopt;
  }

  // The cheapest move again and again; `needed` drops those that turn out superfluous.
  std::optional<Moves> greedy(Known known) const {
    Moves moves;
    while (!is_done(known)) {
      const Moves next = possible(known);
      if (next.empty()) return std::nullopt;
      const std::size_t cheapest = *std::ranges::min_element(
          next, [&](std::size_t a, std::size_t b) { return rules_[a].limit < rules_[b].limit; });
      moves.push_back(cheapest);
      apply(known, cheapest);
    }
    return moves;
  }

  // The steps without which something that is wanted would not be known.
  std::optional<Chain> needed(Known known, const Moves& moves) const {
    const Known start = known;
    std::vector<std::size_t> applied;
    close(known, &applied);
    for (const std::size_t move : moves) {
      applied.push_back(move);
      for (const CqTerm term : rules_[move].to) known[term] = true;
      close(known, &applied);
    }
    std::vector<std::set<CqTerm>> adds(applied.size());
    Known before = start;
    for (std::size_t i = 0; i < applied.size(); ++i) {
      for (const CqTerm term : rules_[applied[i]].to) {
        if (!before[term]) adds[i].insert(term);
        before[term] = true;
      }
    }
    std::set<CqTerm> open(wanted_.begin(), wanted_.end());
    Chain chain;
    for (std::size_t i = applied.size(); i-- > 0;) {
      const Rule& rule = rules_[applied[i]];
      const bool wanted = std::ranges::any_of(adds[i], [&](CqTerm term) { return open.contains(term); });
      if (!wanted) continue;
      for (const CqTerm term : adds[i]) open.erase(term);
      open.insert(rule.from.begin(), rule.from.end());
      chain.limit = times(chain.limit, rule.limit);
      chain.steps.insert(chain.steps.begin(), rule.step);
    }
    return chain.limit > largest_count_bound ? std::nullopt : std::optional(std::move(chain));
  }

  const ConjunctiveQuery& query_;
  const std::vector<CqTerm>& wanted_;
  std::vector<Rule> rules_;
  std::vector<std::vector<std::size_t>> waits_;  // rules that read the term
};

}  // namespace

std::optional<Chain> chain_bound(const ConjunctiveQuery& query, std::size_t start, const std::vector<CqTerm>& wanted) {
  return ChainSearch(query, wanted).find(start);
}

}  // namespace tacit
