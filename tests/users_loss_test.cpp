// Tries to break the guarantee of whole users answers: one question on a database and on the same database without one
// person (or, in the rows model, with one row removed or replaced), drawn again and again; whatever an onlooker could
// tell the two apart by must not tell more than (epsilon, delta). The person is as conspicuous as the policy lets a
// person be. What part of epsilon or delta an attack sees is recorded (part_seen): a fault that multiplies the loss by
// more than its inverse is caught, a smaller one may not be.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "answer_query.hpp"
#include "list_groups.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/users/users_release.hpp"
#include "plan_query.hpp"
#include "rewrite/private_statement.hpp"
#include "support/policy_head.hpp"
#include "support/seeded_entropy.hpp"
#include "support/seen_loss.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

const std::string policy = budget_section({.epsilon = 10000, .delta = 0.9, .defaults = "delta = 0.05"}) + R"(
[tables.person]
owner = "id"
primary_key = ["id"]
[tables.visit]
owner_through = { columns = ["person"], references = "person" }
[tables.visit.columns]
ward = { values = ["a", "b", "c"] }
[tables.entry]
rows = "add-remove"
[tables.entry.columns]
cost = { min = 0, max = 100 }
[tables.swap]
rows = "replace"
[tables.swap.columns]
cost = { min = 0, max = 100 }
[tables.moved]
rows = "replace"
)";

// Six people in wards a and b, in town t and in all halls; person 7, who may be missing, is in every ward, town and
// hall, alone in some wards and towns, and has the largest values.
std::vector<std::string> database_of(bool with_seventh) {
  std::vector<std::string> statements{
      "CREATE TABLE person (id INTEGER PRIMARY KEY)",
      "CREATE TABLE visit (person INTEGER, ward VARCHAR, town VARCHAR, hall VARCHAR, cost INTEGER)",
      "INSERT INTO person SELECT i FROM range(1, 7) t(i)",
      "INSERT INTO visit SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, 't', h, 1 + i % 3 FROM range(1, 7) t(i), "
      "(VALUES ('x'), ('y'), ('z')) s(h)",
      "CREATE TABLE entry (town VARCHAR, cost INTEGER, free INTEGER)",
      "INSERT INTO entry SELECT 't', i % 3, i % 3 FROM range(1, 7) t(i)",
      "CREATE TABLE swap (town VARCHAR, cost INTEGER, free INTEGER)",
      "INSERT INTO swap SELECT 't', 50 + i % 3, i % 3 FROM range(1, 6) t(i)",
      "CREATE TABLE moved (hall VARCHAR)",
      "INSERT INTO moved SELECT CASE WHEN i % 2 = 0 THEN 'x' ELSE 'y' END FROM range(60) t(i)",
      fmt::format("INSERT INTO moved VALUES {}", with_seventh ? "('x')" : "('y')"),
      fmt::format("INSERT INTO swap VALUES {}", with_seventh ? "('u', 100, 100)" : "('v', 0, 0)")};
  if (with_seventh) {
    statements.emplace_back("INSERT INTO entry VALUES ('u', 100, 100)");
    statements.emplace_back("INSERT INTO person VALUES (7)");
    statements.emplace_back(
        "INSERT INTO visit SELECT 7, w, n, h, 90 + i FROM (VALUES ('a', 't', 'x'), ('b', 'u', 'y'), ('c', 'v', 'z')) "
        "s(w, n, h), "
        "range(5) t(i)");
  }
  return statements;
}

// One answer as numbers in fixed places, and which of them are there.
struct Seen {
  std::vector<double> numbers;
  std::vector<bool> shown;
};

class OneDatabase {
 public:
  explicit OneDatabase(bool with_seventh) {
    database_.run(database_of(with_seventh));
    auto opened = open_policy(database_.write_policy(policy));
    if (!opened) {
      ADD_FAILURE() << to_line(opened.error());
      return;
    }
    opened_.emplace(std::move(*opened));
  }

  Connection& opened() { return *opened_; }

