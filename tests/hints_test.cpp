// Every hint leads somewhere: for each refusal below one question that meets it, and one that does what the hint says
// and is answered. Hints that need another policy, a smaller text or another database are tried where they are
// (policy, engine and parse tests), or cannot be tried by a question.
#include <gtest/gtest.h>

#include <map>

#include "answer_query.hpp"
#include "support/policy_head.hpp"
#include "support/test_database.hpp"

namespace tacit {
namespace {

using tacit::testing::EngineKind;
using tacit::testing::TestDatabase;

struct Hint {
  const char* refused;   // a question that is refused
  const char* hint;      // a part of what the refusal says to do
  const char* followed;  // the question that does it
};

constexpr const char* setup[] = {
    "CREATE SCHEMA lme",
    "CREATE TABLE lme.insteval (id INTEGER, y INTEGER)",
    "CREATE TABLE ward (name VARCHAR PRIMARY KEY, building VARCHAR, beds INTEGER)",
    "CREATE TABLE visit (id INTEGER PRIMARY KEY, ward VARCHAR, age INTEGER, cost DECIMAL(10,2), x DOUBLE, free BIGINT, "
    "admitted DATE, seen TIMESTAMP, note VARCHAR, emergency BOOLEAN)",
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, nation VARCHAR, balance DECIMAL(8,2))",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, total DECIMAL(8,2), status VARCHAR)",
    "CREATE TABLE ship (id INTEGER PRIMARY KEY, flag VARCHAR, speed DOUBLE, cargo DECIMAL(8,2), kind VARCHAR)",
    "INSERT INTO ward VALUES ('er', 'north', 3), ('icu', 'south', 4)",
    "INSERT INTO visit SELECT i, CASE WHEN i % 2 = 0 THEN 'er' ELSE 'icu' END, i % 90, i, i, i, DATE '2024-01-05', "
    "TIMESTAMP '2024-01-05 10:00:00', 'x', i % 3 = 0 FROM range(100) AS t(i)",
    "INSERT INTO customer SELECT i, 'DE', i FROM range(50) AS t(i)",
    "INSERT INTO orders SELECT i, i % 50, i, 'open' FROM range(100) AS t(i)",
    "INSERT INTO ship SELECT i, 'EE', 1 + i % 50, i, 'cargo' FROM range(20) AS t(i)",
};

const std::string policy_text = budget_section({.epsilon = 100000, .delta = 0.01, .defaults = "epsilon_max = 1000"}) +
                                R"toml([tables."lme.insteval"]
rows = "add-remove"
[tables.ward]
public = true
primary_key = ["name"]
[tables.visit]
rows = "add-remove"
primary_key = ["id"]
[tables.visit.columns]
ward = { values = ["er", "icu"] }
age = { min = 0, max = 110 }
cost = { min = 0, max = 5000 }
x = { min = 0, max = 100 }
admitted = { min = 2024-01-01, max = 2024-12-31 }
seen = { min = 2024-01-01T00:00:00, max = 2024-12-31T00:00:00 }
emergency = { values = [true, false] }
[tables.customer]
owner = "id"
primary_key = ["id"]
[tables.customer.columns]
balance = { min = 0, max = 100 }
[tables.orders]
owner_through = { columns = ["customer"], references = "customer" }
primary_key = ["id"]
[tables.orders.columns]
status = { values = ["open", "done"] }
[tables.ship]
primary_key = ["id"]
metric = "l1(0.5 * speed, 0.01 * cargo, discrete(kind))"
public_columns = ["id", "flag"]
[tables.ship.columns]
speed = { min = 1, max = 60, step = 0.1 }
cargo = { min = 0, max = 1000 }
)toml";

