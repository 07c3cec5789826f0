// Declared bounds and constants of every size, in all models, on both engines: a question is refused before it is
// charged or it is answered. No number reaches a statement that the engine cannot read.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "answer_query.hpp"
#include "support/environment.hpp"
#include "support/policy_head.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

struct Type {
  const char* name;
  const char* most;                // stored in one row, and its negative in another
  std::vector<const char*> sizes;  // of bounds that it can have
};
const std::vector<Type> types = {
    {"DOUBLE PRECISION",
     "'1.7976931348623157e308'",
     {"1e-300", "1e-30", "0.1", "1", "1e9", "1e17", "1e18", "1e19", "1e30", "1e38", "1e39", "1e99", "1e101", "1e150",
      "1e200", "1e307", "1.7976931348623157e308", "0.1234567890123456789012345678901234567"}},
    {"DECIMAL(38,0)",
     "'99999999999999999999999999999999999999'",
     {"1", "1e9", "1e17", "1e18", "1e19", "\"100000000000000000000000000000\"", "999999999999999999",
      "\"99999999999999999999999999999999999999\""}},
    {"DECIMAL(38,19)",
     "'9999999999999999999.9999999999999999999'",
     {"1", "1e-9", "\"0.0000000000000000001\"", "1e9", "1e17", "1e18", "\"9999999999999999999.9999999999999999999\""}},
    {"DECIMAL(18,2)", "9999999999999999.99", {"0.01", "1", "1e9", "1e15", "9999999999999999"}},
    {"BIGINT", "9223372036854775807", {"1", "1e9", "1e17", "1e18", "999999999999999999", "9223372036854775807"}},
    {"INTEGER", "2147483647", {"1", "1e9", "2147483647"}},
};
// A policy with one of these is refused where the type has no such number.
constexpr const char* any_size[] = {"0",     "1e-400",    "1e20",
                                    "1e400", "\"1e400\"", "12345678901234567890.123456789012345678"};

class ExtremeBounds : public ::testing::TestWithParam<EngineKind> {
 protected:
  template <std::size_t n>
  const char* any(const char* const (&choices)[n]) {
    return choices[random_() % n];
  }

  const char* any(const std::vector<const char*>& choices) { return choices[random_() % choices.size()]; }

  std::string bound(const Type& type) { return random_() % 25 == 0 ? any(any_size) : any(type.sizes); }

  std::string bounds(const Type& type) {
    const std::string high = bound(type);
    const std::string low = random_() % 2 == 0 ? high : bound(type);
    const std::string least = random_() % 4 == 0 || low == "0" ? "0"
                              : low.front() == '"'             ? "\"-" + low.substr(1)
                                                               : "-" + low;
    if (random_() % 10 == 0) return fmt::format("{{ max = {} }}", high);
    if (random_() % 12 == 0) return fmt::format("{{ min = {} }}", least);
    const char* const steps[] = {"1", "1e9", "1e17", "1e18"};
    const bool has_step = &type != &types[0] && random_() % 3 == 0;
    return fmt::format("{{ min = {}, max = {}{}{} }}", least, high, has_step ? ", step = " : "",
                       has_step ? any(steps) : "");
  }

