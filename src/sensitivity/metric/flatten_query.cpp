#include "sensitivity/metric/flatten_query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sensitivity/groups/keys_in_domain.hpp"
#include "sensitivity/inline_columns.hpp"
#include "sensitivity/metric/public_part.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

RelationPtr make_relation(decltype(Relation::node) node, std::vector<ColumnPtr> columns) {
  return std::make_shared<const Relation>(Relation{std::move(node), std::move(columns)});
}

std::vector<ColumnPtr> both_columns(const Relation& left, const Relation& right) {
  std::vector<ColumnPtr> columns = left.columns;
  columns.insert(columns.end(), right.columns.begin(), right.columns.end());
  return columns;
}

// A condition that decides which rows a LEFT JOIN finds, or that holds below its right side.
struct LeftCondition {
  ExprPtr predicate;
  std::size_t first_added = 0;  // equalities count when they read a role from here on: the others may be kept anyway
};

// Writes subqueries out: a tree of scans, inner products and left joins; every condition of an inner join or filter is
// gathered.
class Flattener {
 public:
  Result<RelationPtr> visit(const RelationPtr& relation, bool below_left_join) {
    if (std::holds_alternative<Scan>(relation->node)) return add_role(relation, below_left_join);
    if (const auto* filter = std::get_if<Filter>(&relation->node)) {
      TACIT_TRY(RelationPtr input, visit(filter->input, below_left_join));
      TACIT_TRY(ExprPtr predicate, inline_columns(filter->predicate, definitions));
      if (!below_left_join) {
        for (const auto& conjunct : tacit::conjuncts(predicate)) conjuncts.push_back(conjunct);
        return input;
      }
      left_conditions.push_back({predicate, 0});
      auto columns = input->columns;
      return make_relation(Filter{std::move(input), std::move(predicate)}, std::move(columns));
    }
    if (const auto* project = std::get_if<Project>(&relation->node))
      return visit_project(*relation, *project, below_left_join);
    return visit_join(std::get<Join>(relation->node), below_left_join);
  }

  std::map<const Column*, ExprPtr> definitions;
  std::vector<ExprPtr> conjuncts;
  std::vector<LeftCondition> left_conditions;
  std::vector<Role> roles;

 private:
  Result<RelationPtr> add_role(const RelationPtr& relation, bool optional) {
    const auto& scan = std::get<Scan>(relation->node);
    roles.push_back(
        {relation, scan.table, std::get_if<MetricTable>(&scan.table->model), optional, scan.sensitive_rows});
    return relation;
  }

  Result<RelationPtr> visit_project(const Relation& relation, const Project& project, bool below_left_join) {
    TACIT_TRY(RelationPtr input, visit(project.input, below_left_join));
    for (std::size_t i = 0; i < project.expressions.size(); ++i) {
      TACIT_TRY(ExprPtr definition, inline_columns(project.expressions[i], definitions));
      if (below_left_join && !std::holds_alternative<ColumnRef>(definition->node)) {
        return refuse("a subquery on the right of a LEFT JOIN computes a column, which is NULL where no row matches",
                      "select bare columns there, and compute outside the subquery", definition->position);
      }
      definitions[relation.columns[i].get()] = std::move(definition);
    }
    return input;
  }

  Result<RelationPtr> visit_join(const Join& join, bool below_left_join) {
    TACIT_TRY(RelationPtr left, visit(join.left, below_left_join));
    const bool is_left = join.kind == JoinKind::left;
    const std::size_t first_added = roles.size();
    TACIT_TRY(RelationPtr right, visit(join.right, below_left_join || is_left));
    ExprPtr condition;
    if (join.condition) {
      TACIT_TRY(condition, inline_columns(join.condition, definitions));
    }
    auto columns = both_columns(*left, *right);
    if (is_left || below_left_join) {
      if (condition) left_conditions.push_back({condition, is_left ? first_added : 0});
      return make_relation(Join{join.kind, std::move(left), std::move(right), std::move(condition)},
                           std::move(columns));
    }
    if (condition) {
      for (const auto& conjunct : tacit::conjuncts(condition)) conjuncts.push_back(conjunct);
    }
    return make_relation(Join{JoinKind::cross, std::move(left), std::move(right), nullptr}, std::move(columns));
  }
};

const Column* bare_public_column(const Expr& expr, const PrivateColumns& columns) {
  const auto* ref = std::get_if<ColumnRef>(&expr.node);
  return ref && !columns.contains(ref->column.get()) ? ref->column.get() : nullptr;
}

// True when the conjunct only says which rows meet.
bool add_to_shape(const Expr& conjunct, const PrivateColumns& columns, JoinShape& shape) {
  const Call* call = call_meaning(conjunct, Meaning::equal);
  if (!call) return false;
  const Column* a = bare_public_column(*call->args[0], columns);
  const Column* b = bare_public_column(*call->args[1], columns);
  if (a && b) {
    shape.equal.emplace_back(a, b);
    return true;
  }
  if (a && columns_read(*call->args[1]).empty()) shape.constant.push_back(a);
  if (b && columns_read(*call->args[0]).empty()) shape.constant.push_back(b);
  return false;
}