constexpr Hint hints[] = {
    // Names.
    {"SELECT COUNT(*) FROM insteval", "did you mean `lme.insteval`?", "SELECT COUNT(*) FROM lme.insteval"},
    {"SELECT COUNT(*) FROM main.insteval", "did you mean `lme.insteval`?", "SELECT COUNT(*) FROM lme.insteval"},
    {"SELECT COUNT(*) FROM vist", "did you mean `visit`?", "SELECT COUNT(*) FROM visit"},
    {"SELECT SUM(aged) FROM visit", "did you mean `age`?", "SELECT SUM(age) FROM visit"},
    {"SELECT COUNT(*) FROM visit WHERE vist.age > 3", "did you mean `visit`?",
     "SELECT COUNT(*) FROM visit WHERE visit.age > 3"},
    {"SELECT summ(age) FROM visit", "did you mean `sum`?", "SELECT sum(age) FROM visit"},
    {"SELECT COUNT(*) FROM visit JOIN visit ON true", "give one of them another name",
     "SELECT COUNT(*) FROM visit AS other"},
    // Clauses.
    {"SELECT DISTINCT ward FROM visit", "SELECT column, COUNT(*) FROM table GROUP BY column",
     "SELECT ward, COUNT(*) FROM visit GROUP BY ward"},
    {"SELECT DISTINCT ward, COUNT(*) FROM visit GROUP BY ward", "leave DISTINCT out",
     "SELECT ward, COUNT(*) FROM visit GROUP BY ward"},
    {"SELECT ward FROM visit GROUP BY ward", "select COUNT, SUM or AVG",
     "SELECT ward, COUNT(*) FROM visit GROUP BY ward"},
    {"SELECT age FROM visit", "put it inside COUNT, SUM or AVG", "SELECT AVG(age) FROM visit"},
    {"SELECT ward, COUNT(*) FROM visit", "add it to GROUP BY", "SELECT ward, COUNT(*) FROM visit GROUP BY ward"},
    {"SELECT * FROM visit", "such as SELECT COUNT(*) FROM table", "SELECT COUNT(*) FROM visit"},
    {"SELECT COUNT(*) FROM (SELECT * FROM visit) AS t", "name the columns",
     "SELECT COUNT(*) FROM (SELECT age, ward FROM visit) AS t"},
    {"SELECT COUNT(*) FROM visit UNION SELECT COUNT(*) FROM visit", "one by one", "SELECT COUNT(*) FROM visit"},
    {"SELECT ward, COUNT(*) FROM visit GROUP BY ward HAVING COUNT(*) > 3", "leave it out",
     "SELECT ward, COUNT(*) FROM visit GROUP BY ward"},
    {"SELECT COUNT(*) OVER () FROM visit", "GROUP BY", "SELECT ward, COUNT(*) FROM visit GROUP BY ward"},
    {"SELECT COUNT(*) FROM visit FOR UPDATE", "leave them out", "SELECT COUNT(*) FROM visit"},
    {"SELECT COUNT(*) FROM visit NATURAL JOIN ward", "USING (column)",
     "SELECT COUNT(*) FROM visit JOIN (SELECT name AS ward, beds FROM ward) AS w USING (ward)"},
    {"SELECT COUNT(*) FROM ward RIGHT JOIN visit ON visit.ward = ward.name", "LEFT JOIN",
     "SELECT COUNT(*) FROM visit LEFT JOIN ward ON visit.ward = ward.name"},
    {"SELECT COUNT(*) FROM visit FULL JOIN ward ON visit.ward = ward.name", "INNER JOIN or LEFT JOIN",
     "SELECT COUNT(*) FROM visit INNER JOIN ward ON visit.ward = ward.name"},
    {"SELECT ward, emergency, COUNT(*) FROM visit GROUP BY ROLLUP (ward, emergency)", "a query of its own",
     "SELECT ward, COUNT(*) FROM visit GROUP BY ward"},
    {"SELECT ward, emergency, COUNT(*) FROM visit GROUP BY (ward, emergency)", "GROUP BY a, b",
     "SELECT ward, emergency, COUNT(*) FROM visit GROUP BY ward, emergency"},
    {"SELECT COUNT(*) FROM (SELECT age FROM visit LIMIT 5) AS t", "leave it out",
     "SELECT COUNT(*) FROM (SELECT age FROM visit) AS t"},
    {"SELECT COUNT(*) FROM (SELECT age FROM visit)", "AS name", "SELECT COUNT(*) FROM (SELECT age FROM visit) AS name"},
    {"SELECT COUNT(*) FROM visit; SELECT COUNT(*) FROM visit", "one statement", "SELECT COUNT(*) FROM visit"},
    {"WITH RECURSIVE t AS (SELECT age FROM visit) SELECT COUNT(*) FROM t", "WITH without recursion",
     "WITH t AS (SELECT age FROM visit) SELECT COUNT(*) FROM t"},
    {"SELECT COUNT(*) FROM visit WHERE age > (SELECT AVG(beds) FROM ward)", "subquery in FROM or in WITH",
     "SELECT COUNT(*) FROM visit JOIN (SELECT name, beds FROM ward) AS w ON visit.ward = w.name WHERE age > beds"},
    {"SELECT 1, COUNT(*) FROM visit", "aggregates only", "SELECT COUNT(*) FROM visit"},
    {"SELECT COUNT(*) FROM visit ORDER BY COUNT(*) + 1", "order by a column",
     "SELECT COUNT(*) AS n FROM visit ORDER BY n"},
    {"SELECT SUM(age) / COUNT(*) FROM visit", "the aggregate itself", "SELECT SUM(age), COUNT(*) FROM visit"},
    // Expressions.
    {"SELECT COUNT(*) FROM visit WHERE seen AT TIME ZONE 'Europe/Tallinn' > TIMESTAMP '2024-01-01 00:00:00'",
     "at + INTERVAL '2 hours'",
     "SELECT COUNT(*) FROM visit WHERE seen + INTERVAL '2 hours' > TIMESTAMP '2024-01-01 00:00:00'"},
    {"SELECT COUNT(*) FROM visit WHERE seen > CAST('2024-01-01' AS timestamptz)", "write timestamp",
     "SELECT COUNT(*) FROM visit WHERE seen > CAST('2024-01-01 00:00:00' AS timestamp)"},
    {"SELECT COUNT(*) FROM visit WHERE admitted < current_date", "DATE '2026-01-31'",
     "SELECT COUNT(*) FROM visit WHERE admitted < DATE '2026-01-31'"},
    {"SELECT COUNT(*) FROM visit WHERE seen < now()", "write the value itself",
     "SELECT COUNT(*) FROM visit WHERE seen < TIMESTAMP '2026-01-31 00:00:00'"},
    {"SELECT COUNT(*) FROM visit WHERE age > $1", "write the value itself", "SELECT COUNT(*) FROM visit WHERE age > 5"},
    {"SELECT COUNT(*) FROM visit WHERE (age, ward) = (3, 'er')", "one by one",
     "SELECT COUNT(*) FROM visit WHERE age = 3 AND ward = 'er'"},
    {"SELECT COUNT(*) FROM visit WHERE age = ANY (ARRAY[1, 2])", "IN with a list",
     "SELECT COUNT(*) FROM visit WHERE age IN (1, 2)"},
    {"SELECT COUNT(*) FROM visit WHERE note SIMILAR TO 'x%'", "LIKE",
     "SELECT COUNT(*) FROM visit WHERE note LIKE 'x%'"},
    {"SELECT COUNT(*) FROM visit WHERE age BETWEEN SYMMETRIC 9 AND 3", "smaller end first",
     "SELECT COUNT(*) FROM visit WHERE age BETWEEN 3 AND 9"},
    {"SELECT COUNT(*) FROM visit WHERE note COLLATE \"C\" = 'x'", "leave it out",
     "SELECT COUNT(*) FROM visit WHERE note = 'x'"},
    {"SELECT COUNT(*) FROM visit WHERE age", "compare it", "SELECT COUNT(*) FROM visit WHERE age > 0"},
    {"SELECT COUNT(*) FROM visit WHERE age > '3 days'::interval", "add it to a date or timestamp",
     "SELECT COUNT(*) FROM visit WHERE admitted + INTERVAL '3 days' > DATE '2024-01-01'"},
    {"SELECT COUNT(*) FROM visit WHERE seen - seen > 3", "CAST both to date",
     "SELECT COUNT(*) FROM visit WHERE CAST(seen AS date) - CAST(seen AS date) > 3"},
    {"SELECT COUNT(*) FROM visit WHERE EXTRACT(hour FROM admitted) = 3", "from a timestamp",
     "SELECT COUNT(*) FROM visit WHERE EXTRACT(hour FROM seen) = 3"},
    {"SELECT COUNT(*) FROM visit WHERE CAST(age AS numeric) > 3", "numeric(12, 2)",
     "SELECT COUNT(*) FROM visit WHERE CAST(age AS numeric(12, 2)) > 3"},
    {"SELECT COUNT(*) FROM visit WHERE round(x, 2) > 3", "CAST it to decimal",
     "SELECT COUNT(*) FROM visit WHERE round(CAST(x AS decimal(12, 4)), 2) > 3"},
    {"SELECT COUNT(*) FROM visit WHERE x % 2 = 0", "CAST the doubles to decimal",
     "SELECT COUNT(*) FROM visit WHERE CAST(x AS decimal(12, 2)) % 2 = 0"},
    {"SELECT COUNT(*) FROM visit WHERE note LIKE ward", "write the pattern as '...'",
     "SELECT COUNT(*) FROM visit WHERE note LIKE 'x%'"},
    {"SELECT COUNT(*) FROM visit WHERE age = note", "CAST one side",
     "SELECT COUNT(*) FROM visit WHERE CAST(age AS text) = note"},
    {"SELECT COUNT(*) FROM visit WHERE age IN (SELECT beds FROM ward) OR age = 3", "condition of its own",
     "SELECT COUNT(*) FROM orders WHERE customer IN (SELECT id FROM customer)"},
    // The rows model.
    {"SELECT age, COUNT(*) FROM (SELECT free AS age FROM visit) AS t GROUP BY age", "key IN (...)",
     "SELECT age, COUNT(*) FROM (SELECT free AS age FROM visit) AS t WHERE age IN (1, 2) GROUP BY age"},
    {"SELECT note, COUNT(*) FROM visit GROUP BY note", "or use CASE",
     "SELECT CASE WHEN note = 'x' THEN 'x' ELSE 'other' END AS k, COUNT(*) FROM visit GROUP BY k"},
    {"SELECT note, COUNT(*) FROM visit GROUP BY note", "a joined public table",
     "SELECT building, COUNT(*) FROM visit JOIN ward ON visit.ward = ward.name GROUP BY building"},
    {"SELECT SUM(free) FROM visit", "ANON_SUM(x, low, high)", "SELECT ANON_SUM(free, 0, 100) FROM visit"},
    {"SELECT AVG(free) FROM visit", "ANON_AVG(x, low, high)", "SELECT ANON_AVG(free, 0, 100) FROM visit"},
    {"SELECT MAX(age) FROM visit", "COUNT, SUM and AVG", "SELECT AVG(age) FROM visit"},
    {"SELECT STDDEV(age) FROM visit", "COUNT, SUM and AVG", "SELECT AVG(age) FROM visit"},
    {"SELECT SUM(DISTINCT age) FROM visit", "COUNT(DISTINCT x)", "SELECT COUNT(DISTINCT age) FROM visit"},
    {"SELECT COUNT(*) FROM visit AS a JOIN visit AS b ON a.id = b.id", "one private table",
     "SELECT COUNT(*) FROM visit AS a JOIN ward AS b ON a.ward = b.name"},
    {"SELECT COUNT(*) FROM visit JOIN ward ON visit.age = ward.beds", "all columns of its primary_key",
     "SELECT COUNT(*) FROM visit JOIN ward ON visit.ward = ward.name"},
    {"SELECT COUNT(*) FROM ward LEFT JOIN visit ON visit.ward = ward.name", "start from the private table",
     "SELECT COUNT(*) FROM visit LEFT JOIN ward ON visit.ward = ward.name"},
    {"SELECT upper(building) AS b, COUNT(*) FROM visit LEFT JOIN ward ON visit.ward = ward.name GROUP BY b",
     "use an inner JOIN",
     "SELECT upper(building) AS b, COUNT(*) FROM visit JOIN ward ON visit.ward = ward.name GROUP BY b"},
    {"SELECT COUNT(*) FROM visit WHERE EXISTS (SELECT 1 FROM ward WHERE name = ward)", "join instead",
     "SELECT COUNT(*) FROM visit JOIN ward ON name = ward"},
    {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 2) COUNT(*) FROM visit", "leave it out",
     "SELECT COUNT(*) FROM visit"},
    {"SELECT COUNT(*) FROM visit JOIN customer ON visit.age = customer.id", "one query per model",
     "SELECT COUNT(*) FROM customer"},
    {"SELECT COUNT(*) FROM ward", "query a private table", "SELECT COUNT(*) FROM visit"},
    {"SELECT COUNT(*) FROM visit WHERE free * free * free > 3", "", "SELECT COUNT(*) FROM visit WHERE age * age > 3"},
    // The users model.
    {"SELECT nation, COUNT(*) FROM customer GROUP BY nation", "list the keys",
     "SELECT nation, COUNT(*) FROM customer WHERE nation IN ('DE', 'EE') GROUP BY nation"},
    {"SELECT nation, COUNT(*) FROM customer GROUP BY nation", "--delta 1e-9",
     "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(delta = 0.000000001) nation, COUNT(*) FROM customer GROUP BY nation"},
    {"SELECT id, COUNT(*) FROM customer GROUP BY id", "many people share",
     "SELECT status, COUNT(*) FROM orders GROUP BY status"},
    {"SELECT COUNT(DISTINCT total) FROM orders", "contribution_bounds_per_group => (0, 5)",
     "SELECT COUNT(DISTINCT total, contribution_bounds_per_group => (0, 5)) FROM orders"},
    {"SELECT COUNT(*) FROM orders AS a JOIN orders AS b ON a.status = b.status", "owner",
     "SELECT COUNT(*) FROM orders AS a JOIN orders AS b ON a.customer = b.customer"},
    {"SELECT COUNT(*) FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS t", "group by the owner too",
     "SELECT COUNT(*) FROM (SELECT customer, status, COUNT(*) AS n FROM orders GROUP BY customer, status) AS t"},
    {"SELECT MEDIAN(total) FROM orders", "contribution_bounds_per_group => (0, 100)",
     "SELECT MEDIAN(total, contribution_bounds_per_group => (0, 100)) FROM orders"},
    // The metric model.
    {"SELECT COUNT(DISTINCT flag) FROM ship", "count rows", "SELECT COUNT(*) FROM ship"},
    {"SELECT kind, COUNT(*) FROM ship GROUP BY kind", "group by public columns",
     "SELECT flag, COUNT(*) FROM ship GROUP BY flag"},
    {"SELECT kind, COUNT(*) FROM ship GROUP BY kind", "a condition per group",
     "SELECT COUNT(*) FROM ship WHERE kind = 'cargo'"},
    {"SELECT MAX(speed) FROM ship WHERE speed > 3", "leave the private condition out", "SELECT MAX(speed) FROM ship"},
    {"SELECT SUM(floor(speed)) FROM ship", "use + - * /", "SELECT SUM(speed * 2) FROM ship"},
    {"SELECT SUM(1 / (speed - 2)) FROM ship", "GREATEST(x, 1)", "SELECT SUM(1 / GREATEST(speed - 2, 1)) FROM ship"},
    {"SELECT COUNT(speed + ln(speed - 1)) FROM ship", "", "SELECT COUNT(*) FILTER (WHERE speed > 2) FROM ship"},
};

