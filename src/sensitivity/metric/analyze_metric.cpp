#include "sensitivity/metric/analyze_metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.hpp"
#include "sensitivity/metric/assumed_facts.hpp"
#include "sensitivity/metric/derivative/norm_dual.hpp"
#include "sensitivity/metric/derivative/private_null.hpp"
#include "sensitivity/metric/epsilon_divisor.hpp"
#include "sensitivity/metric/metric_analysis.hpp"
#include "sensitivity/metric/metric_statistic.hpp"
#include "sensitivity/metric/summed_value.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

// What the query does not read stays as it is for it, and is left out of its own sentence.
NeighbourRelation neighbours_of(const Policy& policy, const std::vector<Role>& roles) {
  std::string of_all;
  std::string of_query;
  const auto add = [](std::string& list, const std::string& part) { list += (list.empty() ? "" : ", ") + part; };
  for (const auto& table : policy.tables) {
    const auto* metric = std::get_if<MetricTable>(&table.model);
    if (!metric) continue;
    const std::string distance = fmt::format("{} over the rows of {} of {}", to_string(metric->rows_combine),
                                             to_string(table.name), to_string(*metric->metric));
    add(of_all, distance);
    const bool is_read =
        std::any_of(roles.begin(), roles.end(), [&](const Role& role) { return role.table->name == table.name; });
    if (is_read) add(of_query, distance);
  }
  const auto sentence = [&](const std::string& distances) {
    return fmt::format("distance between databases: {} of {}", to_string(policy.tables_combine), distances);
  };
  return {"metric", sentence(of_all), "metric/" + to_string(policy.tables_combine), sentence(of_query)};
}

// Public columns of a role that tell its rows apart wherever the query does.
std::vector<ExprPtr> row_key(const Role& role, const FlatQuery& flat) {
  std::vector<ExprPtr> key;
  const auto add = [&](const ColumnPtr& column) { key.push_back(make_column(column, 0)); };
  for (const auto& name : role.table->primary_key) {
    for (const auto& column : role.scan->columns) {
      if (column->name == name && !flat.columns.contains(column.get())) add(column);
    }
  }
  if (!role.table->primary_key.empty() && key.size() == role.table->primary_key.size()) return key;
  key.clear();
  for (const auto& column : role.scan->columns) {
    if (!flat.columns.contains(column.get())) add(column);
  }
  return key;
}

BoundPtr over_sensitive_rows(const BoundPtr& bound, const Role& role) {
  if (!role.sensitive_rows || is_zero(*bound)) return bound;
  auto is_false = bind_call("is not false", {role.sensitive_rows}, 0);
  TACIT_CHECK(is_false.has_value(), "IS NOT FALSE takes any predicate");
  auto one = bind_call("case",
                       {*is_false, make_literal(Decimal{1, 0}, SqlType::integer(32), 0),
                        make_literal(Decimal{0, 0}, SqlType::integer(32), 0)},
                       0);
  TACIT_CHECK(one.has_value(), "CASE takes numbers");
  return product_of({public_bound(*one), bound});
}

class CellBuilder final : public MetricCells {
 public:
  CellBuilder(const FlatQuery& flat, std::shared_ptr<const SoftFilter> filter, const Differentiator& differentiator)
      : flat_(flat), shared_filter_(std::move(filter)), filter_(*shared_filter_), differentiator_(differentiator) {
    for (std::size_t i = 0; i < flat.roles.size(); ++i) fan_outs_.push_back(join_rows_per_row(flat.shape, i));
  }

  Result<MetricCell> sum(const ExprPtr& value, int position) const override {
    MetricCell cell;
    cell.filter = shared_filter_;
    TACIT_TRY(const RowFunction f, summand(value, filter_, differentiator_));
    if (value) {
      TACIT_TRY(cell.value, summed_value(value, filter_, position));
    }
    return finish(std::move(cell), f);
  }

