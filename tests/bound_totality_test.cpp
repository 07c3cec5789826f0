// The bound of a metric question is as total as its value: whatever the columns hold, and however deep the expression
// is nested, a question is refused from its text or answered; no stored value makes a statement fail.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <random>

#include "answer_query.hpp"
#include "support/environment.hpp"
#include "support/policy_head.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

// Private x y p d f b h; public id k q r m. Each row has one column at an end of its type, the others at theirs or
// neutral.
std::vector<std::string> extreme_rows(const std::string& widest, const std::string& most) {
  const std::vector<std::vector<std::string>> ends = {
      {"0", "1", "-1", "2147483647", "-2147483648", "25429505", "NULL"},
      {"0", "1", "9223372036854775807", "-9223372036854775808", "NULL"},
      {"0", "0.01", "9999999999999.99", "-9999999999999.99", "NULL"},
      {"DATE '2020-09-16'", "DATE '0001-01-01'", "DATE '9999-12-31'", "DATE '1970-01-01'", "NULL"},
      {"0", "1e-300", "5e-324", "-1e300", "1e300", "99.5", "CAST('NaN' AS DOUBLE PRECISION)",
       "CAST('Infinity' AS DOUBLE PRECISION)", "NULL"},
      {"0", "1", "9223372036854775807", "-9223372036854775808", "NULL"},
      {"0", "1", "2147483647", "-2147483648", "NULL"},
      {"0", "1", "1e-300", "5e-324", "1e100", "-1e300", "CAST('NaN' AS DOUBLE PRECISION)", "NULL"},
      {"0", "0.0001", "99999999999999.9999", "-99999999999999.9999", "NULL"},
      {"0", "1", "2", "-5", "NULL"},
      {"0", "1", "-1", widest, most, "NULL"},
  };
  std::vector<std::string> rows;
  const auto add = [&](const std::vector<std::size_t>& picks) {
    std::vector<std::string> cells{std::to_string(rows.size() + 1)};
    for (std::size_t c = 0; c < ends.size(); ++c) cells.push_back(ends[c][picks[c] % ends[c].size()]);
    rows.push_back(fmt::format("({})", fmt::join(cells, ", ")));
  };
  for (std::size_t c = 0; c < ends.size(); ++c) {
    for (std::size_t v = 0; v < ends[c].size(); ++v) {
      for (const std::size_t others : {1U, 2U, 3U}) {
        std::vector<std::size_t> picks(ends.size(), others);
        picks[c] = v;
        add(picks);
      }
    }
  }
  return rows;
}

const std::string budget = budget_section({.epsilon = 1e12, .defaults = "epsilon_min = 1e-6\nepsilon_max = 1e6"});

struct Distance {
  const char* name;
  const char* of_row;
  const char* rows;
};
constexpr Distance distances[] = {
    {"l1", "l1(x, y, p, d, f, b, h)", "l1"},          {"l2", "l2(0.001 * x, 1000 * y, l1(p, d, b), f, h)", "l1"},
    {"lp", "lp(3; x, y, linf(p, d, f, b, h))", "l1"}, {"far", "l1(1e-6 * x, 1e6 * y, p, d, 1e-9 * f, b, h)", "linf"},
    {"l3rows", "l1(x, y, p, d, f, b, h)", "lp(3)"},
};

class BoundTotality : public ::testing::TestWithParam<EngineKind> {
 protected:
  void SetUp() override {
    const bool duckdb = GetParam() == EngineKind::duckdb;
    const std::string wide = duckdb ? "HUGEINT" : "NUMERIC(38,0)";
    const std::string most = std::string(38, '9');
    const auto rows = duckdb ? extreme_rows("CAST('-170141183460469231731687303715884105728' AS HUGEINT)",
                                            "CAST('170141183460469231731687303715884105727' AS HUGEINT)")
                             : extreme_rows("-" + most, most);
    std::vector<std::string> statements;
    std::string policy = budget;
    for (const auto& distance : distances) {
      statements.push_back(
          fmt::format("CREATE TABLE t_{} (id INTEGER PRIMARY KEY, x INTEGER, y BIGINT, p DECIMAL(15,2), d DATE, f "
                      "DOUBLE PRECISION, k BIGINT, q INTEGER, r DOUBLE PRECISION, m DECIMAL(18,4), b SMALLINT, h {})",
                      distance.name, wide));
      statements.push_back(fmt::format("INSERT INTO t_{} VALUES {}", distance.name, fmt::join(rows, ", ")));
      policy += fmt::format(
          "[tables.t_{}]\nprimary_key = [\"id\"]\nmetric = \"{}\"\nrows_combine = \"{}\"\n"
          "public_columns = [\"id\", \"k\", \"q\", \"r\", \"m\"]\n"
          "columns.f = {{ min = -100, max = 100, precision = 2 }}\ncolumns.b = {{ min = -2, max = 2 }}\n",
          distance.name, distance.of_row, distance.rows);
    }
    database_ = std::make_unique<TestDatabase>(GetParam());
    database_->run(statements);
    auto opened = open_policy(database_->write_policy(policy));
    ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
    opened_.emplace(std::move(*opened));
  }

