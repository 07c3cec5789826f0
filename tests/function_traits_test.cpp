// What a function's rule says of NULLs (sql/functions/function_traits.hpp) is what both engines do: of random
// expressions over a table of extremes, every call within is looked at, with each of its arguments, on every row.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "sql/coerce.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/soft_comparison.hpp"
#include "sql/print_expression.hpp"
#include "totality/random_expression.hpp"

namespace tacit::totality {
namespace {

// What the engine says of a value on one row.
struct Seen {
  bool is_null = false;
  bool is_true = false;
  bool is_nan = false;  // a column that holds NaN: the traits do not speak of it
};

class Row {
 public:
  explicit Row(const std::vector<std::optional<std::string>>& cells) : cells_(cells) {}
  Seen next() {
    const std::string& cell = *cells_[at_++];
    return {cell == "null", cell == "true", cell == "nan"};
  }

 private:
  const std::vector<std::optional<std::string>>& cells_;
  std::size_t at_ = 0;
};

std::string cell_of(const Expr& expr, const Dialect& dialect) {
  if (is_interval(expr)) return "'value'";
  ExpressionPrinter printer(dialect, [](const Column& column) { return quote_identifier(column.name); });
  printer.expression(expr);
  const std::string sql = printer.take();
  const bool may_be_nan = std::holds_alternative<ColumnRef>(expr.node) &&
                          (expr.type.kind == TypeKind::real || expr.type.kind == TypeKind::decimal);
  return fmt::format("CASE WHEN ({0}) IS NULL THEN 'null'{1}{2} ELSE 'value' END", sql,
                     expr.type.kind == TypeKind::boolean ? fmt::format(" WHEN {} THEN 'true'", sql) : "",
                     may_be_nan ? fmt::format(" WHEN lower(CAST({} AS VARCHAR)) = 'nan' THEN 'nan'", sql) : "");
}

void gather_calls(const Expr& expr, std::vector<const Expr*>& calls) {
  const auto* call = std::get_if<Call>(&expr.node);
  if (call == nullptr || is_interval(expr)) return;
  calls.push_back(&expr);
  for (const ExprPtr& arg : call->args) gather_calls(*arg, calls);
}

// Of a choice: whether the branch that is taken is NULL.
bool branch_is_null(const std::vector<Seen>& args) {
  for (std::size_t i = 0; i + 1 < args.size(); i += 2) {
    if (args[i].is_true) return args[i + 1].is_null;
  }
  return args.size() % 2 == 0 || args.back().is_null;
}

bool holds(Nulls nulls, bool is_null, const std::vector<Seen>& args) {
  const auto is_null_too = [](const Seen& arg) { return arg.is_null; };
  const bool any = std::ranges::any_of(args, is_null_too);
  switch (nulls) {
    case Nulls::anywhere: return true;
    case Nulls::propagated: return is_null || !any;
    case Nulls::strict: return is_null == any;
    case Nulls::all_arguments: return is_null == std::ranges::all_of(args, is_null_too);
    case Nulls::of_branch: return is_null == branch_is_null(args);
    case Nulls::never: return !is_null;
  }
  return false;
}

class FunctionTraitsOnEngines : public ::testing::TestWithParam<const Dialect*> {
 protected:
  void check(const Expr& expr) {
    std::vector<const Expr*> calls;
    gather_calls(expr, calls);
    if (calls.empty()) return;
    std::string columns;
    for (const Expr* call : calls) {
      columns += ", " + cell_of(*call, engine_.dialect());
      for (const ExprPtr& arg : std::get<Call>(call->node).args) columns += ", " + cell_of(*arg, engine_.dialect());
    }
    const auto answer = engine_.ask("SELECT " + columns.substr(2) + " FROM " + table_.name());
    ASSERT_EQ(answer.error, "") << columns;
    for (const auto& cells : answer.cells) {
      Row row(cells);
      for (const Expr* call : calls) {
        const Seen result = row.next();
        std::vector<Seen> args;
        for (std::size_t i = 0; i < std::get<Call>(call->node).args.size(); ++i) args.push_back(row.next());
        if (std::ranges::any_of(args, [](const Seen& arg) { return arg.is_nan; })) continue;
        const FunctionRule& rule = *std::get<Call>(call->node).rule;
        seen_.insert(&rule);
        ASSERT_TRUE(holds(rule.traits.nulls, result.is_null, args))
            << rule.name << (result.is_null ? " is NULL" : " is not NULL") << "\n"
            << cell_of(*call, engine_.dialect());
      }
    }
  }