  Result<MetricCell> count(const ExprPtr& counted, int position) const override {
    if (!counted) return sum(nullptr, position);
    const bool is_column = std::holds_alternative<ColumnRef>(without_clamp(counted)->node);
    if (is_column && !is_discrete(*counted)) {
      TACIT_TRY(MetricCell cell, sum(nullptr, position));
      cell.value = without_clamp(counted);
      cell.counts_value = true;
      return cell;
    }
    // Where no private cell decides whether it is NULL, which rows count is public too. Only what the calculus derives
    // is known not to become NULL by its value, as 1 / 0 does.
    const bool has_public_nulls = differentiator_.is_public(*counted) ||
                                  (counted->type.is_number() && private_nulls(*counted, flat_.columns).none() &&
                                   differentiator_.derive(counted).has_value());
    if (has_public_nulls) {
      TACIT_TRY(MetricCell cell, sum(nullptr, position));
      cell.value = counted;
      cell.counts_value = true;
      return cell;
    }
    TACIT_TRY(const ExprPtr indicator, indicator_of(counted, position));
    return sum(indicator, position);
  }

  Result<MetricCell> extremum(MetricCell::Kind kind, const ExprPtr& value, int position) const override {
    if (!filter_.is_public()) {
      return refuse("MIN and MAX with a private condition are not supported: which rows count would be private",
                    "leave the private condition out, or ask for SUM or COUNT", position);
    }
    // A NULL is left out: which rows count would be private again.
    if (!private_nulls(*value, flat_.columns).none()) return refuse_private_null(*value);
    MetricCell cell;
    cell.kind = kind;
    cell.filter = shared_filter_;
    TACIT_TRY(const RowFunction f, differentiator_.derive(value));
    // Nothing is added up: 38 digits are room enough.
    const auto* exact = std::get_if<ExactRange>(&value->range);
    const int scale = value->type.kind == TypeKind::decimal ? value->type.scale : 0;
    if (exact && scale <= 18 && digits_at_scale(*exact, scale) <= 38) {
      cell.value = value;
    } else {
      TACIT_TRY(cell.value, summed_value(value, filter_, position));
    }
    return finish(std::move(cell), f);
  }

 private:
  static ExprPtr without_clamp(const ExprPtr& expr) {
    const Call* clamp = call_meaning(*expr, Meaning::nearest_inside);
    const Call* guard = clamp ? clamp : call_meaning(*expr, Meaning::null_outside);
    return guard ? guard->args[0] : expr;
  }

  bool is_discrete(const Expr& expr) const {
    const auto read = private_columns_read(expr, flat_.columns);
    return std::any_of(read.begin(), read.end(),
                       [](const PrivateColumn* column) { return column->use == MetricColumn::Use::discrete; });
  }

  // COUNT of a CASE over constants counts the rows whose branch is not NULL.
  static Result<ExprPtr> indicator_of(const ExprPtr& counted, int position) {
    const Call* call = call_meaning(*counted, Meaning::choice);
    const auto refused = [&] {
      return refuse("COUNT of a private expression is supported for columns and for CASE over constants only",
                    "write COUNT(*) FILTER (WHERE ...)", position);
    };
    if (!call) return refused();
    std::vector<ExprPtr> args = call->args;
    for (std::size_t i = 1; i < args.size() + 1; i += 2) {
      ExprPtr& value = args[std::min(i, args.size() - 1)];
      if (!is_literal(*value)) return refused();
      TACIT_TRY(value, number_literal(is_null_literal(*value) ? "0" : "1", 0));
      if (std::min(i, args.size() - 1) + 1 == args.size()) break;
    }
    if (args.size() % 2 == 0) {
      TACIT_TRY(ExprPtr zero, number_literal("0", 0));
      args.push_back(std::move(zero));
    }
    return bind_call("case", std::move(args), position);
  }

  Result<MetricCell> finish(MetricCell cell, const RowFunction& f) const {
    cell.derivation = f.derivation;
    for (const auto& [column, bound] : joint_gradient(f.pieces)) cell.reads.push_back(column);
    for (std::size_t i = 0; i < flat_.roles.size(); ++i) {
      if (!flat_.roles[i].metric) continue;
      TACIT_TRY(auto bound, role_bound(i, cell.kind, f.pieces));
      if (bound) cell.roles.push_back(std::move(*bound));
    }
    return cell;
  }