  // Whether the question is answered; anything but an answer or a refusal fails the test.
  bool is_answered(const std::string& sql, double epsilon) {
    const auto told = answer_query(*opened_, {sql, {}, Epsilon(epsilon), {}});
    if (told) return true;
    EXPECT_EQ(told.error().code, FailureCode::refused) << to_line(told.error()) << "\n" << sql;
    if (told.error().code != FailureCode::refused) {
      EXPECT_TRUE(opened_->database->ledger().grant("ana", Epsilon(0.0), Delta(0.0), "test").has_value());
    }
    return false;
  }

  std::unique_ptr<TestDatabase> database_;
  std::optional<Connection> opened_;
};

INSTANTIATE_TEST_SUITE_P(Engines, BoundTotality, ::testing::ValuesIn(every_engine),
                         [](const auto& test) { return name_of(test.param); });

std::string nested(int depth, const std::string& start, const std::function<std::string(const std::string&)>& around) {
  std::string text = start;
  for (int i = 0; i < depth; ++i) text = around(text);
  return text;
}

std::string repeated(int count, const std::string& factor) {
  return fmt::format("{}", fmt::join(std::vector<std::string>(static_cast<std::size_t>(count), factor), " * "));
}

constexpr int depths[] = {1, 2, 3, 4, 6, 8, 10, 20, 40, 80};

