#include "sensitivity/work/join_block.hpp"

#include <algorithm>

#include "sensitivity/inline_columns.hpp"
#include "sensitivity/users/ownership.hpp"

namespace tacit {
namespace {

// Empty when one of them is of a type no query can use.
std::vector<const Column*> find_columns(const Relation& relation, const std::vector<std::string>& names) {
  std::vector<const Column*> columns;
  for (const std::string& name : names) {
    for (const ColumnPtr& column : relation.columns) {
      if (column->name == name) columns.push_back(column.get());
    }
  }
  if (columns.size() != names.size()) columns.clear();
  return columns;
}

}  // namespace

Result<JoinBlock> JoinBlock::of(const RelationPtr& relation, const JoinFacts& facts) {
  JoinBlock block;
  block.facts_ = facts;
  TACIT_TRY_STATUS(block.walk(relation, 0, false));
  return block;
}

Result<JoinBlock> JoinBlock::with(const SemiJoin& semi, const std::vector<ExprPtr>& conditions) const {
  JoinBlock both = *this;
  both.semi_joins.clear();
  both.inner_blocks.clear();
  Level level;
  for (std::size_t i = 0; i < sources.size(); ++i) level.after.push_back(i);
  const std::size_t number = both.levels.size();
  both.levels.push_back(std::move(level));
  TACIT_TRY_STATUS(both.walk(semi.right, number, false));
  for (const ExprPtr& condition : conditions) TACIT_TRY_STATUS(both.add_conditions(condition, number));
  return both;
}

Status JoinBlock::walk(const RelationPtr& relation, std::size_t level, bool optional) {
  if (const auto* scan = std::get_if<Scan>(&relation->node)) {
    add_scan(relation, *scan, level);
    return {};
  }
  if (const auto* filter = std::get_if<Filter>(&relation->node)) {
    TACIT_TRY_STATUS(walk(filter->input, level, optional));
    return add_conditions(filter->predicate, level);
  }
  if (const auto* project = std::get_if<Project>(&relation->node)) {
    TACIT_TRY_STATUS(walk(project->input, level, optional));
    for (std::size_t i = 0; i < project->expressions.size(); ++i) {
      TACIT_TRY(ExprPtr definition, inline_columns(project->expressions[i], definitions_));
      // What is computed on the right of a LEFT JOIN is NULL where no row matches.
      if (optional && !std::holds_alternative<ColumnRef>(definition->node)) continue;
      definitions_[relation->columns[i].get()] = std::move(definition);
    }
    return {};
  }
  if (const auto* join = std::get_if<Join>(&relation->node)) return walk_join(*join, level, optional);
  if (const auto* group = std::get_if<Group>(&relation->node)) return add_group(relation, *group, level);
  const auto& semi = std::get<SemiJoin>(relation->node);
  TACIT_TRY_STATUS(walk(semi.left, level, optional));
  semi_joins.push_back(&semi);
  inner_blocks.push_back(semi.right);
  return {};
}

Status JoinBlock::walk_join(const Join& join, std::size_t level, bool optional) {
  const std::size_t first = sources.size();
  TACIT_TRY_STATUS(walk(join.left, level, optional));
  if (join.kind != JoinKind::left) {
    TACIT_TRY_STATUS(walk(join.right, level, optional));
    return join.condition ? add_conditions(join.condition, level) : Status{};
  }
  Level right = levels[level];
  for (std::size_t i = first; i < sources.size(); ++i) right.after.push_back(i);
  const std::size_t number = levels.size();
  levels.push_back(std::move(right));
  // The right side's own subqueries are looked at with it, as a block of its own.
  const auto semi_joins_before = semi_joins;
  const auto inner_blocks_before = inner_blocks;
  TACIT_TRY_STATUS(walk(join.right, number, true));
  semi_joins = semi_joins_before;
  inner_blocks = inner_blocks_before;
  inner_blocks.push_back(join.right);
  return add_conditions(join.condition, number);
}

Status JoinBlock::add_conditions(const ExprPtr& predicate, std::size_t level) {
  TACIT_TRY(const ExprPtr expanded, inline_columns(predicate, definitions_));
  for (const ExprPtr& conjunct : conjuncts(expanded)) conditions.push_back({conjunct, level});
  return {};
}

void JoinBlock::add_scan(const RelationPtr& relation, const Scan& scan, std::size_t level) {
  JoinSource source{relation, facts_.structure_is_public || scan.table->is_public(), {}, level};
  auto names = scan.enforced_keys;
  // The owner's word about a private table is believed: no statement may compare it with the data. A public one's rows
  // are counted.
  if (!scan.table->is_public() && !scan.table->primary_key.empty()) names.push_back(scan.table->primary_key);
  for (const AssumedKey& key : facts_.checked) {
    if (key.scan == relation) names.push_back(key.columns);
  }
  for (const auto& key : names) {
    auto columns = find_columns(*relation, key);
    if (!columns.empty()) source.keys.push_back(std::move(columns));
  }
  if (std::holds_alternative<UsersTable>(scan.table->model)) {
    if (const auto owner = owner_column(scan)) {
      for (const Column* column : find_columns(*relation, {*owner})) owners.insert(column);
    }
  }
  for (std::size_t i = 0; i < scan.declared_dependencies.size(); ++i) {
    if (!scan.declared_dependencies[i]) continue;
    const Dependency& declared = scan.table->dependencies[i];
    SourceDependency dependency{find_columns(*relation, declared.from), find_columns(*relation, declared.to),
                                declared.limit};
    const bool can_be_read = !dependency.from.empty() && dependency.to.size() == declared.to.size();
    if (can_be_read) source.dependencies.push_back(std::move(dependency));
  }
  sources.push_back(std::move(source));
}

Status JoinBlock::add_group(const RelationPtr& relation, const Group& group, std::size_t level) {
  JoinSource source{relation, facts_.structure_is_public || !reads_private(*relation), {}, level};
  std::vector<const Column*> key;
  for (std::size_t i = 0; i < group.keys.size(); ++i) key.push_back(relation->columns[i].get());
  source.keys.push_back(std::move(key));
  sources.push_back(std::move(source));
  inner_blocks.push_back(group.input);
  // A key that holds the owner of the rows below holds that of the group.
  if (reads_private(*relation) && !facts_.structure_is_public) {
    TACIT_TRY(const JoinBlock inside, JoinBlock::of(group.input, facts_));
    for (std::size_t i = 0; i < group.keys.size(); ++i) {
      TACIT_TRY(const ExprPtr key_read, inline_columns(group.keys[i], inside.definitions_));
      const auto* reference = std::get_if<ColumnRef>(&key_read->node);
      if (reference != nullptr && inside.owners.contains(reference->column.get())) {
        owners.insert(relation->columns[i].get());
      }
    }
  }
  return {};
}

}  // namespace tacit
