#include "sql/expr.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

constexpr std::uint64_t steps_of_node = 4;

Range literal_range(const Value& value, const SqlType& type) {
  if (std::holds_alternative<Null>(value)) {
    // No value at all: any range holds; zero keeps arithmetic on it small.
    if (type.kind == TypeKind::real) return RealRange{{0.0, true}, {0.0, true}};
    const Range range = type_range(type);
    if (!std::holds_alternative<ExactRange>(range)) return range;
    return ExactRange{{{0, 0}, true}, {{0, 0}, true}};
  }
  const auto point = [](const Decimal& number) { return ExactRange{{number, true}, {number, true}}; };
  if (const auto* number = std::get_if<Decimal>(&value)) return point(*number);
  if (const auto* date = std::get_if<Date>(&value)) return point({date->days, 0});
  if (const auto* timestamp = std::get_if<Timestamp>(&value)) return point({timestamp->microseconds, 0});
  if (const auto* real = std::get_if<double>(&value)) return RealRange{{*real, true}, {*real, true}};
  return std::monostate{};
}

std::size_t mixed(std::size_t a, std::size_t b) { return (a ^ (b + 0x9e3779b97f4a7c15U + (a << 6) + (a >> 2))) * 31; }

std::size_t hash_of(const Value& value) {
  if (const auto* number = std::get_if<Decimal>(&value)) return std::hash<double>()(to_double(*number));
  if (const auto* real = std::get_if<double>(&value)) return std::hash<double>()(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return std::hash<std::string>()(*text);
  if (const auto* date = std::get_if<Date>(&value)) return std::hash<std::int32_t>()(date->days);
  if (const auto* time = std::get_if<Timestamp>(&value)) return std::hash<std::int64_t>()(time->microseconds);
  const auto* truth = std::get_if<bool>(&value);
  return truth != nullptr && *truth ? 1 : 0;
}

void collect_columns(const Expr& expr, std::vector<ColumnPtr>& columns) {
  count_work(1 + columns.size() / 16);
  if (const auto* reference = std::get_if<ColumnRef>(&expr.node)) {
    if (std::find(columns.begin(), columns.end(), reference->column) == columns.end()) {
      columns.push_back(reference->column);
    }
  } else if (const auto* call = std::get_if<Call>(&expr.node)) {
    for (const ExprPtr& arg : call->args) collect_columns(*arg, columns);
  }
}

void collect_conjuncts(const ExprPtr& predicate, std::vector<ExprPtr>& found) {
  count_work();
  const Call* call = call_meaning(*predicate, Meaning::conjunction);
  if (call == nullptr) {
    found.push_back(predicate);
    return;
  }
  for (const ExprPtr& arg : call->args) collect_conjuncts(arg, found);
}

}  // namespace

ExprPtr make_column(ColumnPtr column, int position) {
  TACIT_CHECK(column != nullptr, "a column reference refers to a column");
  count_work(steps_of_node);
  const Column& read = *column;
  Expr expr{ColumnRef{std::move(column)}, read.type, read.proved, read.is_private, position};
  expr.hash = std::hash<std::string>()(read.name);
  return std::make_shared<const Expr>(std::move(expr));
}

ExprPtr make_literal(Value value, SqlType type, int position) {
  count_work(steps_of_node);
  Range range = literal_range(value, type);
  const std::size_t hash = hash_of(value);
  return std::make_shared<const Expr>(Expr{Literal{std::move(value)}, type, range, false, position, 1, 1, hash});
}

ExprPtr make_call(const FunctionRule& rule, std::vector<ExprPtr> args, SqlType type, Range range, int position) {
  TACIT_CHECK(type.kind != TypeKind::text || rule.text_length != TextLength::no_text,
              "a text result has a bound on its length");
  count_work(steps_of_node + args.size());
  Expr expr{Call{&rule, {}}, type, range, false, position};
  expr.hash = std::hash<std::string_view>()(rule.name);
  for (const ExprPtr& arg : args) {
    TACIT_CHECK(arg != nullptr, "a call has all its arguments");
    expr.is_private = expr.is_private || arg->is_private;
    expr.printed_nodes += arg->printed_nodes * static_cast<std::size_t>(rule.copies);
    expr.depth = std::max(expr.depth, arg->depth + 1);
    expr.hash = mixed(expr.hash, arg->hash);
  }
  std::get<Call>(expr.node).args = std::move(args);
  return std::make_shared<const Expr>(std::move(expr));
}

bool same_expression(const Expr& a, const Expr& b) {
  count_work();
  if (&a == &b) return true;
  if (a.node.index() != b.node.index() || a.type != b.type) return false;
  if (const auto* reference = std::get_if<ColumnRef>(&a.node)) {
    return reference->column == std::get<ColumnRef>(b.node).column;
  }
  if (const auto* literal = std::get_if<Literal>(&a.node)) return literal->value == std::get<Literal>(b.node).value;
  const auto& left = std::get<Call>(a.node);
  const auto& right = std::get<Call>(b.node);
  if (left.rule != right.rule || left.args.size() != right.args.size()) return false;
  // Clamps and guards keep their bounds in the range.
  if (!same_range(a.range, b.range)) return false;
  return std::equal(left.args.begin(), left.args.end(), right.args.begin(),
                    [](const ExprPtr& x, const ExprPtr& y) { return same_expression(*x, *y); });
}

std::vector<ColumnPtr> columns_read(const Expr& expr) {
  std::vector<ColumnPtr> columns;
  collect_columns(expr, columns);
  return columns;
}

std::vector<ExprPtr> conjuncts(const ExprPtr& predicate) {
  std::vector<ExprPtr> found;
  collect_conjuncts(predicate, found);
  return found;
}

}  // namespace tacit
