#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sensitivity/metric/derivative/assign_rates.hpp"
#include "sensitivity/metric/derivative/row_function.hpp"
#include "sql/functions/expression_fixture.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {

// What every column holds at one row; a column that is not there is NULL.
using Point = std::map<const Column*, long double>;

// Evaluates typed expressions with the meaning SQL gives them, in long doubles.
class Interpreter {
 public:
  using Number = std::optional<long double>;

  explicit Interpreter(const Point& point) : point_(point) {}

  Number value(const Expr& expr) const {
    if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) {
      const auto found = point_.find(ref->column.get());
      return found == point_.end() ? Number() : found->second;
    }
    if (const auto* literal = std::get_if<Literal>(&expr.node)) return of_literal(literal->value);
    const auto& call = std::get<Call>(expr.node);
    const std::string_view rule = call.rule->name;
    if (rule == "case") return of_case(call);
    std::vector<Number> args;
    for (const auto& arg : call.args) args.push_back(value(*arg));
    if (rule == "coalesce" || rule == "least" || rule == "greatest") return of_picked(rule, args);
    if (std::any_of(args.begin(), args.end(), [](const Number& n) { return !n; })) return std::nullopt;
    return of_numbers(rule, expr, args);
  }

 private:
  static Number of_literal(const Value& literal) {
    if (const auto* decimal = std::get_if<Decimal>(&literal)) {
      return static_cast<long double>(decimal->units) / std::pow(10.0L, decimal->scale);
    }
    if (const auto* real = std::get_if<double>(&literal)) return *real;
    if (const auto* date = std::get_if<Date>(&literal)) return date->days;
    return std::nullopt;
  }

  static std::pair<long double, long double> ends(const Range& range) {
    if (const auto* exact = std::get_if<ExactRange>(&range)) {
      return {*of_literal(exact->lo.value), *of_literal(exact->hi.value)};
    }
    const auto& real = std::get<RealRange>(range);
    return {real.lo.value, real.hi.value};
  }

  static Number of_picked(std::string_view rule, const std::vector<Number>& args) {
    Number picked;
    for (const Number& arg : args) {
      if (!arg) continue;
      if (!picked) {
        picked = arg;
        if (rule == "coalesce") return picked;
      }
      picked = rule == "least" ? std::min(*picked, *arg) : std::max(*picked, *arg);
    }
    return picked;
  }

  Number of_case(const Call& call) const {
    for (std::size_t i = 0; i + 1 < call.args.size(); i += 2) {
      if (truth(*call.args[i]) == true) return value(*call.args[i + 1]);
    }
    return call.args.size() % 2 == 1 ? value(*call.args.back()) : Number();
  }

  static Number of_numbers(std::string_view rule, const Expr& expr, const std::vector<Number>& args) {
    const long double a = *args[0];
    if (rule == "convert" || rule == "to double") return a;
    if (rule == "negate") return -a;
    if (rule == "abs") return std::fabs(a);
    if (rule == "sqrt") return a < 0.0L ? Number() : std::sqrt(a);
    if (rule == "ln") return a <= 0.0L ? Number() : std::log(a);
    if (rule == "exp") return a > 690.0L ? Number() : a < -700.0L ? 0.0L : std::exp(a);
    if (rule == "clamp") {
      const auto [lo, hi] = ends(expr.range);
      return std::clamp(a, lo, hi);
    }
    const long double b = *args.at(1);
    if (rule == "+") return a + b;
    if (rule == "-" || rule == "days between") return a - b;
    if (rule == "*" || rule == "product of doubles") return a * b;
    if (rule == "/") return std::fabs(b) < 1e-300L || std::fabs(a / b) > 1e100L ? Number() : Number(a / b);
    if (rule == "power" || rule == "pow") return std::fabs(std::pow(a, b)) <= 1e100L ? std::pow(a, b) : Number();
    ADD_FAILURE() << "the interpreter does not know " << rule;
    return std::nullopt;
  }

  std::optional<bool> truth(const Expr& expr) const {
    const auto& call = std::get<Call>(expr.node);
    const std::string_view rule = call.rule->name;
    if (rule == "is null") return !value(*call.args[0]);
    const auto a = value(*call.args[0]);
    const auto b = value(*call.args.at(1));
    if (!a || !b) return std::nullopt;
    if (rule == "=") return *a == *b;
    if (rule == "<>") return *a != *b;
    if (rule == "<") return *a < *b;
    if (rule == "<=") return *a <= *b;
    if (rule == ">") return *a > *b;
    if (rule == ">=") return *a >= *b;
    ADD_FAILURE() << "the interpreter does not know the condition " << rule;
    return std::nullopt;
  }

  const Point& point_;
};