  Result<std::optional<RoleBound>> role_bound(std::size_t index, MetricCell::Kind kind,
                                              const std::vector<Gradient>& pieces) const {
    const Role& role = flat_.roles[index];
    std::vector<BoundPtr> choices;
    for (const auto& piece : pieces) {
      choices.push_back(dual_of_gradient(*role.metric->metric, piece, role.scan->columns));
    }
    RoleBound bound;
    bound.role = index;
    bound.of_join_row = over_sensitive_rows(max_of(std::move(choices)), role);
    if (is_zero(*bound.of_join_row)) return std::optional<RoleBound>();
    bound.gradient = joint_gradient(pieces);
    for (auto& [column, part] : bound.gradient) part = over_sensitive_rows(part, role);
    const auto fan_out = fan_outs_[index];
    const bool by_l1 = is_l1(role.metric->rows_combine);
    if (kind != MetricCell::Kind::sum || fan_out == 1) {
      bound.join_rows = JoinRows::once;
    } else if (fan_out && by_l1 && std::isfinite(bound.of_join_row->supremum)) {
      bound.join_rows = JoinRows::times;
      bound.fan_out = *fan_out;
    } else {
      bound.join_rows = JoinRows::keyed;
      bound.key = row_key(role, flat_);
      if (bound.key.empty()) {
        return refuse(
            fmt::format("a row of {} may join many rows, and it has no public column that tells its rows apart",
                        to_string(role.table->name)),
            "ask the owner to declare a primary_key, or dependencies that bound the join");
      }
    }
    return bound;
  }

  const FlatQuery& flat_;
  std::shared_ptr<const SoftFilter> shared_filter_;
  const SoftFilter& filter_;
  const Differentiator& differentiator_;
  FanOuts fan_outs_;
};

// FILTER (WHERE p), which binding writes as CASE WHEN p THEN x END, is a condition of its own.
struct FilteredAggregate {
  Aggregate aggregate;
  ExprPtr condition;  // null: none
};

FilteredAggregate own_filter(const Aggregate& aggregate) {
  const Call* call = aggregate.argument ? call_meaning(*aggregate.argument, Meaning::choice) : nullptr;
  const bool is_filter =
      call && (call->args.size() == 2 || (call->args.size() == 3 && is_null_literal(*call->args[2])));
  if (!is_filter) return {aggregate, nullptr};
  FilteredAggregate split{aggregate, call->args[0]};
  split.aggregate.argument = call->args[1];
  if (aggregate.kind == AggregateKind::count && is_literal(*call->args[1])) {
    split.aggregate = {AggregateKind::count_rows, nullptr, aggregate.position};
  }
  return split;
}

Status check_answered(const std::vector<Aggregate>& aggregates) {
  for (const Aggregate& aggregate : aggregates) {
    if (find_metric_statistic(aggregate.kind) != nullptr) continue;
    return refuse(fmt::format("{} is not supported in the metric model", name_of(aggregate.kind)),
                  "use COUNT, SUM, AVG, MIN or MAX", aggregate.position);
  }
  return {};
}

Result<std::vector<long long>> groups_per_row(const FlatQuery& flat) {
  std::vector<const Column*> columns;
  for (const auto& key : flat.keys) {
    for (const auto& column : columns_read(*key.expression)) columns.push_back(column.get());
  }
  std::vector<long long> groups;
  for (std::size_t role = 0; role < flat.roles.size(); ++role) {
    if (columns.empty() || !flat.roles[role].metric) {
      groups.push_back(1);
      continue;
    }
    if (!is_l1(flat.roles[role].metric->rows_combine)) {
      return refuse(
          fmt::format("the rows of {} combine by {}, so groups would share their noise",
                      to_string(flat.roles[role].table->name), to_string(flat.roles[role].metric->rows_combine)),
          "ask without GROUP BY, one question per group");
    }
    const auto bound = combinations_per_row(flat.shape, role, columns);
    if (!bound) {
      return refuse(fmt::format("a row of {} may join into any number of groups, and each costs its share",
                                to_string(flat.roles[role].table->name)),
                    "ask the owner to declare a primary_key or dependencies that bound the join",
                    flat.keys.front().position);
    }
    groups.push_back(*bound);
  }
  return groups;
}