class Hints : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    database_ = std::make_unique<TestDatabase>(EngineKind::duckdb);
    database_->run({std::begin(setup), std::end(setup)});
    auto opened = open_policy(database_->write_policy(policy_text));
    ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
    opened_ = std::make_unique<Connection>(std::move(*opened));
  }
  static void TearDownTestSuite() {
    opened_.reset();
    database_.reset();
  }

  static inline std::unique_ptr<TestDatabase> database_;
  static inline std::unique_ptr<Connection> opened_;
};

TEST_F(Hints, LeadToAQuestionThatIsAnswered) {
  for (const Hint& hint : hints) {
    SCOPED_TRACE(hint.refused);
    const auto refused = answer_query(*opened_, {hint.refused, {}, Epsilon(1.0), {}});
    if (refused.has_value()) {
      ADD_FAILURE() << "it is answered";
      continue;
    }
    EXPECT_EQ(refused.error().code, FailureCode::refused) << to_line(refused.error());
    const std::string said = refused.error().what + " ; " + refused.error().hint;
    EXPECT_NE(said.find(hint.hint), std::string::npos) << said;
    EXPECT_FALSE(refused.error().hint.empty());
    const auto followed = answer_query(*opened_, {hint.followed, {}, Epsilon(1.0), {}});
    EXPECT_TRUE(followed.has_value()) << hint.followed << '\n' << (followed ? "" : to_line(followed.error()));
  }
}

}  // namespace
}  // namespace tacit