bool reads_role_from(const Expr& expr, std::size_t first, const std::vector<Role>& roles) {
  const auto read = columns_read(expr);
  return std::any_of(read.begin(), read.end(), [&](const ColumnPtr& column) {
    for (std::size_t i = first; i < roles.size(); ++i) {
      const auto& own = roles[i].scan->columns;
      if (std::find(own.begin(), own.end(), column) != own.end()) return true;
    }
    return false;
  });
}

Status check_left_conditions(const std::vector<LeftCondition>& conditions, const PrivateColumns& columns) {
  for (const auto& [condition, first_added] : conditions) {
    if (!reads_private_cell(*condition, columns)) continue;
    return refuse("the condition of a LEFT JOIN reads a private column, so which rows meet would be private",
                  "join on public columns, or use an inner JOIN", condition->position);
  }
  return {};
}

std::map<const Column*, ExprPtr> logarithm_definitions(const FlatQuery& flat) {
  std::map<const Column*, ExprPtr> definitions;
  for (const auto& role : flat.roles) {
    for (const auto& column : role.scan->columns) {
      const auto found = flat.columns.find(column.get());
      if (found == flat.columns.end() || found->second.use != MetricColumn::Use::logarithm) continue;
      definitions[column.get()] = numeric_operand(make_column(column, 0));
    }
  }
  return definitions;
}

// Null where the key computes, or names a column of a public table.
ColumnPtr bare_column_of_metric_table(const Expr& key, const std::vector<Role>& roles) {
  const auto* reference = std::get_if<ColumnRef>(&key.node);
  if (reference == nullptr) return nullptr;
  const bool found = std::any_of(roles.begin(), roles.end(), [&](const Role& role) {
    const auto& columns = role.scan->columns;
    return role.metric && std::find(columns.begin(), columns.end(), reference->column) != columns.end();
  });
  return found ? reference->column : nullptr;
}

Result<RelationPtr> filtered(RelationPtr relation, std::vector<ExprPtr> conditions) {
  if (conditions.empty()) return relation;
  TACIT_TRY(ExprPtr predicate, bind_call("and", std::move(conditions), 0));
  auto columns = relation->columns;
  return make_relation(Filter{std::move(relation), std::move(predicate)}, std::move(columns));
}

}  // namespace

Result<FlatQuery> flatten_query(const TypedQuery& query) {
  Flattener flattener;
  TACIT_TRY(RelationPtr relation, flattener.visit(query.input, false));
  FlatQuery flat;
  flat.roles = std::move(flattener.roles);
  flat.columns = private_columns(flat.roles);
  TACIT_TRY_STATUS(check_left_conditions(flattener.left_conditions, flat.columns));

  for (const auto& role : flat.roles) flat.shape.roles.push_back({role.scan.get(), role.optional});
  // A logarithm is taken of the value within its declared bounds, so that is what every part of the query reads.
  const auto within_bounds = logarithm_definitions(flat);
  std::vector<ExprPtr> public_conjuncts;
  for (const auto& written : flattener.conjuncts) {
    TACIT_TRY(const ExprPtr conjunct, inline_columns(written, within_bounds));
    TACIT_TRY(ExprPtr follows, public_part(conjunct, flat.columns));
    if (reads_private_cell(*conjunct, flat.columns)) flat.private_conjuncts.push_back(conjunct);
    if (!follows) continue;
    if (!add_to_shape(*follows, flat.columns, flat.shape)) flat.has_public_filter = true;
    public_conjuncts.push_back(std::move(follows));
  }
  for (const auto& [condition, first_added] : flattener.left_conditions) {
    for (const auto& conjunct : conjuncts(condition)) {
      if (reads_role_from(*conjunct, first_added, flat.roles)) add_to_shape(*conjunct, flat.columns, flat.shape);
    }
  }
  for (const auto& key : query.keys) {
    TACIT_TRY(ExprPtr expression, inline_columns(key.expression, flattener.definitions));
    if (reads_private_cell(*expression, flat.columns)) {
      return refuse("a group key reads a private column, so which groups there are would be private",
                    "group by public columns, or count with a condition per group", key.position);
    }
    if (const ColumnPtr column = bare_column_of_metric_table(*expression, flat.roles)) {
      TACIT_TRY(ExprPtr inside, in_declared_domain(column));
      if (inside) {
        public_conjuncts.push_back(std::move(inside));
        flat.has_public_filter = true;
        flat.bounded_keys.push_back(column->table_column);
      }
    }
    flat.keys.push_back({std::move(expression), key.position});
  }
  TACIT_TRY(flat.relation, filtered(std::move(relation), std::move(public_conjuncts)));

  for (const auto& aggregate : query.aggregates) {
    Aggregate expanded = aggregate;
    if (aggregate.argument) {
      TACIT_TRY(const ExprPtr argument, inline_columns(aggregate.argument, flattener.definitions));
      TACIT_TRY(expanded.argument, inline_columns(argument, within_bounds));
    }
    flat.aggregates.push_back(std::move(expanded));
  }
  return flat;
}

}  // namespace tacit
