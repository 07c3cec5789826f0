// Random conjunctive queries against two judges that share no code with the rules: every database over a tiny domain,
// and every mapping of the variables. TACIT_COUNTING_COUNT says how many.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <random>

#include "sensitivity/rows/counting/count_bound.hpp"
#include "sensitivity/rows/counting/witness.hpp"

namespace tacit::testing {
namespace {

int wanted_count() {
  const char* text = std::getenv("TACIT_COUNTING_COUNT");
  return text != nullptr ? std::atoi(text) : 10'000;
}

// A query with what the rules do not see: the condition that was dropped, and the values of constants and functions.
struct World {
  ConjunctiveQuery query;
  std::vector<bool> allowed;  // by the values of the kept terms, as digits
  std::vector<int> function;  // of the function relation, by argument
  int values = 2;             // 0 is NULL
};

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  World write() {
    World world;
    ConjunctiveQuery& query = world.query;
    const int relations = 1 + pick(2);
    world.values = relations == 1 ? 3 : 2;
    for (int r = 0; r < relations; ++r) {
      CqRelation relation{"R" + std::to_string(r), {"a", "b"}, r == 0 || pick(2) == 0, false, {}};
      for (int d = pick(3); d > 0; --d) {
        const bool forth = pick(2) == 0;
        relation.dependencies.push_back({{forth ? 0U : 1U}, {forth ? 1U : 0U}, 1 + pick(2), pick(3) == 0});
      }
      query.relations.push_back(std::move(relation));
    }
    const int terms = 2 + pick(3);
    for (int t = 0; t < terms; ++t) {
      query.terms.push_back({"x" + std::to_string(t), pick(8) == 0, pick(6) == 0, pick(3) == 0, false});
      if (query.terms.back().is_constant) query.terms.back().not_null = true;
    }
    const auto any_term = [&] { return static_cast<CqTerm>(pick(terms)); };
    for (int a = 1 + pick(4); a > 0; --a) {
      query.atoms.push_back({static_cast<std::size_t>(pick(relations)), {any_term(), any_term()}});
    }
    if (pick(5) == 0) {
      query.relations.push_back({"f", {"x", "fx"}, false, true, {{{0}, {1}, 1}}});
      query.atoms.push_back({static_cast<std::size_t>(relations), {any_term(), any_term()}});
      for (int v = 0; v < world.values; ++v) world.function.push_back(pick(world.values));
    }
    for (CqTerm t = 0; t < query.terms.size(); ++t) {
      const bool occurs = std::ranges::any_of(query.atoms, [&](const CqAtom& atom) {
        return !query.relations[atom.relation].is_function && std::ranges::find(atom.terms, t) != atom.terms.end();
      });
      if (occurs && pick(3) == 0) query.head.push_back(t);
      // A term that no stored row holds could be anything.
      if (!occurs) query.terms[t].is_constant = query.terms[t].not_null = true;
    }
    for (int i = 0; i < 1 << 2 * query.terms.size(); ++i) world.allowed.push_back(pick(3) > 0);
    return world;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::mt19937 random_;
};

// A database: for each stored relation a set of pairs, as bits.
using Bits = std::vector<unsigned>;

bool has(const World& world, const Bits& database, const CqAtom& atom, const std::vector<int>& value) {
  const int a = value[atom.terms[0]];
  const int b = value[atom.terms[1]];
  if (world.query.relations[atom.relation].is_function) return world.function[static_cast<std::size_t>(a)] == b;
  return (database[atom.relation] >> (a * world.values + b) & 1U) != 0;
}

long long count(const World& world, const Bits& database) {
  const auto& query = world.query;
  std::set<std::vector<int>> answers;
  std::vector<int> value(query.terms.size(), 0);
  const std::function<void(std::size_t)> assign = [&](std::size_t term) {
    if (term == value.size()) {
      std::size_t kept = 0;
      for (std::size_t t = 0; t < value.size(); ++t) {
        if (query.terms[t].is_kept) kept += static_cast<std::size_t>(value[t]) << 2 * t;
      }
      if (!world.allowed[kept]) return;
      if (!std::ranges::all_of(query.atoms, [&](const CqAtom& atom) { return has(world, database, atom, value); }))
        return;
      std::vector<int> answer;
      for (const CqTerm t : query.head) answer.push_back(value[t]);
      answers.insert(answer);
      return;
    }
    for (int v = query.terms[term].not_null ? 1 : 0; v < world.values; ++v) {
      value[term] = v;
      if (!query.terms[term].is_constant || v == 1) assign(term + 1);
    }
  };
  assign(0);
  return static_cast<long long>(answers.size());
}

bool obeys(const World& world, const Bits& database) {
  for (std::size_t r = 0; r < database.size(); ++r) {
    for (const CqDependency& dependency : world.query.relations[r].dependencies) {
      for (int x = dependency.nulls_repeat ? 1 : 0; x < world.values; ++x) {
        long long found = 0;
        for (int y = 0; y < world.values; ++y) {
          const int bit = dependency.from[0] == 0 ? x * world.values + y : y * world.values + x;
          found += database[r] >> bit & 1U;
        }
        if (found > dependency.limit) return false;
      }
    }
  }
  return true;
}

long long true_sensitivity(const World& world) {
  std::size_t stored = 0;
  for (const CqRelation& relation : world.query.relations) stored += relation.is_function ? 0 : 1;
  const int bits = world.values * world.values;
  const unsigned all = 1U << (bits * static_cast<int>(stored));
  std::map<unsigned, long long> counts;
  long long most = 0;
  for (unsigned code = 0; code < all; ++code) {
    Bits database;
    for (std::size_t r = 0; r < stored; ++r)
      database.push_back(code >> (bits * static_cast<int>(r)) & ((1U << bits) - 1));
    if (!obeys(world, database)) continue;
    counts[code] = count(world, database);
    for (int bit = 0; bit < bits * static_cast<int>(stored); ++bit) {
      if (!world.query.relations[static_cast<std::size_t>(bit / bits)].is_sensitive) continue;
      const auto smaller = counts.find(code & ~(1U << bit));
      if ((code >> bit & 1U) != 0 && smaller != counts.end()) {
        most = std::max(most, std::abs(counts[code] - smaller->second));
      }
    }
  }
  return most;
}

// The fewest atoms that an endomorphism leaves, over all mappings.
std::size_t naive_core_size(const ConjunctiveQuery& query) {
  std::vector<CqTerm> image(query.terms.size());
  std::size_t least = query.atoms.size();
  const auto is_fixed = [&](CqTerm t) {
    return query.terms[t].is_constant || query.terms[t].is_kept || std::ranges::find(query.head, t) != query.head.end();
  };
  const std::function<void(CqTerm)> choose = [&](CqTerm term) {
    if (term == query.terms.size()) {
      std::set<std::pair<std::size_t, std::vector<CqTerm>>> left;
      for (const CqAtom& atom : query.atoms) {
        CqAtom moved = atom;
        for (CqTerm& t : moved.terms) t = image[t];
        if (std::ranges::find(query.atoms, moved) == query.atoms.end()) return;
        left.emplace(moved.relation, moved.terms);
      }
      least = std::min(least, left.size());
      return;
    }
    for (CqTerm t = 0; t < query.terms.size(); ++t) {
      if (is_fixed(term) && t != term) continue;
      if (query.terms[term].not_null && !query.terms[t].not_null && !query.terms[t].is_constant) continue;
      image[term] = t;
      choose(term + 1);
    }
  };
  choose(0);
  return least;
}

TEST(RandomQueries, NoBoundIsBelowTheTruthAndEveryCoreIsLeast) {
  const int wanted = wanted_count();
  int bounded = 0;
  int tight = 0;
  int folded = 0;
  for (int seed = 1; seed <= wanted; ++seed) {
    const World world = Writer(static_cast<unsigned>(seed)).write();
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(world.query));
    const CountBound bound = bound_count(world.query);
    EXPECT_EQ(bound.core.query.atoms.size(), naive_core_size(bound.chased));
    folded += static_cast<int>(bound.core.folded.size());
    const auto witness = find_witness(bound);
    if (bound.upper) {
      ++bounded;
      const long long truth = true_sensitivity(world);
      EXPECT_LE(truth, *bound.upper);
      EXPECT_LE(witness ? witness->moved : 0, *bound.upper);
      tight += truth == *bound.upper;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(bounded, wanted / 2);
  EXPECT_GT(tight, wanted / 3);
  EXPECT_GT(folded, wanted / 20);
}

}  // namespace
}  // namespace tacit::testing