  // Of every rule, with columns of every type, as far as they are accepted.
  void check_plain_calls() {
    const auto& columns = table_.columns();
    const ExprPtr three = *number_literal("3", 1);
    const ExprPtr month = *bind_call("interval", {string_literal("1 month", 1)}, 1);
    for (const FunctionRule* rule : function_rules()) {
      if (rule->bind == nullptr) continue;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const ExprPtr x = make_column(columns[i], 1);
        const ExprPtr y = make_column(columns[(i + 1) % columns.size()], 1);
        for (const std::vector<ExprPtr>& args : std::vector<std::vector<ExprPtr>>{{x},
                                                                                  {x, x},
                                                                                  {x, y},
                                                                                  {x, three},
                                                                                  {x, three, three},
                                                                                  {x, month},
                                                                                  {string_literal("year", 1), x},
                                                                                  {x, string_literal("%a_", 1)}}) {
          const auto bound = bind_call(rule->name, args, 1);
          if (bound) check(**bound);
          if (HasFatalFailure()) return;
        }
      }
    }
  }

  void check_casts() {
    for (const ColumnPtr& column : table_.columns()) {
      for (const SqlType& type : {SqlType::text(), SqlType::integer(32), SqlType::integer(64), SqlType::decimal(12, 2),
                                  SqlType::real(), SqlType::date(), SqlType::timestamp()}) {
        const auto bound = bind_cast(make_column(column, 1), type, 1);
        if (bound) check(**bound);
        if (HasFatalFailure()) return;
      }
    }
  }

  std::unique_ptr<Engine> owned_ = new_engine(*GetParam());
  Engine& engine_ = *owned_;
  const ExtremeTable table_{engine_};
  std::set<const FunctionRule*> seen_;
};

INSTANTIATE_TEST_SUITE_P(Engines, FunctionTraitsOnEngines, ::testing::ValuesIn(all_dialects()),
                         [](const auto& test) { return name_of(*test.param); });

TEST_P(FunctionTraitsOnEngines, SayWhereTheResultIsNull) {
  const char* seed = std::getenv("TACIT_TOTALITY_SEED");
  const char* count = std::getenv("TACIT_TOTALITY_COUNT");
  RandomExpressions expressions(table_, seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : 20260101U);
  const int wanted = count != nullptr ? std::atoi(count) : 1000;
  for (int i = 0; i < wanted; ++i) {
    const ExprPtr expr = expressions.any(1 + i % 3).expr;
    if (expr->printed_nodes > 2000) continue;  // each call is printed again with its arguments
    check(*expr);
    if (HasFatalFailure()) return;
  }
  check_plain_calls();
  if (HasFatalFailure()) return;
  check_casts();
  if (HasFatalFailure()) return;
  for (const ColumnPtr& column : table_.columns()) {
    if (column->type.kind != TypeKind::real) continue;
    check(*sigmoid_of(make_column(column, 0), 1.0, 2.0));
    check(*sech_of(make_column(column, 0), 1.0, 2.0));
  }
  for (const FunctionRule* rule : function_rules()) {
    EXPECT_TRUE(rule->print == nullptr || seen_.contains(rule)) << rule->name << " was in no expression";
  }
}

}  // namespace
}  // namespace tacit::totality