  // Many answers of one plan, by one run of the engine.
  std::vector<Seen> draw(const PlannedQuery& planned, std::uint64_t seed, const std::vector<std::string>& places,
                         std::size_t trials) {
    Engine& engine = *opened_->engine;
    const auto snapshot = Snapshot::begin(engine, planned.engine_query.tables);
    EXPECT_TRUE(snapshot.has_value());
    const auto groups = list_groups(engine, planned);
    // One key per question: the promise holds for each. Both databases of a pair have the same.
    const SamplingKey key{std::hash<std::string>{}(planned.engine_query.sql)};
    const auto rows = engine.run(private_statement(planned.mechanism, engine.dialect(), key));
    EXPECT_TRUE(groups.has_value() && rows.has_value());
    if (!groups || !rows) return {};
    SeededEntropy entropy(seed);
    RandomWords words(entropy);
    std::vector<Seen> all;
    all.reserve(trials);
    for (std::size_t trial = 0; trial < trials; ++trial) {
      all.push_back(read(release_users(*rows, planned.mechanism, *groups, words), places));
    }
    return all;
  }

 private:
  static double number_of(const Value& value) {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* decimal = std::get_if<Decimal>(&value)) return to_double(*decimal);
    return 0.0;
  }

  // The value, whether there is one, and the ends of its interval.
  static constexpr std::size_t numbers_per_cell = 4;
  static void add_numbers(const NoisyCell& cell, std::vector<double>& numbers) {
    numbers.push_back(number_of(cell.value));
    numbers.push_back(std::holds_alternative<Null>(cell.value) ? 1.0 : 0.0);
    numbers.push_back(cell.interval95 ? number_of(cell.interval95->first) : 0.0);
    numbers.push_back(cell.interval95 ? number_of(cell.interval95->second) : 0.0);
  }

  static Seen read(const NoisyRows& answer, const std::vector<std::string>& places) {
    std::size_t columns = 0;
    for (const auto& column : answer.columns) columns += column.output.kind == OutputColumn::Kind::aggregate ? 1U : 0U;
    Seen seen;
    seen.numbers.assign(places.size() * columns * numbers_per_cell, 0.0);
    seen.shown.assign(places.size(), false);
    for (const auto& row : answer.rows) {
      std::string key;
      std::vector<double> numbers;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (answer.columns[i].output.kind == OutputColumn::Kind::key) {
          key = to_string(row[i].value);
        } else {
          add_numbers(row[i], numbers);
        }
      }
      const auto place = static_cast<std::size_t>(std::ranges::find(places, key) - places.begin());
      if (place == places.size()) {
        ADD_FAILURE() << "a group nobody expects: " << key;
        continue;
      }
      seen.shown[place] = true;
      std::ranges::copy(numbers,
                        seen.numbers.begin() + static_cast<std::ptrdiff_t>(place * columns * numbers_per_cell));
    }
    return seen;
  }

  TestDatabase database_{EngineKind::duckdb};
  std::optional<Connection> opened_;
};

class UsersLoss : public ::testing::Test {
 protected:
  struct Question {
    std::string sql;
    double epsilon = 1.0;
    double delta = 0.0;
    std::vector<std::string> places = {""};  // keys that can be shown; "" where there are none
    double at_least = 0.5;                   // the part of epsilon, or of delta, that the attack must be able to see
    std::size_t trials = 40'000;
  };