// One private table t with the metric l1 of its columns, and property tests of what is derived over them: at random
// rows and at marked ones, bounds hold, and hold on the way to any other row (docs/theory/calculus.md, "Foundation").
struct DerivativeFixture : ExpressionFixture {
  using Use = MetricColumn::Use;
  static constexpr double beta = 0.3;

  struct Cell {
    ExprPtr column;
    Use use = Use::plain;
    bool is_private = true;
    std::vector<double> marks;  // kinks, zeros, bounds; points are taken at and around them
    double spread = 10.0;
  };

  ExprPtr cell(std::string name, SqlType type, Use use, std::optional<std::string> min, std::optional<std::string> max,
               std::vector<double> marks, double spread = 10.0, bool is_private = true) {
    const auto end = [&](const std::optional<std::string>& text) -> std::optional<Value> {
      if (!text) return std::nullopt;
      if (type.kind == TypeKind::date) return Value(*parse_date(*text));
      return Value(exact(*text));
    };
    ExprPtr made = column(name, type, end(min), end(max));
    const Column* key = std::get<ColumnRef>(made->node).column.get();
    cells.push_back({made, use, is_private, std::move(marks), spread});
    if (is_private)
      columns.emplace(key, PrivateColumn{0, key, use, step_of(type), std::nullopt, std::nullopt, nullptr});
    rebuild_metric();
    return made;
  }
  // A private column of doubles, integers; a public integer.
  ExprPtr real(std::string name, std::string min, std::string max, std::vector<double> marks = {}) {
    const double spread = std::max(std::fabs(std::stod(min)), std::fabs(std::stod(max)));
    marks.insert(marks.end(), {std::stod(min), std::stod(max), 0.0});
    return cell(std::move(name), SqlType::real(), Use::plain, min, max, std::move(marks), spread);
  }
  ExprPtr whole(std::string name, std::vector<double> marks = {0.0}) {
    return cell(std::move(name), SqlType::integer(32), Use::plain, {}, {}, std::move(marks));
  }
  ExprPtr open(std::string name, std::vector<double> marks = {0.0}) {
    return cell(std::move(name), SqlType::integer(32), Use::plain, {}, {}, std::move(marks), 10.0, false);
  }
  static ExprPtr real_number(double value) { return make_literal(value, SqlType::real(), 1); }

  const Column* key_of(const ExprPtr& column) const { return std::get<ColumnRef>(column->node).column.get(); }

  Result<RowFunction> derive(const ExprPtr& expr) const { return Differentiator(columns).derive(expr); }
  RowFunction derived(const ExprPtr& expr) const {
    auto f = derive(expr);
    EXPECT_TRUE(f.has_value()) << sql(expr) << ": " << (f ? "" : to_line(f.error()));
    return f ? *f : RowFunction{constant_bound(0.0), {}, {}};
  }
  std::string refused(const ExprPtr& expr) const {
    const auto f = derive(expr);
    if (f) return "accepted";
    EXPECT_EQ(f.error().code, FailureCode::refused);
    EXPECT_FALSE(f.error().hint.empty());
    return f.error().what;
  }

  BoundPtr smooth(const BoundPtr& bound) const { return assign_rates(bound, roles, columns, NormExponent{}, beta); }

