#include "sensitivity/groups/keys_in_domain.hpp"

#include <algorithm>
#include <map>

#include "sql/coerce.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/range_ends.hpp"

namespace tacit {
namespace {

RelationPtr make_relation(Relation relation) { return std::make_shared<const Relation>(std::move(relation)); }

ExprPtr truth() { return boolean_literal(true, 0); }

Result<ExprPtr> all_of(std::vector<ExprPtr> conditions) {
  if (conditions.empty()) return ExprPtr();
  if (conditions.size() == 1) return conditions.front();
  return bind_call("and", std::move(conditions), 0);
}

void add(std::vector<ExprPtr>& conditions, const ExprPtr& condition) {
  if (!condition) return;
  const bool known =
      std::ranges::any_of(conditions, [&](const ExprPtr& other) { return same_expression(*other, *condition); });
  if (!known) conditions.push_back(condition);
}

void add_name(std::vector<std::string>& names, const Column& column) {
  const std::string& name = column.table_column.empty() ? column.name : column.table_column;
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// (column BETWEEN its declared bounds) IS NOT FALSE; null where the type keeps them.
Result<ExprPtr> in_bounds(const ColumnPtr& column) {
  if (std::holds_alternative<std::monostate>(column->declared)) return ExprPtr();
  const ExprPtr value = make_column(column, 0);
  const ExprPtr clamp = clamped(value, column->declared);
  const EndsToCheck check = ends_to_check(*clamp, *value);
  if (!check.lo && !check.hi) return ExprPtr();
  const RangeEnds ends = literal_ends(*clamp);
  const ExprPtr lo = make_literal(ends.lo, clamp->type, 0);
  const ExprPtr hi = make_literal(ends.hi, clamp->type, 0);
  TACIT_TRY(ExprPtr inside, check.lo && check.hi ? bind_call("between", {value, lo, hi}, 0)
                            : check.lo           ? bind_call(">=", {value, lo}, 0)
                                                 : bind_call("<=", {value, hi}, 0));
  return bind_call("is not false", {std::move(inside)}, 0);
}

Result<ExprPtr> in_declared_values(const ColumnPtr& column) {
  std::vector<ExprPtr> args{make_column(column, 0)};
  for (const Value& value : column->domain) args.push_back(make_literal(value, column->type, 0));
  TACIT_TRY(ExprPtr inside, bind_call("in", std::move(args), 0));
  return bind_call("is not false", {std::move(inside)}, 0);
}

// Finds the condition of a key and carries it up through subqueries, as a further column of theirs.
class KeyGuard {
 public:
  // The condition over the columns of `relation`, which may get further ones; null: no row is left out.
  Result<ExprPtr> of(RelationPtr& relation, const Expr& expr) {
    if (const auto* reference = std::get_if<ColumnRef>(&expr.node)) return of_column(relation, reference->column);
    const auto* call = std::get_if<Call>(&expr.node);
    if (call == nullptr) return ExprPtr();
    const auto& args = call->args;
    const Meaning meaning = call->rule->traits.meaning;
    if (meaning == Meaning::choice) return of_case(relation, args);
    if (meaning == Meaning::first_not_null) return of_coalesce(relation, args);
    if (meaning == Meaning::nearest_inside) {
      if (const auto* reference = std::get_if<ColumnRef>(&args[0]->node)) return of_clamp(reference->column);
    }
    std::vector<ExprPtr> conditions;
    for (const ExprPtr& arg : args) {
      TACIT_TRY(const ExprPtr condition, of(relation, *arg));
      add(conditions, condition);
    }
    return all_of(std::move(conditions));
  }

  // The same rows, with subqueries' groups without those whose keys lie outside.
  Result<RelationPtr> inside_groups(const RelationPtr& relation);

  std::vector<std::string> columns;

 private:
  Result<ExprPtr> of_clamp(const ColumnPtr& column) {
    TACIT_TRY(ExprPtr condition, in_bounds(column));
    if (condition) add_name(columns, *column);
    return condition;
  }

  // condition, value, condition, value, ... [, else]
  Result<ExprPtr> of_case(RelationPtr& relation, const std::vector<ExprPtr>& args) {
    std::vector<ExprPtr> conditions;
    std::vector<ExprPtr> branches;
    bool any = false;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const bool is_condition = i % 2 == 0 && i + 1 < args.size();
      TACIT_TRY(const ExprPtr inside, of(relation, *args[i]));
      if (is_condition) {
        add(conditions, inside);
        branches.push_back(args[i]);
      } else {
        any = any || inside;
        branches.push_back(inside ? inside : truth());
      }
    }
    if (any) {
      if (args.size() % 2 == 0) branches.push_back(truth());
      TACIT_TRY(const ExprPtr taken, bind_call("case", std::move(branches), 0));
      add(conditions, taken);
    }
    return all_of(std::move(conditions));
  }

  Result<ExprPtr> of_coalesce(RelationPtr& relation, const std::vector<ExprPtr>& args) {
    std::vector<ExprPtr> branches;
    bool any = false;
    for (const ExprPtr& arg : args) {
      TACIT_TRY(const ExprPtr inside, of(relation, *arg));
      any = any || inside;
      TACIT_TRY(ExprPtr reached, bind_call("is not null", {arg}, 0));
      branches.push_back(std::move(reached));
      branches.push_back(inside ? inside : truth());
    }
    if (!any) return ExprPtr();
    branches.push_back(truth());
    return bind_call("case", std::move(branches), 0);
  }

  // What a subquery computes the column from.
  Result<ExprPtr> of_column(RelationPtr& relation, const ColumnPtr& column) {
    if (const auto known = carried_.find(column.get()); known != carried_.end()) return known->second;
    TACIT_TRY(ExprPtr condition, carry(relation, column));
    carried_.emplace(column.get(), condition);
    return condition;
  }

  Result<ExprPtr> carry(RelationPtr& relation, const ColumnPtr& column);

  std::map<const Column*, ExprPtr> carried_;
};

bool produces(const Relation& relation, const ColumnPtr& column) {
  return std::ranges::find(relation.columns, column) != relation.columns.end();
}

Result<ExprPtr> KeyGuard::carry(RelationPtr& relation, const ColumnPtr& column) {
  if (const auto* filter = std::get_if<Filter>(&relation->node)) {
    RelationPtr input = filter->input;
    TACIT_TRY(ExprPtr condition, carry(input, column));
    if (condition) relation = make_relation({Filter{input, filter->predicate}, input->columns});
    return condition;
  }
  if (const auto* semi = std::get_if<SemiJoin>(&relation->node)) {
    RelationPtr left = semi->left;
    TACIT_TRY(ExprPtr condition, carry(left, column));
    if (condition) relation = make_relation({SemiJoin{left, semi->right, semi->condition, semi->anti}, left->columns});
    return condition;
  }
  if (const auto* join = std::get_if<Join>(&relation->node)) {
    Join changed = *join;
    const bool on_left = produces(*join->left, column);
    TACIT_TRY(ExprPtr condition, carry(on_left ? changed.left : changed.right, column));
    if (!condition) return condition;
    auto columns_of_both = changed.left->columns;
    columns_of_both.insert(columns_of_both.end(), changed.right->columns.begin(), changed.right->columns.end());
    const bool optional = !on_left && changed.kind == JoinKind::left;
    relation = make_relation({std::move(changed), std::move(columns_of_both)});
    return optional ? bind_call("is not false", {std::move(condition)}, 0) : Result<ExprPtr>(std::move(condition));
  }
  const auto* project = std::get_if<Project>(&relation->node);
  if (project == nullptr) return ExprPtr();  // a stored column, or one of a group: those are kept inside below
  const auto at = std::ranges::find(relation->columns, column) - relation->columns.begin();
  RelationPtr input = project->input;
  TACIT_TRY(const ExprPtr condition, of(input, *project->expressions[static_cast<std::size_t>(at)]));
  if (!condition) return condition;
  Column inside;
  inside.name = "inside";
  inside.type = SqlType::boolean();
  inside.is_private = condition->is_private;
  auto expressions = project->expressions;
  auto produced = relation->columns;
  expressions.push_back(condition);
  produced.push_back(std::make_shared<const Column>(std::move(inside)));
  const ColumnPtr added = produced.back();
  relation = make_relation({Project{std::move(input), std::move(expressions)}, std::move(produced)});
  return make_column(added, 0);
}

Result<RelationPtr> KeyGuard::inside_groups(const RelationPtr& relation) {
  if (nested_clause(*relation) == nullptr) return relation;
  if (const auto* filter = std::get_if<Filter>(&relation->node)) {
    TACIT_TRY(RelationPtr input, inside_groups(filter->input));
    return make_relation({Filter{std::move(input), filter->predicate}, relation->columns});
  }
  if (const auto* project = std::get_if<Project>(&relation->node)) {
    TACIT_TRY(RelationPtr input, inside_groups(project->input));
    return make_relation({Project{std::move(input), project->expressions}, relation->columns});
  }
  if (const auto* join = std::get_if<Join>(&relation->node)) {
    TACIT_TRY(RelationPtr left, inside_groups(join->left));
    TACIT_TRY(RelationPtr right, inside_groups(join->right));
    return make_relation({Join{join->kind, std::move(left), std::move(right), join->condition}, relation->columns});
  }
  if (const auto* semi = std::get_if<SemiJoin>(&relation->node)) {
    TACIT_TRY(RelationPtr left, inside_groups(semi->left));
    TACIT_TRY(RelationPtr right, inside_groups(semi->right));
    return make_relation({SemiJoin{std::move(left), std::move(right), semi->condition, semi->anti}, relation->columns});
  }
  const auto* group = std::get_if<Group>(&relation->node);
  if (group == nullptr) return relation;
  TACIT_TRY(RelationPtr input, inside_groups(group->input));
  std::vector<ExprPtr> conditions;
  for (const ExprPtr& key : group->keys) {
    TACIT_TRY(const ExprPtr condition, of(input, *key));
    add(conditions, condition);
  }
  TACIT_TRY(ExprPtr predicate, all_of(std::move(conditions)));
  if (predicate) {
    auto columns_below = input->columns;
    input = make_relation({Filter{std::move(input), std::move(predicate)}, std::move(columns_below)});
  }
  return make_relation({Group{std::move(input), group->keys, group->aggregates}, relation->columns});
}

Result<RelationPtr> filtered(RelationPtr input, std::vector<ExprPtr> conditions) {
  TACIT_TRY(ExprPtr predicate, all_of(std::move(conditions)));
  if (!predicate) return input;
  auto columns = input->columns;
  return make_relation({Filter{std::move(input), std::move(predicate)}, std::move(columns)});
}

}  // namespace

Result<KeysInDomain> keep_computed_keys_in_domain(const TypedQuery& query) {
  KeyGuard guard;
  TACIT_TRY(RelationPtr input, guard.inside_groups(query.input));
  std::vector<ExprPtr> conditions;
  for (const GroupKey& key : query.keys) {
    TACIT_TRY(const ExprPtr condition, guard.of(input, *key.expression));
    add(conditions, condition);
  }
  TACIT_TRY(input, filtered(std::move(input), std::move(conditions)));
  return KeysInDomain{std::move(input), std::move(guard.columns)};
}

Result<ExprPtr> in_declared_domain(const ColumnPtr& column) {
  return column->domain.empty() ? in_bounds(column) : in_declared_values(column);
}

Result<RelationPtr> keep_bare_keys_in_domain(RelationPtr input, const std::vector<GroupKey>& keys,
                                             std::vector<std::string>& columns) {
  std::vector<ExprPtr> conditions;
  for (const GroupKey& key : keys) {
    const auto* reference = std::get_if<ColumnRef>(&key.expression->node);
    if (reference == nullptr || !reference->column->is_private) continue;
    const ColumnPtr& column = reference->column;
    TACIT_TRY(const ExprPtr condition, in_declared_domain(column));
    if (!condition) continue;
    add(conditions, condition);
    add_name(columns, *column);
  }
  return filtered(std::move(input), std::move(conditions));
}

}  // namespace tacit