  // Draws both databases twice: the first answers teach what to look at, the second are looked at.
  void attack(const Question& question) {
    SCOPED_TRACE(question.sql);
    auto planned = plan_query(with_.opened(), {question.sql, {}, Epsilon(question.epsilon), Delta(question.delta)});
    ASSERT_TRUE(planned.has_value()) << to_line(planned.error());
    const double epsilon = planned->mechanism.epsilon.value();
    const double delta = planned->mechanism.delta.value();
    ASSERT_LE(epsilon, question.epsilon);
    ASSERT_LE(delta, question.delta);
    const auto draw = [&](OneDatabase& database, std::uint64_t seed) {
      return database.draw(*planned, seed, question.places, question.trials);
    };
    const Learnt learnt = learn(draw(with_, 1), draw(without_, 2));
    const auto with = draw(with_, 3);
    const auto without = draw(without_, 4);
    ASSERT_EQ(with.size(), question.trials);
    ASSERT_EQ(without.size(), question.trials);
    double epsilon_seen = 0.0;
    double delta_seen = 0.0;
    double excess = -1.0;
    const auto judge = [&](const Frequency& on, const Frequency& other) {
      excess = std::max(excess, surely_excessive(on, other, epsilon, delta));
      epsilon_seen = std::max(epsilon_seen, seen_epsilon(on, other, delta));
      delta_seen = std::max(delta_seen, surely_excessive(on, other, epsilon, 0.0));
    };
    for (const auto& [on, other] : events_of(with, without, learnt)) {
      judge(on, other);
      judge(other, on);
    }
    EXPECT_LE(excess, 0.0) << "the guarantee is broken: epsilon " << epsilon_seen << " seen, " << epsilon << " allowed";
    const double part_seen = std::max(epsilon_seen / epsilon, delta > 0.0 ? delta_seen / delta : 0.0);
    EXPECT_GE(part_seen, question.at_least) << "the attack is blind";
    RecordProperty(fmt::format("part_seen_{}", ++attacks_), fmt::format("{:.2f}", part_seen));
  }

 private:
  using Draws = std::vector<Seen>;
  using Event = std::pair<Frequency, Frequency>;

  struct Learnt {
    std::vector<double> weights;           // a direction in which the answers differ most for their spread
    std::set<std::vector<bool>> innocent;  // which groups were shown together without the person
  };

  static Learnt learn(const Draws& with, const Draws& without) {
    Learnt learnt;
    for (std::size_t i = 0; i < with.front().numbers.size(); ++i) {
      // The middle, and the mean distance from it: tails are heavy.
      const auto middle_and_spread = [i](const Draws& all) {
        std::vector<double> values;
        for (const Seen& seen : all) values.push_back(seen.numbers[i]);
        std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
        const double middle = values[values.size() / 2];
        double sum = 0.0;
        for (const double value : values) sum += std::abs(value - middle);
        return std::pair{middle, sum / static_cast<double>(values.size())};
      };
      const auto [a, spread_a] = middle_and_spread(with);
      const auto [b, spread_b] = middle_and_spread(without);
      const double spread = std::max({spread_a, spread_b, 1e-9});
      learnt.weights.push_back((a - b) / spread / spread);
    }
    for (const Seen& seen : without) learnt.innocent.insert(seen.shown);
    return learnt;
  }

  template <typename Predicate>
  static Event event(const Draws& with, const Draws& without, const Predicate& predicate) {
    const auto frequency = [&](const Draws& all) {
      return Frequency{static_cast<std::size_t>(std::ranges::count_if(all, predicate)), all.size()};
    };
    return {frequency(with), frequency(without)};
  }

  // Which groups are shown; how far an answer lies along the direction, or along one number.
  static std::vector<Event> events_of(const Draws& with, const Draws& without, const Learnt& learnt) {
    std::vector<Event> events;
    for (std::size_t place = 0; place < with.front().shown.size(); ++place) {
      events.push_back(event(with, without, [place](const Seen& seen) { return seen.shown[place]; }));
    }
    events.push_back(event(with, without, [&](const Seen& seen) { return !learnt.innocent.contains(seen.shown); }));
    const auto along = [&](const Seen& seen) {
      return std::inner_product(seen.numbers.begin(), seen.numbers.end(), learnt.weights.begin(), 0.0);
    };
    add_rays(with, without, along, events);
    add_rays(
        with, without, [](const Seen& seen) { return static_cast<double>(std::ranges::count(seen.shown, true)); },
        events);
    for (std::size_t i = 0; i < learnt.weights.size(); ++i) {
      const auto number = [i](const Seen& seen) { return seen.numbers[i]; };
      add_rays(with, without, number, events);
    }
    return events;
  }

