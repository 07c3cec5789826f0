#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "metric/evaluate.hpp"
#include "sensitivity/metric/derivative/row_function.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/rules.hpp"

namespace tacit::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Values of one join row; a column that is not there is NULL. Dates are days.
using RowValues = std::map<const Column*, double>;

// One private table under a metric, its columns to build expressions from, and any number of roles of it.
class PrivateTable {
 public:
  struct Spec {
    std::string name;
    SqlType type;
    std::optional<Value> min = {};
    std::optional<Value> max = {};
    std::optional<Decimal> step = {};
    std::optional<double> precision = {};
  };

  PrivateTable(const std::string& metric, const std::vector<Spec>& specs, NormExponent rows_combine = {},
               std::size_t roles = 1) {
    table_->name = {"", "t"};
    table_->model = MetricTable{parse_metric(metric).value(), {}, rows_combine, std::nullopt};
    for (const auto& spec : specs) {
      auto& policy = table_->columns[spec.name];
      policy.min = spec.min;
      policy.max = spec.max;
      policy.step = spec.step;
      policy.precision = spec.precision;
    }
    for (std::size_t i = 0; i < roles; ++i) add_role(specs);
    columns_ = private_columns(roles_);
  }

  ExprPtr column(const std::string& name, std::size_t role = 0) const { return make_column(pointer(name, role), 1); }
  // As a computation reads it.
  ExprPtr number(const std::string& name, std::size_t role = 0) const { return numeric_operand(column(name, role)); }
  const Column* cell(const std::string& name, std::size_t role = 0) const { return pointer(name, role).get(); }

  const std::vector<Role>& roles() const { return roles_; }
  const PrivateColumns& columns() const { return columns_; }
  Differentiator differentiator() const { return Differentiator(columns_); }
  const MetricTable& metric() const { return std::get<MetricTable>(table_->model); }

  // Of two versions of one role's row, plain columns.
  double distance(const RowValues& a, const RowValues& b, std::size_t role = 0) const {
    std::map<std::string, double> moved;
    for (const auto& column : roles_[role].scan->columns) {
      moved[column->name] = a.at(column.get()) - b.at(column.get());
    }
    return tacit::distance(*metric().metric, moved);
  }

 private:
  void add_role(const std::vector<Spec>& specs) {
    auto scan = std::make_shared<Relation>();
    scan->node = Scan{table_.get(), "main", "t", {}};
    for (const auto& spec : specs) {
      scan->columns.push_back(std::make_shared<const Column>(Column{spec.name,
                                                                    spec.type,
                                                                    true,
                                                                    type_range(spec.type),
                                                                    declared_range(spec.type, spec.min, spec.max),
                                                                    {},
                                                                    "t." + spec.name}));
    }
    roles_.push_back({scan, table_.get(), &metric(), false, nullptr});
  }

  ColumnPtr pointer(const std::string& name, std::size_t role) const {
    for (const auto& column : roles_[role].scan->columns) {
      if (column->name == name) return column;
    }
    TACIT_CHECK(false, "a test names its columns");
  }

  std::unique_ptr<TablePolicy> table_ = std::make_unique<TablePolicy>();
  std::vector<Role> roles_;
  PrivateColumns columns_;
};

inline ExprPtr bound_call(std::string_view rule, std::vector<ExprPtr> args) {
  auto call = bind_call(rule, std::move(args), 1);
  EXPECT_TRUE(call.has_value()) << rule << ": " << (call ? "" : to_line(call.error()));
  return call.value_or(null_literal(1));
}
inline ExprPtr literal(std::string_view text) { return number_literal(text, 1).value(); }

// What SQL computes, on numbers; conditions are 1 and 0. Empty: NULL.
class SqlReader {
 public:
  explicit SqlReader(const RowValues& row) : row_(row) {}

