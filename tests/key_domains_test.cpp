// Rows whose key lies outside what the policy declares are in no group: random tables, bounds and keys, in the rows and
// the users model on both engines, against counts made here. Nothing may be moved to a neighbouring group, nothing
// inside may be lost, and what is outside takes none of a person's places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <random>

#include "answer_query.hpp"
#include "support/environment.hpp"
#include "support/policy_head.hpp"
#include "support/test_database.hpp"

namespace tacit {
namespace {

using tacit::testing::EngineKind;
using tacit::testing::every_engine;
using tacit::testing::TestDatabase;

struct Row {
  int person = 0;
  std::optional<int> a;      // declared min to max
  std::optional<int> month;  // 0 to 24: months since January 2024; declared: the first twelve
  std::optional<int> kind;   // 0 to 4; declared 0 to 2
  std::optional<bool> flag;  // declared nowhere
};

struct Bounds {
  int lo = 0;
  int hi = 0;
  bool holds(std::optional<int> value) const { return !value || (*value >= lo && *value <= hi); }
};

// A key as SQL and as it is: nothing where the row is in no group; "NULL" for a NULL, which no list has.
struct Key {
  const char* sql;
  std::optional<std::string> (*of)(const Row& row, const Bounds& a);
};

using Text = std::optional<std::string>;

Text number(std::optional<int> value) { return value ? Text(fmt::to_string(*value)) : std::nullopt; }

const Key keys[] = {
    {"a", [](const Row& row, const Bounds& a) { return a.holds(row.a) ? number(row.a) : Text(); }},
    {"a + 1", [](const Row& row, const Bounds& a) { return a.holds(row.a) && row.a ? number(*row.a + 1) : Text(); }},
    {"a - a", [](const Row& row, const Bounds& a) { return a.holds(row.a) && row.a ? number(0) : Text(); }},
    {"COALESCE(a, -99)",
     [](const Row& row, const Bounds& a) { return a.holds(row.a) ? number(row.a.value_or(-99)) : Text(); }},
    {"CASE WHEN flag THEN a ELSE -98 END",
     [](const Row& row, const Bounds& a) {
       if (!row.flag.value_or(false)) return number(-98);
       return a.holds(row.a) ? number(row.a) : Text();
     }},
    {"EXTRACT(month FROM day)",
     [](const Row& row, const Bounds&) { return row.month && *row.month < 12 ? number(*row.month + 1) : Text(); }},
    {"kind", [](const Row& row, const Bounds&) { return row.kind && *row.kind <= 2 ? number(row.kind) : Text(); }},
    {"a < 3", [](const Row& row, const Bounds&) { return row.a ? Text(*row.a < 3 ? "true" : "false") : std::nullopt; }},
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : words_(seed) {}
  int below(int n) { return static_cast<int>(words_() % static_cast<std::uint64_t>(n)); }
  std::optional<int> maybe(int value) { return below(8) == 0 ? std::nullopt : std::optional(value); }
  Row row(int person) {
    return {person, maybe(below(16) - 4), maybe(below(25)), maybe(below(5)),
            below(5) == 0 ? std::nullopt : std::optional(below(2) == 0)};
  }

 private:
  std::mt19937_64 words_;
};

std::string sql_of(std::optional<int> value) { return value ? fmt::to_string(*value) : "NULL"; }

std::string insert_of(const std::vector<Row>& rows) {
  std::string sql = "INSERT INTO fact VALUES ";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::string day = row.month ? fmt::format("DATE '{}-{:02}-28'", 2024 + *row.month / 12, *row.month % 12 + 1)
                                      : std::string("NULL");
    sql += fmt::format("{}({}, {}, {}, {}, {})", i == 0 ? "" : ", ", row.person, sql_of(row.a), day, sql_of(row.kind),
                       row.flag ? (*row.flag ? "TRUE" : "FALSE") : "NULL");
  }
  return sql;
}

class KeyDomains : public ::testing::TestWithParam<EngineKind> {};

std::string policy_of(const Bounds& a, bool users) {
  return testing::budget_section({.epsilon = 100000, .defaults = "epsilon_max = 1000"}) +
         fmt::format(R"([tables.fact]
{}
[tables.fact.columns]
a = {{ min = {}, max = {} }}
day = {{ min = 2024-01-01, max = 2024-12-31 }}
kind = {{ values = [0, 1, 2] }}
)",
                     users ? "owner = \"person\"" : "rows = \"add-remove\"", a.lo, a.hi);
}