  template <typename Statistic>
  static void add_rays(const Draws& with, const Draws& without, const Statistic& statistic,
                       std::vector<Event>& events) {
    const auto sorted = [&](const Draws& all) {
      std::vector<double> values;
      for (const Seen& seen : all) values.push_back(statistic(seen));
      std::ranges::sort(values);
      return values;
    };
    const std::vector<double> a = sorted(with);
    const std::vector<double> b = sorted(without);
    const auto above = [](const std::vector<double>& values, double t) {
      return Frequency{static_cast<std::size_t>(values.end() - std::ranges::upper_bound(values, t)), values.size()};
    };
    const auto below = [](const std::vector<double>& values, double t) {
      return Frequency{static_cast<std::size_t>(std::ranges::lower_bound(values, t) - values.begin()), values.size()};
    };
    for (std::size_t i = 1; i < 40; ++i) {
      for (const double t : {a[i * a.size() / 40], b[i * b.size() / 40]}) {
        events.emplace_back(above(a, t), above(b, t));
        events.emplace_back(below(a, t), below(b, t));
      }
    }
  }

  int attacks_ = 0;
  OneDatabase with_{true};
  OneDatabase without_{false};
};

const std::vector<std::string> wards{"a", "b", "c"};
const std::vector<std::string> towns{"t", "u", "v"};
const std::vector<std::string> halls{"x", "y", "z"};

TEST_F(UsersLoss, OneNumber) {
  attack({"SELECT ANON_COUNT(* CLAMPED BETWEEN 0 AND 4) FROM visit", 1.0, 0.0});
  attack({"SELECT ANON_SUM(cost, 0, 100) FROM visit", 1.0, 0.0});
  attack({"SELECT ANON_AVG(cost, 0, 100) FROM visit", 1.0, 0.0});
  attack({"SELECT ANON_MEDIAN(cost, 0, 100) FROM visit", 2.0, 0.0, {""}, 0.3});
  attack({"SELECT ANON_MAX(cost, 0, 100) FROM visit", 4.0, 0.0, {""}, 0.1});
  attack({"SELECT ANON_NTILE(cost, 0.99, 0, 100) FROM visit", 4.0, 0.0, {""}, 0.1});
  attack({"SELECT ANON_AVG(cost, 0, 100) FROM visit WHERE person = 7", 2.0, 0.0, {""}, 0.3});
  attack({"SELECT COUNT(DISTINCT person) FROM visit", 2.0, 0.0});
  attack({"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_rows_contributed = 3) COUNT(DISTINCT cost) FROM visit",
          1.0,
          0.0,
          {""},
          0.3});
}

TEST_F(UsersLoss, SeveralNumbersShareOneEpsilon) {
  attack({"SELECT ANON_COUNT(* CLAMPED BETWEEN 0 AND 4), ANON_SUM(cost, 0, 100), COUNT(DISTINCT person) FROM visit",
          1.5,
          0.0,
          {""},
          0.4});
  attack({"SELECT ANON_VAR(cost, 0, 100), ANON_STDDEV(cost, 0, 100) FROM visit", 2.0, 0.0, {""}, 0.05});
  attack({"SELECT ANON_NTILE(cost, 0.9, 0, 100), ANON_MAX(cost, 0, 100) FROM visit", 4.0, 0.0, {""}, 0.05});
  attack({"SELECT ANON_MEDIAN(cost, 0, 100), ANON_MIN(cost, 0, 100) FROM visit", 4.0, 0.0, {""}, 0.05});
}

TEST_F(UsersLoss, GroupsThatAreListed) {
  attack(
      {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 3) ward, ANON_COUNT(* CLAMPED BETWEEN 0 AND "
       "2) FROM visit "
       "GROUP BY ward",
       1.5, 0.0, wards, 0.4});
  attack(
      {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 1) ward, ANON_SUM(cost, 0, 100) FROM visit "
       "GROUP BY ward",
       1.0, 0.0, wards});
}