  std::optional<double> of(const Expr& expr) const {
    if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) {
      const auto found = row_.find(ref->column.get());
      return found == row_.end() ? std::nullopt : std::optional(found->second);
    }
    if (const auto* literal = std::get_if<Literal>(&expr.node)) return of_literal(literal->value);
    return of_call(expr, std::get<Call>(expr.node));
  }

 private:
  static std::optional<double> of_literal(const Value& value) {
    if (const auto* decimal = std::get_if<Decimal>(&value)) return to_double(*decimal);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1.0 : 0.0;
    if (const auto* date = std::get_if<Date>(&value)) return date->days;
    return std::nullopt;
  }

  std::optional<double> of_call(const Expr& expr, const Call& call) const {
    const std::string_view name = call.rule->name;
    if (name == "case") return of_case(call);
    if (name == "and" || name == "or") return of_logic(call, name == "and");
    if (name == "in") return of_list(call);
    std::vector<double> args;
    for (const auto& arg : call.args) {
      const auto value = of(*arg);
      if (value) args.push_back(*value);
    }
    if (name == "is not null") return args.empty() ? 0.0 : 1.0;
    if (name == "sigmoid" || name == "sech") return of_soft(name, args);
    if (name == "coalesce" || name == "least" || name == "greatest") return of_present(name, args);
    if (args.size() != call.args.size()) return std::nullopt;
    return of_numbers(expr, name, args);
  }

  static std::optional<double> of_present(std::string_view name, const std::vector<double>& args) {
    if (args.empty()) return std::nullopt;
    if (name == "coalesce") return args.front();
    return name == "least" ? *std::min_element(args.begin(), args.end()) : *std::max_element(args.begin(), args.end());
  }

  // x, center, steepness; 0 where x is NULL.
  static double of_soft(std::string_view name, const std::vector<double>& args) {
    if (args.size() != 3) return 0.0;
    const double t = args[2] * (args[0] - args[1]);
    return name == "sigmoid" ? 1.0 / (1.0 + std::exp(-t)) : 1.0 / std::cosh(t);
  }

  static double clamp_to(const Range& range, double x) {
    if (const auto* exact = std::get_if<ExactRange>(&range)) {
      return std::clamp(x, to_double(exact->lo.value), to_double(exact->hi.value));
    }
    const auto& real = std::get<RealRange>(range);
    return std::clamp(x, real.lo.value, real.hi.value);
  }

  static std::optional<double> of_numbers(const Expr& expr, std::string_view name, const std::vector<double>& args) {
    if (name == "convert" || name == "to double") return args[0];
    if (name == "clamp") return clamp_to(expr.range, args[0]);
    if (name == "negate") return -args[0];
    if (name == "abs") return std::fabs(args[0]);
    if (name == "not") return 1.0 - args[0];
    if (name == "+") return args[0] + args[1];
    if (name == "-" || name == "days between") return args[0] - args[1];
    if (name == "*" || name == "product of doubles") return args[0] * args[1];
    if (name == "=") return args[0] == args[1];
    if (name == "<>") return args[0] != args[1];
    if (name == "<") return args[0] < args[1];
    if (name == "<=") return args[0] <= args[1];
    if (name == ">") return args[0] > args[1];
    if (name == ">=") return args[0] >= args[1];
    ADD_FAILURE() << "no reading of " << name;
    return std::nullopt;
  }

  std::optional<double> of_case(const Call& call) const {
    for (std::size_t i = 0; i + 1 < call.args.size(); i += 2) {
      if (of(*call.args[i]).value_or(0.0) == 1.0) return of(*call.args[i + 1]);
    }
    return call.args.size() % 2 == 1 ? of(*call.args.back()) : std::nullopt;
  }

  std::optional<double> of_logic(const Call& call, bool is_and) const {
    bool unknown = false;
    for (const auto& arg : call.args) {
      const auto value = of(*arg);
      if (value && (*value == 1.0) != is_and) return value;
      unknown = unknown || !value;
    }
    return unknown ? std::nullopt : std::optional(is_and ? 1.0 : 0.0);
  }

  std::optional<double> of_list(const Call& call) const {
    const auto x = of(*call.args[0]);
    if (!x) return std::nullopt;
    for (std::size_t i = 1; i < call.args.size(); ++i) {
      if (of(*call.args[i]) == x) return 1.0;
    }
    return 0.0;
  }

  const RowValues& row_;
};

inline double sql_value(const Expr& expr, const RowValues& row) { return SqlReader(row).of(expr).value_or(0.0); }

// A bound whose leaves have their rates, at one join row.
inline double bound_at(const Bound& bound, const RowValues& row) {
  const auto each = [&](const std::vector<BoundPtr>& parts) {
    std::vector<double> values;
    for (const auto& part : parts) values.push_back(bound_at(*part, row));
    return values;
  };
  if (const auto* constant = std::get_if<ConstantBound>(&bound.node)) return constant->value;
  if (const auto* of_public = std::get_if<PublicBound>(&bound.node)) {
    return std::fabs(sql_value(*of_public->expression, row));
  }
  if (const auto* leaf = std::get_if<LeafBound>(&bound.node)) {
    TACIT_CHECK(leaf->leaf, "a leaf that is evaluated has its rate");
    const auto s = SqlReader(row).of(*leaf->statistic);
    if (is_position(leaf->shape)) return s ? leaf->leaf->at(*s) : leaf->leaf->supremum();
    return leaf->leaf->at(std::fabs(s.value_or(0.0)));
  }
  double total = 0.0;
  if (const auto* sum = std::get_if<SumBound>(&bound.node)) {
    for (const double term : each(sum->terms)) total += term;
  } else if (const auto* product = std::get_if<ProductBound>(&bound.node)) {
    total = 1.0;
    for (const double factor : each(product->factors)) total *= factor;
  } else if (const auto* max = std::get_if<MaxBound>(&bound.node)) {
    for (const double choice : each(max->choices)) total = std::max(total, choice);
  } else {
    const auto* root = std::get_if<RootBound>(&bound.node);
    TACIT_CHECK(root, "a bound of one join row holds no sum over rows");
    for (const double term : each(root->terms)) total += std::pow(term, root->q);
    total = std::pow(total, 1.0 / root->q);
  }
  return total;
}

}  // namespace tacit::testing