  static double at(const Bound& bound, const Point& point) {
    const Interpreter here(point);
    const auto fold = [&](const std::vector<BoundPtr>& parts, double start, auto combine) {
      double result = start;
      for (const auto& part : parts) result = combine(result, at(*part, point));
      return result;
    };
    if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) return constant->value;
    if (const auto* of_public = std::get_if<PublicBound>(&bound.node)) {
      return static_cast<double>(std::fabs(here.value(*of_public->expression).value_or(0.0L)));
    }
    if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) {
      const double s = static_cast<double>(here.value(*leaf->statistic).value_or(0.0L));
      return leaf->leaf->at(is_position(leaf->shape) ? s : std::fabs(s));
    }
    if (const auto* sum = std::get_if<SumBound>(&bound.node)) return fold(sum->terms, 0.0, std::plus<>());
    if (const auto* product = std::get_if<ProductBound>(&bound.node)) {
      return fold(product->factors, 1.0, std::multiplies<>());
    }
    if (const auto* max = std::get_if<MaxBound>(&bound.node)) {
      return fold(max->choices, 0.0, [](double a, double b) { return std::max(a, b); });
    }
    const auto& root = std::get<RootBound>(bound.node);
    return std::pow(fold(root.terms, 0.0, [&](double a, double b) { return a + std::pow(b, root.q); }), 1.0 / root.q);
  }

  // Every promise about f, at `rounds` rows and on as many moves of one cell.
  void expect_sound(const ExprPtr& expr, int rounds = 3000) {
    const auto result = derive(expr);
    ASSERT_TRUE(result.has_value()) << sql(expr) << ": " << to_line(result.error());
    SCOPED_TRACE(sql(expr));
    const BoundPtr value = smooth(result->value);
    Gradient joint = joint_gradient(result->pieces);
    for (auto& [column, bound] : joint) bound = smooth(bound);
    std::vector<Gradient> pieces = result->pieces;
    for (auto& piece : pieces) {
      for (auto& [column, bound] : piece) bound = smooth(bound);
    }
    for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
      const Point here = random_point();
      const long double f = Interpreter(here).value(*expr).value_or(0.0L);
      ASSERT_GE(at(*value, here) * (1.0 + 1e-11), std::fabs(f)) << show(here);
      ASSERT_LE(std::fabs(f), result->value->supremum * (1.0 + 1e-11)) << show(here);
      check_move(*expr, *value, joint, here);
      check_pieces(*expr, pieces, here);
    }
  }

  Point random_point() {
    Point point;
    for (const Cell& c : cells) {
      if (c.use != Use::discrete && chance(0.03)) continue;
      if (const auto x = random_value(c)) point[key_of(c.column)] = *x;
    }
    return point;
  }

  std::vector<Cell> cells;
  PrivateColumns columns;
  std::vector<Role> roles;
  std::mt19937_64 random{20240617};

 private:
  static std::optional<double> step_of(const SqlType& type) {
    if (type.kind == TypeKind::integer || type.kind == TypeKind::date) return 1.0;
    if (type.kind == TypeKind::decimal) return std::pow(10.0, -type.scale);
    return std::nullopt;
  }

  void rebuild_metric() {
    auto scan = std::make_shared<Relation>();
    for (const Cell& c : cells) scan->columns.push_back(std::get<ColumnRef>(c.column->node).column);
    if (columns.empty()) return;
    table_ = std::make_shared<TablePolicy>();
    MetricTable metric;
    auto parsed = parse_metric(metric_text());
    ASSERT_TRUE(parsed.has_value()) << metric_text();
    metric.metric = *parsed;
    table_->model = metric;
    roles = {Role{scan, table_.get(), &std::get<MetricTable>(table_->model), false, nullptr}};
  }

  std::string metric_text() const {
    std::string text;
    for (const Cell& c : cells) {
      if (!c.is_private) continue;
      const std::string& name = std::get<ColumnRef>(c.column->node).column->name;
      const std::string term = c.use == Use::plain       ? name
                               : c.use == Use::logarithm ? "ln(" + name + ")"
                                                         : "discrete(" + name + ")";
      text += (text.empty() ? "l1(" : ", ") + term;
    }
    return text + ")";
  }

  bool chance(double p) { return std::uniform_real_distribution<double>(0.0, 1.0)(random) < p; }
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); }

  static double on_grid(const Cell& c, double x) {
    const auto step = step_of(c.column->type);
    return step ? std::round(x / *step) * *step : x;
  }

  std::optional<double> random_value(const Cell& c) {
    if (c.use == Use::discrete) {
      if (chance(0.2)) return std::nullopt;
      const double lo = *std::min_element(c.marks.begin(), c.marks.end());
      const double hi = *std::max_element(c.marks.begin(), c.marks.end());
      return on_grid(c, chance(0.5) ? pick(c.marks) : uniform(lo, hi));
    }
    double x = pick(c.marks);
    if (chance(0.3)) x += uniform(-1.0, 1.0) * c.spread;
    if (chance(0.3)) x += uniform(-3.0, 3.0);
    if (chance(0.2)) x += std::pow(10.0, uniform(-9.0, 1.0)) * (chance(0.5) ? c.spread : -c.spread);
    if (c.use == Use::logarithm) x = std::max(std::fabs(x), 1e-3);
    return on_grid(c, x);
  }

  double pick(const std::vector<double>& from) {
    return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random)];
  }

  std::optional<double> moved(const Cell& c, double x) {
    if (c.use == Use::discrete || chance(0.3)) return random_value(c);
    const double by = std::pow(10.0, uniform(-7.0, 0.7)) * (chance(0.5) ? 1.0 : -1.0);
    if (c.use == Use::logarithm) return x * std::exp(by / 5.0);
    const double near = on_grid(c, x + by);
    return near != x || !step_of(c.column->type) ? near : x + *step_of(c.column->type) * (by > 0 ? 1.0 : -1.0);
  }

  // |f(x) - f(x')| <= integral of the bound between them <= bound(x) (e^{beta d} - 1) / beta, and both bounds smooth.
  void check_move(const Expr& expr, const Bound& value, const Gradient& joint, const Point& here) {
    for (const Cell& c : cells) {
      if (!c.is_private) continue;
      const Column* column = key_of(c.column);
      const bool is_discrete = c.use == Use::discrete;
      if (!here.contains(column) && !is_discrete) continue;
      Point there = here;
      const bool was_null = !here.contains(column);
      const double from = was_null ? 1.0 : static_cast<double>(here.at(column));
      const auto other = moved(c, from);
      if (other ? !was_null && *other == from : was_null) continue;
      there.erase(column);
      if (other) there[column] = *other;
      const double to = other.value_or(1.0);
      const double d = is_discrete               ? 1.0
                       : c.use == Use::logarithm ? std::fabs(std::log(from) - std::log(to))
                                                 : std::fabs(from - to);
      const long double f = Interpreter(here).value(expr).value_or(0.0L);
      const long double g = Interpreter(there).value(expr).value_or(0.0L);
      const auto slope = joint.find(column);
      const double bound = slope == joint.end() ? 0.0 : at(*slope->second, here);
      const long double reach = std::expm1(std::min<long double>(beta * d, 600.0L)) / beta;
      ASSERT_LE(std::fabs(f - g), bound * reach * (1.0L + 1e-9L) + 1e-15L * (std::fabs(f) + std::fabs(g)))
          << column->name << " moves to " << other.value_or(NAN) << " from " << show(here) << "bound " << bound;
      check_smooth(value, here, there, d);
      for (const auto& [name, part] : joint) check_smooth(*part, here, there, d);
    }
  }

  static void check_smooth(const Bound& bound, const Point& here, const Point& there, double d) {
    const double a = at(bound, here);
    const double b = at(bound, there);
    if (a == 0.0 && b == 0.0) return;
    const long double growth = std::exp(std::min<long double>(beta * d, 600.0L)) * (1.0L + 1e-9L);
    ASSERT_LE(a, b * growth) << show(here) << "moves by " << d;
    ASSERT_LE(b, a * growth) << show(here) << "moves by " << d;
  }

  // Where all private cells are doubles: some piece is at least the whole gradient, taken by central differences.
  // Points near a kink, where both one-sided differences disagree, are left out.
  void check_pieces(const Expr& expr, const std::vector<Gradient>& pieces, const Point& here) {
    std::map<const Column*, long double> gradient;
    const long double f = Interpreter(here).value(expr).value_or(0.0L);
    for (const Cell& c : cells) {
      if (!c.is_private) continue;
      if (c.use != Use::plain || c.column->type.kind != TypeKind::real || !here.contains(key_of(c.column))) return;
      const Column* column = key_of(c.column);
      const long double h = 1e-7L * std::max(1.0L, std::fabs(here.at(column)));
      Point up = here;
      Point down = here;
      up[column] += h;
      down[column] -= h;
      const long double above = (Interpreter(up).value(expr).value_or(0.0L) - f) / h;
      const long double below = (f - Interpreter(down).value(expr).value_or(0.0L)) / h;
      const long double size = std::max(std::fabs(above), std::fabs(below));
      if (std::fabs(above - below) > 1e-3L * size + 1e-9L) return;
      gradient[column] = std::min(std::fabs(above), std::fabs(below));
    }
    const bool covered = std::any_of(pieces.begin(), pieces.end(), [&](const Gradient& piece) {
      return std::all_of(gradient.begin(), gradient.end(), [&](const auto& part) {
        const auto found = piece.find(part.first);
        const double bound = found == piece.end() ? 0.0 : at(*found->second, here);
        return part.second <= bound * (1.0L + 1e-4L) + 1e-9L * (1.0L + std::fabs(f));
      });
    });
    const bool is_flat =
        std::all_of(gradient.begin(), gradient.end(), [](const auto& part) { return std::fabs(part.second) < 1e-9L; });
    ASSERT_TRUE(covered || is_flat) << "no piece covers the gradient at " << show(here);
  }

  static std::string show(const Point& point) {
    std::string text;
    for (const auto& [column, x] : point) text += column->name + " = " + std::to_string(x) + ", ";
    return text;
  }

  std::shared_ptr<TablePolicy> table_;
};

}  // namespace tacit