TEST_F(UsersLoss, GroupsThatAreChosen) {
  for (const char* rule : {"OPTIMAL", "LAPLACE_THRESHOLD"}) {
    for (const int k : {1, 2, 3}) {
      attack({fmt::format("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = {}, "
                          "group_selection_strategy = {}) town, ANON_COUNT(* CLAMPED BETWEEN 0 AND 2) FROM visit "
                          "GROUP BY town",
                          k, rule),
              1.5, 0.2, towns, k == 1 ? 0.0 : 0.12});
    }
  }
}

// A person who is in several groups with others: here epsilon matters, there delta.
TEST_F(UsersLoss, GroupsOfSeveralPeople) {
  for (const char* rule : {"OPTIMAL", "LAPLACE_THRESHOLD"}) {
    attack(
        {fmt::format("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 3, "
                     "group_selection_strategy = {}) hall, ANON_COUNT(* CLAMPED BETWEEN 0 AND 2) FROM visit GROUP BY "
                     "hall",
                     rule),
         4.0, 0.05, halls, 0.1});
  }
}

TEST_F(UsersLoss, Leftovers) {
  attack(
      {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 3, leftovers = TRUE) town, ANON_COUNT(* "
       "CLAMPED BETWEEN 0 AND 2) FROM visit GROUP BY town",
       1.5,
       0.05,
       {"t", "u", "v", ""},
       0.4});
}

TEST_F(UsersLoss, GaussianNoise) {
  attack(
      {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 3) ward, ANON_SUM(cost, 0, 100), "
       "ANON_SUM(cost + 1, 0, 100), ANON_SUM(cost + 2, 0, 100) FROM visit GROUP BY ward",
       1.0, 0.01, wards, 0.2});
}

// A delta this large makes lengths worth a try in three groups.
TEST_F(UsersLoss, LengthsOverAllGroups) {
  attack({"SELECT ward, COUNT(*) FROM visit GROUP BY ward", 2.0, 0.2, wards, 0.1, 10'000});
  attack({"SELECT ward, COUNT(*), SUM(cost) FROM visit GROUP BY ward", 2.0, 0.2, wards, 0.0, 3'000});
}

// A race tells so little of seven people that there is nothing to see.
TEST_F(UsersLoss, BoundsThatAreFound) {
  attack({"SELECT SUM(cost) FROM visit", 2.0, 0.0, {""}, 0.1, 10'000});
  attack({"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(bounds_inference = 'race') COUNT(*) FROM visit",
          2.0,
          0.0,
          {""},
          0.0,
          5'000});
}

// A row is a person of its own: one added or removed, alone in its town, with the largest value.
TEST_F(UsersLoss, RowsAsPeople) {
  attack({"SELECT COUNT(*), MAX(cost) FROM entry", 4.0, 0.0, {""}, 0.2, 20'000});
  attack({"SELECT SUM(cost), MEDIAN(cost) FROM entry", 2.0, 0.0, {""}, 0.2, 20'000});
  attack({"SELECT VAR_POP(cost), COUNT(DISTINCT cost) FROM entry", 2.0, 0.0, {""}, 0.05, 20'000});
  attack({"SELECT town, COUNT(*) FROM entry GROUP BY town", 1.5, 0.2, towns, 0.1, 20'000});
  attack({"SELECT SUM(free) FROM entry", 2.0, 0.0, {""}, 0.05, 5'000});
}

// One row becomes another: two steps, which must not cost more than the question did.
TEST_F(UsersLoss, RowsThatAreReplaced) {
  attack({"SELECT SUM(cost), MAX(cost) FROM swap", 4.0, 0.0, {""}, 0.2, 20'000});
  attack({"SELECT MEDIAN(cost) FROM swap", 2.0, 0.0, {""}, 0.05, 20'000});
  attack({"SELECT town, COUNT(*) FROM swap GROUP BY town", 1.5, 0.2, towns, 0.06, 20'000});
  // Both numbers move: this attack sees more than half, so that it would see a price of one step.
  attack({"SELECT hall, COUNT(*) FROM moved GROUP BY hall", 2.0, 0.05, {"x", "y"}, 0.55});
}

}  // namespace
}  // namespace tacit::testing