// What the attack asked: every level multiplies the slope.
TEST_P(BoundTotality, NestedChoicesOverflowNoBound) {
  int answered = 0;
  for (const int depth : depths) {
    for (const char* condition : {"k * q * ({}) > 0", "q * ({}) < 7", "1000000 * ({}) >= 5", "x * ({}) = 3"}) {
      const std::string value = nested(depth, "x", [&](const std::string& inner) {
        return fmt::format("CASE WHEN {} THEN x ELSE 0 - x END", fmt::format(fmt::runtime(condition), inner));
      });
      for (const double epsilon : {0.001, 1.0}) {
        answered += is_answered(fmt::format("SELECT SUM({}) FROM t_l1", value), epsilon) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(answered, 8) << "the test sees bounds at work";
}

// The other end: factors that are 0 beside factors that decay. Rows must stand alone for that, by a key, a group or a
// norm that looks at every row.
TEST_P(BoundTotality, ProductsWithZerosUnderflowNoBound) {
  int answered = 0;
  for (const int depth : {2, 5, 8, 12, 40}) {
    for (const char* pair : {"a.b * CASE WHEN a.id % 2 = 0 THEN 0 ELSE 1 END", "least(a.b, 1) * a.q",
                             "CASE WHEN a.d < DATE '2020-09-15' THEN a.b ELSE 0 END * a.m"}) {
      for (const char* from : {"t_l1 a", "t_l3rows a", "t_far a", "t_l1 a JOIN t_l1 c ON a.q = c.q"}) {
        for (const char* where :
             {"", " WHERE a.d = DATE '2020-09-15'", " WHERE a.d > DATE '2020-09-15' AND a.y < 100"}) {
          const std::string sql = fmt::format("SELECT SUM({}) FROM {}{}", repeated(depth, pair), from, where);
          answered += is_answered(sql, depth % 2 == 0 ? 0.01 : 1000.0) ? 1 : 0;
          if (*where != 0) answered += is_answered(sql + " GROUP BY a.id", 1.0) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GE(answered, 60) << "the test sees bounds at work";
}

// Random expressions over every type, in every norm.
class Expressions {
 public:
  explicit Expressions(unsigned seed) : random_(seed) {}

  std::string query() {
    const auto& distance = distances[below(std::size(distances))];
    const int depth = static_cast<int>(1 + below(7));
    const bool joined = below(4) == 0;
    alias_ = "a";
    std::string value = number(depth);
    if (joined) {
      alias_ = "b";
      value = fmt::format("({}) * ({})", value, number(depth / 2));
      alias_ = "a";
    }
    const std::string key = below(6) == 0 ? pick({"a.id", "a.q", "a.k"}) : "";
    std::string sql = "SELECT ";
    switch (below(8)) {
      case 0: sql += "COUNT(*)"; break;
      case 1: sql += fmt::format("{}({})", pick({"MIN", "MAX"}), value); break;
      case 2: sql += fmt::format("AVG({})", value); break;
      case 3: sql += fmt::format("SUM({}) FILTER (WHERE {}), COUNT(*)", value, condition(1)); break;
      default: sql += fmt::format("SUM({})", value);
    }
    sql += fmt::format(" FROM t_{} a", distance.name);
    if (joined)
      sql += fmt::format(" {} t_{} b ON a.{} = b.{}", pick({"JOIN", "LEFT JOIN"}), distance.name, pick({"id", "q"}),
                         pick({"id", "k"}));
    const std::size_t conditions = below(4);
    for (std::size_t i = 0; i < conditions; ++i)
      sql += (i == 0 ? " WHERE " : " AND ") + condition(static_cast<int>(below(3)));
    return key.empty() ? sql : fmt::format("{} GROUP BY {}", sql, key);
  }
  double epsilon() { return std::vector{1e-4, 0.1, 1.0, 5000.0}[below(4)]; }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::string pick(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }
  std::string column(const std::vector<std::string>& names) { return alias_ + "." + pick(names); }

  std::string condition(int depth) {
    switch (below(5)) {
      case 0:
        return fmt::format("{} {} DATE '{}'", column({"d"}), pick({"<", ">=", "="}),
                           pick({"2020-09-15", "1600-01-01"}));
      case 1: return fmt::format("{} {} {}", column({"f"}), pick({"<", ">="}), pick({"0.5", "-99"}));
      case 2:
        return fmt::format("{} {} {}", column({"k", "q", "id"}), pick({"<", ">=", "="}), pick({"0", "3", "1000000"}));
      case 3: return fmt::format("{} IN (1, 5, 2147483647)", column({"x", "y"}));
      default: return fmt::format("{} {} {}", number(depth), pick({"<", ">", "="}), pick({"0", "7", "1000000000"}));
    }
  }

  std::string number(int depth) {
    if (depth == 0)
      return below(3) == 0 ? column({"k", "q", "r", "m", "id"}) : column({"x", "y", "p", "f", "b", "b", "h"});
    const auto part = [&] {
      return "(" + number(depth - 1 - static_cast<int>(below(2) % static_cast<std::size_t>(depth))) + ")";
    };
    switch (below(11)) {
      case 0: return part() + " + " + part();
      case 1: return part() + " - " + part();
      case 2:
      case 3:
      case 4: return part() + " * " + part();
      case 5: return fmt::format("abs({})", part());
      case 6: return fmt::format("{}({}, {})", pick({"least", "greatest"}), part(), part());
      case 7: return fmt::format("power({}, {})", part(), pick({"2", "3", "7"}));
      case 8: return fmt::format("CASE WHEN {} THEN {} ELSE {} END", condition(depth - 1), part(), part());
      case 9: return fmt::format("{} / {}", part(), pick({"3", "0.001", "1e-30"}));
      default: return fmt::format("{} * {}", part(), pick({"1000000000", "0.000001", "1e50", "1e-80"}));
    }
  }

  std::mt19937 random_;
  std::string alias_ = "a";
};

TEST_P(BoundTotality, RandomExpressionsFailOnNoValue) {
  Expressions expressions(static_cast<unsigned>(number_from_environment("TACIT_TOTALITY_SEED", 20261118)));
  const int wanted = count_from_environment("TACIT_TOTALITY_COUNT", 600);
  int answered = 0;
  for (int i = 0; i < wanted; ++i) {
    const std::string sql = expressions.query();
    answered += is_answered(sql, expressions.epsilon()) ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GE(answered, wanted / 12) << "most are refused for want of bounds, but not all";
  RecordProperty("answered", answered);
}

}  // namespace
}  // namespace tacit::testing
