// What one row may cost: every construct that the binder accepts takes about as long on a table with one hostile row
// (long text, extreme numbers and dates) as on the same table with a neutral row in its place. How long a question
// takes must not tell one row's value.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>

#include "sql/coerce.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/soft_comparison.hpp"
#include "sql/print_expression.hpp"
#include "support/time_limit.hpp"
#include "totality/engine.hpp"

namespace tacit::totality {
namespace {

constexpr std::size_t rows = 400;
constexpr std::size_t longest_text = 2'000;
// Of one hostile row. The slowest LIKE that is accepted takes 3 us a character; one that looks twice takes minutes.
constexpr double row_limit_seconds = tacit::testing::time_limit(0.05);

struct TestColumn {
  std::string name;
  SqlType type;
  std::string neutral;
  std::vector<std::string> hostile;  // the last is used where other columns have more
  std::optional<Value> min = {};
  std::optional<Value> max = {};
};

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

std::string mixed_text() {
  std::string text;
  unsigned state = 1;
  for (std::size_t i = 0; i < longest_text; ++i) {
    state = state * 1'103'515'245U + 12'345U;
    text += (state >> 16U) % 2 == 0 ? 'a' : 'c';
  }
  return text;
}

std::vector<TestColumn> test_columns(const Dialect& dialect) {
  const std::vector<std::string> texts{
      repeated("a", 100),        repeated("a", longest_text), mixed_text(),
      repeated("é", 1'000),      repeated("9", longest_text), repeated(" ", longest_text),
      repeated("ÿ🤦", 1'000 / 2)};
  const std::vector<std::string> doubles{"1e308", "5e-324", "nan", "infinity", "-1e308", "-infinity", "1e-300"};
  const std::vector<std::string> dates{"9999-12-31", "infinity", "0001-01-01", "-infinity"};
  const std::string nines = repeated("9", 28) + ".9999999999";
  const Decimal hundred{100, 0};
  std::vector<TestColumn> columns{
      {"x", SqlType::text(), "ward 7", texts},
      {"y", SqlType::text(), "a b", texts},
      {"i", SqlType::integer(32), "7", {"2147483647", "-2147483648", "0"}},
      {"j", SqlType::integer(64), "7", {"9223372036854775807", "-9223372036854775808", "0"}, Decimal{0, 0}, hundred},
      {"k", SqlType::integer(128), "7", {repeated("9", 38), "-" + repeated("9", 38), "0"}},
      {"m", SqlType::decimal(18, 4), "7.5", {repeated("9", 14) + ".9999", "-" + repeated("9", 14) + ".9999", "0.0001"}},
      {"w", SqlType::decimal(38, 10), "7.5", {nines, "-" + nines, "0.0000000001", "0"}},
      {"r", SqlType::real(), "7.5", doubles},
      {"u", SqlType::real(), "7.5", doubles, Decimal{1, 0}, hundred},
      {"d", SqlType::date(), "2020-02-29", dates},
      {"t", SqlType::timestamp(), "2020-02-29 12:00:00", {"9999-12-31 23:59:59.999999", "infinity", "-infinity"}},
      {"b", SqlType::boolean(), "true", {"false"}},
  };
  if (&dialect == &postgres_dialect()) columns[6].hostile.emplace_back("NaN");
  return columns;
}

// Operands of every type, and calls of every rule with them as far as they are accepted.
class Examples {
 public:
  explicit Examples(const std::vector<TestColumn>& columns) {
    for (const TestColumn& column : columns) {
      Column described{column.name, column.type, true, type_range(column.type), {}, {}, "t." + column.name};
      described.declared = declared_range(column.type, column.min, column.max);
      columns_.push_back(make_column(std::make_shared<const Column>(std::move(described)), 1));
    }
    plain_calls();
    calls_with_words();
    casts();
    nested_calls();
    found_.push_back(sigmoid_of(named("r"), 0.0, 1.0));
    found_.push_back(sech_of(named("r"), 0.0, 1.0));
  }

  const std::vector<ExprPtr>& all() const { return found_; }

 private:
  ExprPtr named(std::string_view name) const {
    return *std::find_if(columns_.begin(), columns_.end(),
                         [&](const ExprPtr& column) { return std::get<ColumnRef>(column->node).column->name == name; });
  }
  static ExprPtr word(std::string_view text) { return string_literal(text, 1); }
  static ExprPtr number(std::string_view text) { return *number_literal(text, 1); }

  bool add(const Result<ExprPtr>& bound) {
    const bool is_value = bound && (*bound)->type.kind != TypeKind::unknown;
    if (is_value) found_.push_back(*bound);
    return is_value;
  }

  void plain_calls() {
    for (const FunctionRule* rule : function_rules()) {
      if (rule->bind == nullptr) continue;
      const auto call = [&](std::vector<ExprPtr> args) { add(bind_call(rule->name, std::move(args), 1)); };
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const ExprPtr& column = columns_[i];
        const ExprPtr& next = columns_[(i + 1) % columns_.size()];
        call({column});
        call({column, column});
        call({column, next});
        call({column, number("3")});
        call({number("3"), column});
        call({column, column, next});
        call({named("b"), column, next});
        call({column, number("2"), number("5")});
        call({column, *bind_call("interval", {word("3 months")}, 1)});
      }
    }
  }

  void calls_with_words() {
    for (const char* field : {"year", "quarter", "month", "week", "day", "dow", "doy", "hour", "minute", "second"}) {
      for (const char* moment : {"d", "t"}) {
        add(bind_call("extract", {word(field), named(moment)}, 1));
        add(bind_call("date_trunc", {word(field), named(moment)}, 1));
      }
    }
    for (const std::string& pattern :
         {repeated("%a%_", 4) + "%c", repeated("%a_", 33) + "b", repeated("%a%\\_", 8) + "%c",
          repeated("%a_a", 24) + "%b", "%a" + repeated("_", 96) + "b%", "%" + repeated("a_", 48) + "b",
          "%" + repeated("a", 998) + "b", repeated("%a", 499) + "%b", repeated("%é_", 30) + "b", std::string("%9%"),
          std::string("a%_\\%")}) {
      for (const char* rule : {"like", "ilike"}) EXPECT_TRUE(add(bind_call(rule, {named("x"), word(pattern)}, 1)));
    }
  }

  void casts() {
    for (const ExprPtr& column : columns_) {
      for (const SqlType& type :
           {SqlType::text(), SqlType::integer(16), SqlType::integer(64), SqlType::decimal(12, 2),
            SqlType::decimal(38, 10), SqlType::real(), SqlType::date(), SqlType::timestamp(), SqlType::boolean()}) {
        add(bind_cast(column, type, 1));
      }
    }
  }

  // Calls within calls, as deep as the binder lets them be or until they are large.
  void nested_calls() {
    constexpr std::size_t large = 300;
    const auto nest = [&](std::string_view name, const std::function<Result<ExprPtr>(const ExprPtr&)>& step) {
      ExprPtr expr = named(name);
      for (auto next = step(expr); next && (*next)->printed_nodes < large; next = step(expr)) expr = *next;
      EXPECT_GT(expr->depth, 2);
      found_.push_back(expr);
    };
    const auto call = [](std::string_view name, std::vector<ExprPtr> args) {
      return bind_call(name, std::move(args), 1);
    };
    nest("x", [&](const ExprPtr& e) { return call(e->depth % 2 == 0 ? "lower" : "upper", {e}); });
    nest("x", [&](const ExprPtr& e) { return call("lower", {*call("coalesce", {e, named("y")})}); });
    nest("x", [&](const ExprPtr& e) { return call("substring", {e, number("1"), number("1000000")}); });
    nest("x", [&](const ExprPtr& e) { return call("nullif", {e, named("y")}); });
    nest("x", [&](const ExprPtr& e) { return call("greatest", {e, named("y")}); });
    nest("x", [&](const ExprPtr& e) { return call("coalesce", {e, named("y")}); });
    for (const char* rule : {"sqrt", "exp", "ln", "abs", "sign", "floor"}) {
      nest("u", [&](const ExprPtr& e) { return call(rule, {e}); });
    }
    for (const char* rule : {"/", "*", "power", "-"}) {
      nest("u", [&](const ExprPtr& e) { return call(rule, {e, named("u")}); });
    }
    for (const char* rule : {"/", "%", "-"}) {
      nest("j", [&](const ExprPtr& e) { return call(rule, {e, named("j")}); });
    }
    nest("d", [&](const ExprPtr& e) { return call("+", {e, number("1")}); });
    nest("t", [&](const ExprPtr& e) { return call("+", {e, *call("interval", {word("1 day")})}); });
    nest("t", [&](const ExprPtr& e) { return call("date_trunc", {word("day"), e}); });
    nest("u", [&](const ExprPtr& e) {
      return bind_cast(e, e->type.kind == TypeKind::real ? SqlType::decimal(12, 4) : SqlType::real(), 1);
    });
  }

  std::vector<ExprPtr> columns_;
  std::vector<ExprPtr> found_;
};

class Cost : public ::testing::TestWithParam<const Dialect*> {
 protected:
  Cost() {
    std::size_t most = 0;
    for (const TestColumn& column : columns_) most = std::max(most, column.hostile.size());
    for (std::size_t choice = 0; choice < most; ++choice) hostile_.push_back(fmt::format("hostile{}", choice));
    create("neutral", std::nullopt);
    for (std::size_t choice = 0; choice < most; ++choice) create(hostile_[choice], choice);
  }

  std::string schema() const { return GetParam() == &duckdb_dialect() ? "main." : "public."; }

  void create(const std::string& table, std::optional<std::size_t> choice) {
    std::string names;
    std::string neutral;
    std::string special;
    for (const TestColumn& column : columns_) {
      const std::string type = GetParam()->type_name(column.type);
      const std::string& value = choice ? column.hostile[std::min(*choice, column.hostile.size() - 1)] : column.neutral;
      names += (names.empty() ? "" : ", ") + column.name;
      neutral +=
          fmt::format("{}CAST('{}' AS {}) AS {}", neutral.empty() ? "" : ", ", column.neutral, type, column.name);
      special += fmt::format("{}CAST('{}' AS {}) AS {}", special.empty() ? "" : ", ", value, type, column.name);
    }
    for (const std::string& sql :
         {fmt::format("CREATE TABLE {}{} AS SELECT {}", schema(), table, special),
          fmt::format("INSERT INTO {0}{1} SELECT {2} FROM generate_series(2, {3})", schema(), table, neutral, rows)}) {
      ASSERT_EQ(engine_->ask(sql).error, "") << sql;
    }
  }

  std::string print(const Expr& expr) const {
    ExpressionPrinter printer(*GetParam(), [](const Column& column) { return quote_identifier(column.name); });
    printer.expression(expr);
    return printer.take();
  }

  double seconds(const std::string& sql) {
    const auto begin = std::chrono::steady_clock::now();
    const double cpu = tacit::testing::cpu_seconds();
    EXPECT_EQ(engine_->ask(sql).error, "") << sql.substr(0, 2'000);
    // A server's work is not this process's.
    return GetParam() == &duckdb_dialect() ? tacit::testing::cpu_seconds() - cpu : tacit::testing::seconds_since(begin);
  }

  // Empty: whichever row is hostile, it costs about as much as a neutral one.
  std::string expensive_table(const std::string& values) {
    const auto sql = [&](const std::string& table) {
      return fmt::format("SELECT {} FROM {}{}", values, schema(), table);
    };
    const double neutral = seconds(sql("neutral"));
    constexpr int attempts = 5;  // the machine may be busy
    for (const std::string& table : hostile_) {
      bool is_cheap = false;
      for (int i = 0; i < attempts && !is_cheap; ++i) is_cheap = seconds(sql(table)) < 3 * neutral + row_limit_seconds;
      if (!is_cheap) return table;
    }
    return "";
  }

  std::vector<TestColumn> columns_ = test_columns(*GetParam());
  std::vector<std::string> hostile_;
  Examples examples_{columns_};
  std::unique_ptr<Engine> engine_ = new_engine(*GetParam());
};

INSTANTIATE_TEST_SUITE_P(Engines, Cost, ::testing::ValuesIn(all_dialects()),
                         [](const auto& test) { return name_of(*test.param); });

void collect_rules(const Expr& expr, std::set<std::string_view>& rules) {
  const auto* call = std::get_if<Call>(&expr.node);
  if (call == nullptr) return;
  rules.insert(call->rule->name);
  for (const ExprPtr& arg : call->args) collect_rules(*arg, rules);
}

// Patterns alone, the mildest first: one that looks twice fails the test before the next would never end.
TEST_P(Cost, OneRowOfAnyValueCostsLittle) {
  constexpr std::size_t together = 24;
  std::vector<std::string> values;
  for (const ExprPtr& example : examples_.all()) {
    const std::string value = fmt::format("count({})", print(*example));
    const auto* call = std::get_if<Call>(&example->node);
    if (call == nullptr || (call->rule->name != "like" && call->rule->name != "ilike")) {
      values.push_back(value);
    } else {
      ASSERT_EQ(expensive_table(value), "") << value.substr(0, 2'000);
    }
  }
  for (std::size_t first = 0; first < values.size(); first += together) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(together, values.size() - first));
    if (expensive_table(fmt::format("{}", fmt::join(begin, end, ", "))).empty()) continue;
    for (auto value = begin; value != end; ++value) {
      ASSERT_EQ(expensive_table(*value), "") << value->substr(0, 2'000);
    }
  }
}

// A new rule is among the examples, or this fails.
TEST_P(Cost, EveryRuleIsTried) {
  std::set<std::string_view> tried;
  for (const ExprPtr& example : examples_.all()) collect_rules(*example, tried);
  for (const FunctionRule* rule : function_rules()) {
    EXPECT_TRUE(rule->print == nullptr || tried.contains(rule->name)) << rule->name;
  }
}

// The numbers that keep calls within calls small are true: what is printed is no larger than they say.
TEST_P(Cost, PrintedExpressionsAreAsLargeAsTheBinderThinks) {
  for (const ExprPtr& example : examples_.all()) {
    const std::string sql = print(*example);
    std::size_t columns = 0;
    for (const TestColumn& column : columns_) {
      const std::string name = quote_identifier(column.name);
      for (auto at = sql.find(name); at != std::string::npos; at = sql.find(name, at + 1)) ++columns;
    }
    EXPECT_LE(columns, example->printed_nodes) << sql.substr(0, 2'000);
  }
}

std::size_t text_bound(const Expr& expr) {
  if (expr.type.kind != TypeKind::text) return 0;
  const auto* call = std::get_if<Call>(&expr.node);
  if (call == nullptr) return longest_text;
  if (call->rule->text_length == TextLength::of_a_spelling) return longest_spelling;
  std::size_t bound = 0;
  for (const ExprPtr& arg : call->args) bound = std::max(bound, text_bound(*arg));
  return bound;
}

TEST_P(Cost, TextStaysWithinItsBound) {
  int texts = 0;
  for (const ExprPtr& example : examples_.all()) {
    if (example->type.kind != TypeKind::text) continue;
    ++texts;
    for (const std::string& table : hostile_) {
      const std::string longest =
          engine_->value(fmt::format("SELECT max(length({})) FROM {}{}", print(*example), schema(), table));
      EXPECT_LE(longest == "NULL" ? 0 : std::stoul(longest), text_bound(*example)) << print(*example).substr(0, 2'000);
    }
  }
  EXPECT_GT(texts, 20);
}

}  // namespace
}  // namespace tacit::totality