std::map<std::string, std::string> counts_of(const NoisyRows& rows) {
  std::map<std::string, std::string> counts;
  for (const auto& row : rows.rows) {
    std::string key;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) key += to_string(row[i].value) + "|";
    const std::string count = to_string(row.back().value);
    if (count != "0") counts[key] = count;
  }
  return counts;
}

TEST_P(KeyDomains, CountWhatIsInsideAndNothingElse) {
  const std::uint64_t seed = testing::number_from_environment("TACIT_KEY_DOMAINS_SEED", 13);
  SCOPED_TRACE(fmt::format("TACIT_KEY_DOMAINS_SEED={}", seed));
  Random random(seed);
  for (int world = 0; world < 3; ++world) {
    const Bounds a{random.below(4) - 2, 3 + random.below(5)};
    std::vector<Row> rows;
    for (int i = 0; i < 60; ++i) rows.push_back(random.row(i));
    // The second and third rows of a person are outside every declared domain but that of `a < 3`.
    for (int i = 0; i < 40; ++i) rows.push_back({i % 60, a.hi + 1 + i % 7, 12 + i % 12, 3, true});
    const TestDatabase database(GetParam());
    database.run(
        {"CREATE TABLE fact (person INTEGER, a INTEGER, day DATE, kind INTEGER, flag BOOLEAN)", insert_of(rows)});
    for (const bool users : {false, true}) {
      auto opened = open_policy(database.write_policy(policy_of(a, users)));
      ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
      for (const Key& first : keys) {
        const Key& second = keys[static_cast<std::size_t>(random.below(static_cast<int>(std::size(keys))))];
        // `a < 3` and the CASE have groups for the rows outside too: then a person has several.
        const bool everywhere = std::string_view(first.sql).find_first_of("<C") != std::string_view::npos;
        if (users && everywhere) continue;
        const bool pairs = &second != &first && random.below(2) == 0;
        std::map<std::string, int> expected;
        for (const Row& row : rows) {
          const auto one = first.of(row, a);
          const auto two = pairs ? second.of(row, a) : Text("");
          if (one && two) ++expected[*one + "|" + (pairs ? *two + "|" : "")];
        }
        const std::string list = pairs ? fmt::format("{}, {}", first.sql, second.sql) : first.sql;
        const bool nested = random.below(2) == 0;
        const std::string from = nested ? fmt::format("(SELECT person, {} AS k1{} FROM fact) AS t", first.sql,
                                                      pairs ? fmt::format(", {} AS k2", second.sql) : "")
                                        : "fact";
        const std::string names = nested ? (pairs ? "k1, k2" : "k1") : list;
        const std::string sql =
            fmt::format("SELECT {0}{1}, {2} FROM {3} GROUP BY {1}",
                        users ? "WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 1) " : "", names,
                        users ? "COUNT(DISTINCT person)" : "COUNT(*)", from);
        SCOPED_TRACE(sql);
        const auto explained = explain_query(*opened, {sql, {}, Epsilon(1.0), {}}, true);
        ASSERT_TRUE(explained.has_value()) << to_line(explained.error());
        std::map<std::string, std::string> wanted;
        for (const auto& [key, count] : expected) wanted[key] = fmt::to_string(count);
        EXPECT_EQ(counts_of(explained->analyze->exact), wanted) << explained->sql_engine;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, KeyDomains, ::testing::ValuesIn(every_engine),
                         [](const auto& info) { return testing::name_of(info.param); });

}  // namespace
}  // namespace tacit