  std::string policy() {
    const char* const models[] = {
        "rows = \"add-remove\"\n",
        "rows = \"replace\"\n",
        "owner = \"u\"\n",
        "metric = \"l1(x, y, r)\"\npublic_columns = [\"id\", \"u\"]\n",
        "metric = \"l1(x, y, r)\"\npublic_columns = [\"id\", \"u\"]\n",
        "metric = \"linf(x, l1(y, discrete(r)))\"\npublic_columns = [\"id\", \"u\"]\nrows_combine = \"l2\"\n",
        "metric = \"1e20 * lp(1.5; x, y, r)\"\npublic_columns = [\"id\", \"u\"]\nrows_combine = \"linf\"\n",
        "metric = \"l1(x, r)\"\npublic_columns = [\"id\", \"u\", \"y\"]\n",
        "metric = \"l1(1e-20 * x, y, 1e-9 * r)\"\npublic_columns = [\"id\", \"u\"]\n",
        "metric = \"l2(x, 1e-30 * y, 1e15 * r)\"\npublic_columns = [\"id\", \"u\"]\n"};
    const char* const precisions[] = {"1", "5", "1e-20", "1e20"};
    const std::string model = any(models);
    std::string of_r = bounds(types[0]);
    if (model.starts_with("metric") && random_() % 4 != 0)
      of_r.insert(1, fmt::format(" precision = {},", any(precisions)));
    return budget_section({.epsilon = 1e6, .delta = 1e-3}) +
           fmt::format("[tables.t]\nprimary_key = [\"id\"]\n{}[tables.t.columns]\nx = {}\ny = {}\nr = {}\n", model,
                       bounds(*x_), bounds(*y_), of_r) +
           fmt::format("[tables.s]\nprimary_key = [\"id\"]\n{}[tables.s.columns]\nz = {}\n",
                       model.starts_with("metric") ? "metric = \"z\"\npublic_columns = [\"id\", \"t\", \"w\"]\n"
                                                   : "public = true\n",
                       bounds(*z_));
  }

  std::string number() {
    return fmt::format("{}{}", random_() % 4 == 0 ? "-" : "", random_() % 9 == 0 ? "1e25" : any(plain));
  }

  std::string query() {
    const bool joins = random_() % 3 == 0;
    const std::vector<const char*> columns =
        joins ? std::vector<const char*>{"x", "y", "r", "z", "z", "w"} : std::vector<const char*>{"x", "y", "r"};
    const std::string a = any(columns);
    const std::string b = any(columns);
    const std::string value = [&] {
      switch (random_() % 16) {
        case 0: return a + " * " + b;
        case 1: return a + " + " + b;
        case 2: return fmt::format("{} * {}", a, number());
        case 3: return fmt::format("{} / {}", a, number());
        case 4: return "ABS(" + a + ")";
        case 5: return fmt::format("CASE WHEN {} > {} THEN {} ELSE {} END", a, number(), a, b);
        case 6: return fmt::format("SQRT(ABS({}))", a);
        case 7: return fmt::format("EXP({})", a);
        case 8: return fmt::format("LN(ABS({}) + 1)", a);
        case 9: return fmt::format("POWER({}, 2)", a);
        case 10: return fmt::format("{} / (ABS({}) + 1)", a, b);
        case 11: return fmt::format("CAST({} AS DOUBLE PRECISION) * {}", a, b);
        case 12: return fmt::format("GREATEST({}, {})", a, b);
        case 13: return fmt::format("{} * ({} - {})", a, b, number());
        default: return a;
      }
    }();
    const char* const aggregates[] = {"SUM({})", "AVG({})", "COUNT({})", "MIN({})", "MAX({})", "SUM(({}) * 2)"};
    std::string sql = fmt::format("SELECT {} FROM t{}", fmt::format(fmt::runtime(any(aggregates)), value),
                                  !joins               ? ""
                                  : random_() % 2 == 0 ? " JOIN s ON s.t = t.id"
                                                       : " JOIN s ON s.id = t.u");
    const char* const compares[] = {">", "<=", "="};
    if (random_() % 2 == 0) {
      const bool is_soft = random_() % 2 == 0;
      sql +=
          fmt::format(" WHERE {} {} {}", is_soft ? "r" : any(columns), any(compares), is_soft ? any(near) : number());
    }
    if (random_() % 6 == 0) sql += fmt::format("{} {} < {}", sql.find("WHERE") == sql.npos ? " WHERE" : " AND", a, b);
    if (random_() % 8 == 0)
      sql += fmt::format("{} {} BETWEEN 1 AND {}", sql.find("WHERE") == sql.npos ? " WHERE" : " AND", b, number());
    if (random_() % 6 == 0) {
      const char* const inner[] = {"SUM", "AVG", "MIN", "MAX"};
      sql = fmt::format("SELECT {}(v) FROM (SELECT u, {}({}) AS v FROM t GROUP BY u) AS q", any(inner), any(inner),
                        value);
      if (random_() % 3 == 0) sql += " WHERE v > " + number();
    }
    return sql;
  }