Derivation explain(const MetricAnalysis& analysis) {
  Derivation root{"metric", fmt::format("{} noisy number(s) per row of the answer", analysis.cells.size()), {}};
  for (std::size_t i = 0; i < analysis.cells.size(); ++i) {
    const MetricCell& cell = analysis.cells[i];
    Derivation of_cell{"derivative sensitivity", "", {}};
    for (const auto& role : cell.roles) {
      std::string rows = "each of its rows is in at most one joined row";
      if (role.join_rows == JoinRows::times)
        rows = fmt::format("each of its rows is in at most {} joined rows", role.fan_out);
      if (role.join_rows == JoinRows::keyed) rows = "added up over the joined rows of each of its rows";
      of_cell.children.push_back({fmt::format("moves in {}", to_string(analysis.flat.roles[role.role].table->name)),
                                  fmt::format("{}; {}", to_string(*role.of_join_row), rows),
                                  {}});
    }
    of_cell.children.push_back(
        {"price",
         fmt::format("1/{} of epsilon: no private cell pays for more than that many outputs", cell.epsilon_divisor),
         {}});
    of_cell.bound =
        cell.roles.empty() ? "reads no private cell" : fmt::format("{} table role(s) can move it", cell.roles.size());
    of_cell.children.push_back(cell.derivation);
    root.children.push_back(std::move(of_cell));
  }
  return root;
}

}  // namespace

Result<AnalyzedQuery> analyze_metric(TypedQuery query, const Policy& policy) {
  TACIT_TRY_STATUS(check_answered(query.aggregates));
  MetricAnalysis analysis;
  TACIT_TRY(analysis.flat, flatten_query(query));
  AssumedFacts assumed = settle_public_facts(analysis.flat);
  const Differentiator differentiator(analysis.flat.columns);
  TACIT_TRY(SoftFilter softened, soften(analysis.flat.private_conjuncts, differentiator));
  const auto filter = std::make_shared<const SoftFilter>(std::move(softened));
  analysis.tables_combine = policy.tables_combine;
  analysis.beta_share = policy.metric_beta;

  AnalyzedQuery analyzed;
  analyzed.assumed_keys = std::move(assumed.keys);
  analyzed.assumed_dependencies = std::move(assumed.dependencies);
  for (const auto& written : analysis.flat.aggregates) {
    const FilteredAggregate split = own_filter(written);
    auto used = filter;
    if (split.condition) {
      std::vector<ExprPtr> all = analysis.flat.private_conjuncts;
      for (const auto& conjunct : conjuncts(split.condition)) all.push_back(conjunct);
      TACIT_TRY(SoftFilter own, soften(all, differentiator));
      used = std::make_shared<const SoftFilter>(std::move(own));
    }
    const CellBuilder builder(analysis.flat, used, differentiator);
    TACIT_TRY(auto cells, find_metric_statistic(split.aggregate.kind)->cells(split.aggregate, builder));
    analysis.first_cells.push_back(analysis.cells.size());
    for (auto& cell : cells) analysis.cells.push_back(std::move(cell));
  }
  TACIT_TRY(const auto groups, groups_per_row(analysis.flat));
  const auto divisors = epsilon_divisors(analysis, groups);
  for (std::size_t i = 0; i < divisors.size(); ++i) analysis.cells[i].epsilon_divisor = divisors[i];
  analysis.least_distance = least_distance(analysis);

  analyzed.neighbours = neighbours_of(policy, analysis.flat.roles);
  analyzed.derivation = explain(analysis);
  query.keys = analysis.flat.keys;
  analyzed.bounded_columns = analysis.flat.bounded_keys;
  analyzed.query = std::move(query);
  analyzed.model = std::move(analysis);
  return analyzed;
}

}  // namespace tacit
