#pragma once

// For tests: a question of the users model with its plan, and answers to it.
#include <string>
#include <vector>

#include "noise/users/people_testing.hpp"
#include "noise/users/users_release.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {

using Table = std::vector<std::vector<std::string>>;

// At this epsilon the noise is 0 but for a chance of e^-1000 a unit.
constexpr double transparent = 1e9;

struct World {
  UsersAnalysis users;
  UsersPlan plan;
  TypedQuery query;

  explicit World(bool private_keys, bool keys = true) {
    users.private_keys = private_keys;
    plan.selection_epsilon = Epsilon(private_keys ? 1.0 : 0.0);
    plan.selection_delta = Delta(private_keys ? 1e-9 : 0.0);
    if (keys) {
      query.keys.emplace_back();
      query.outputs.push_back({OutputColumn::Kind::key, 0, "k", SqlType::text()});
    }
  }
  World& add(UserAggregate aggregate, double epsilon, SqlType type = SqlType::integer(),
             NoiseLaw law = NoiseLaw::geometric) {
    query.outputs.push_back({OutputColumn::Kind::aggregate, users.aggregates.size(), "a", type});
    query.aggregates.emplace_back();
    users.aggregates.push_back(std::move(aggregate));
    UserAggregatePlan own;
    own.noise = {law, Epsilon(epsilon), epsilon};  // gaussian: the number is the deviation
    own.bounds_epsilon = Epsilon(epsilon);
    own.bounds_threshold = 0.5;
    plan.aggregates.push_back(own);
    return *this;
  }
  MechanismPlan mechanism() const {
    MechanismPlan result;
    result.analyzed.query = query;
    result.analyzed.model = users;
    result.model = plan;
    return result;
  }
  NoisyRows release(const std::vector<Person>& people, const GroupList& groups = {}, std::uint64_t seed = 1) const {
    SeededEntropy entropy(seed);
    RandomWords words(entropy);
    const bool lengths =
        std::ranges::any_of(plan.aggregates, [](const auto& a) { return a.euclidean_deviation > 0.0; });
    return release_users(rows_of_people(people, users, !query.keys.empty(), lengths), mechanism(), groups, words);
  }
  NoisyRows reveal(const std::vector<Person>& people, const GroupList& groups = {}) const {
    return reveal_users(rows_of_people(people, users, !query.keys.empty()), mechanism(), groups);
  }
};

inline Table as_text(const NoisyRows& rows) {
  Table result;
  for (const auto& row : rows.rows) {
    auto& line = result.emplace_back();
    for (const NoisyCell& cell : row) line.push_back(to_string(cell.value));
  }
  return result;
}

inline double number(const Value& value) {
  const auto* decimal = std::get_if<Decimal>(&value);
  return decimal != nullptr ? to_double(*decimal) : std::get<double>(value);
}

inline std::vector<Person> crowd(int count, const std::string& group, const Said& said) {
  return std::vector<Person>(static_cast<std::size_t>(count), Person{{{group, said}}});
}

inline std::vector<Person> operator+(std::vector<Person> a, const std::vector<Person>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline const Value text_a = std::string("a");
inline const Value text_b = std::string("b");
inline const Value text_c = std::string("c");

}  // namespace tacit