  void make_table(const TestDatabase& database) {
    x_ = &types[random_() % types.size()];
    y_ = &types[random_() % types.size()];
    z_ = &types[random_() % types.size()];
    const auto row = [&](int id, int user, const char* sign) {
      std::string values;
      for (const Type* type : {x_, y_, &types[0]}) {
        const std::string most = type->most;
        const bool is_text = most.front() == '\'';
        values += fmt::format(", CAST({} AS {})", is_text ? fmt::format("'{}{}", sign, most.substr(1)) : sign + most,
                              type->name);
      }
      return fmt::format("({}, {}{})", id, user, values);
    };
    database.run(
        {"DROP TABLE IF EXISTS t",
         fmt::format("CREATE TABLE t (id INTEGER PRIMARY KEY, u INTEGER, x {}, y {}, r {})", x_->name, y_->name,
                     types[0].name),
         fmt::format("INSERT INTO t VALUES (1, 1, 0, 0, 0), {}, {}, (4, 3, NULL, NULL, NULL), (5, 3, 1, 1, 1e-300)",
                     row(2, 1, ""), row(3, 2, "-")),
         "DROP TABLE IF EXISTS s",
         fmt::format("CREATE TABLE s (id INTEGER PRIMARY KEY, t INTEGER, w DECIMAL(12,2), z {})", z_->name),
         fmt::format(
             "INSERT INTO s VALUES (1, 1, 9999999999.99, 1), (2, 1, 0, NULL), (3, 2, 1, CAST({} AS {})), (4, 2, "
             "NULL, 0)",
             z_->most, z_->name)});
  }

  const Type* x_ = nullptr;
  const Type* y_ = nullptr;
  const Type* z_ = nullptr;
  static constexpr const char* near[] = {"0", "0.5", "3", "-1"};
  static constexpr const char* plain[] = {"0",
                                          "1",
                                          "0.5",
                                          "3",
                                          "1e9",
                                          "1e17",
                                          "1e18",
                                          "999999999999999999",
                                          "1e30",
                                          "1e-30",
                                          "1e200",
                                          "1e308",
                                          "1e-308",
                                          "123456789012345678901234567890",
                                          "0.00000000000000000001"};
  std::mt19937_64 random_{number_from_environment("TACIT_EXTREMES_SEED", 9)};
};

TEST_P(ExtremeBounds, AreRefusedOrAnswered) {
  const TestDatabase database(GetParam());
  const int policies = count_from_environment("TACIT_EXTREMES_COUNT", 120);
  int opened_policies = 0;
  int answered = 0;
  for (int i = 0; i < policies; ++i) {
    if (i % 6 == 0) make_table(database);
    const std::string text = policy();
    for (const char* file : {"policy.ledger", "policy.ledger-wal", "policy.ledger-shm"})
      std::filesystem::remove(database.folder() / file);
    auto opened = open_policy(database.write_policy(text));
    if (!opened) {
      EXPECT_EQ(opened.error().code, FailureCode::usage) << to_line(opened.error()) << "\n" << text;
      continue;
    }
    ++opened_policies;
    for (int j = 0; j < 12; ++j) {
      const std::string sql = query();
      SCOPED_TRACE(sql + "\n" + text);
      const auto told = answer_query(*opened, {sql, {}, Epsilon(0.5), {}});
      answered += told.has_value() ? 1 : 0;
      const bool is_refused =
          !told && (told.error().code == FailureCode::refused || told.error().code == FailureCode::usage);
      EXPECT_TRUE(told.has_value() || is_refused) << to_line(told.error());
      if (told || is_refused) continue;
      const auto explained = explain_query(*opened, {sql, {}, Epsilon(0.5), {}}, false);
      if (explained) ADD_FAILURE() << explained->sql_engine;
    }
  }
  EXPECT_GT(opened_policies, policies / 2);
  EXPECT_GT(answered, opened_policies * 2);
  RecordProperty("answered", answered);
}

INSTANTIATE_TEST_SUITE_P(Engines, ExtremeBounds, ::testing::ValuesIn(every_engine),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace tacit::testing
