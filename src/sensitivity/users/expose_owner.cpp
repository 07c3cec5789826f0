#include "sensitivity/users/expose_owner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/check.hpp"
#include "sql/coerce.hpp"

namespace tacit {
namespace {

RelationPtr make_relation(Relation relation) { return std::make_shared<const Relation>(std::move(relation)); }

ColumnPtr column_named(const Relation& relation, const std::string& name) {
  const auto found = std::find_if(relation.columns.begin(), relation.columns.end(),
                                  [&](const ColumnPtr& column) { return column->name == name; });
  return found == relation.columns.end() ? nullptr : *found;
}

RelationPtr make_join(const Join& join) {
  auto columns = join.left->columns;
  columns.insert(columns.end(), join.right->columns.begin(), join.right->columns.end());
  return make_relation({join, std::move(columns)});
}

// Whether a subquery's GROUP BY may get a further key. It is tried last: the fewer keys the faster.
enum class GroupKeys { as_written, may_grow };

class Exposer {
 public:
  explicit Exposer(const Ownership& ownership)
      : ownership_(ownership), equal_(ownership.facts), constant_(ownership.constant_in_group) {}

  Result<OwnedRelation> run(const RelationPtr& input) {
    for (const GroupKeys keys : {GroupKeys::as_written, GroupKeys::may_grow}) {
      if (const auto carried = carry_equal(input, ownership_.owner, keys)) {
        return OwnedRelation{carried->relation, make_column(carried->column, 0), {}};
      }
    }
    const auto ways = shortest_first();
    for (const GroupKeys keys : {GroupKeys::as_written, GroupKeys::may_grow}) {
      for (const OwnerFunction* way : ways) {
        if (auto from = carry_arguments(input, *way, keys)) return follow(std::move(*from), *way);
      }
    }
    return refuse("the owner of the rows cannot be carried through this subquery",
                  "select the owner column, or the key that leads to it, in the subquery");
  }

 private:
  struct Carried {
    RelationPtr relation;
    ColumnPtr column;
  };
  struct Arguments {
    RelationPtr relation;
    std::vector<ColumnPtr> columns;
  };

  std::optional<Carried> carry(const RelationPtr& relation, const Column* column, GroupKeys keys);
  std::optional<Carried> carry_through_join(const Join& join, const Column* column, GroupKeys keys);
  std::optional<Carried> carry_through_group(const RelationPtr& relation, const Column* column, GroupKeys keys);

  // Any column that equals the term.
  std::optional<Carried> carry_equal(const RelationPtr& relation, RowTerm term, GroupKeys keys) {
    for (const ColumnPtr& column : relation->columns) {
      if (equal_.same(column.get(), term)) return Carried{relation, column};
    }
    for (const auto& [a, b] : ownership_.facts.equal) {
      for (const RowTerm side : {a, b}) {
        if (!equal_.same(side, term)) continue;
        // Owners of scans are among the terms; no column has their address.
        if (auto carried = carry(relation, static_cast<const Column*>(side), keys)) return carried;
      }
    }
    return std::nullopt;
  }

  // The references that lead to the owner, those with the fewest joins first.
  std::vector<const OwnerFunction*> shortest_first() const {
    std::vector<const OwnerFunction*> ways;
    for (const OwnerFunction& function : ownership_.facts.functions) {
      if (function.referenced && equal_.same(function.owner, ownership_.owner)) ways.push_back(&function);
    }
    const auto joins = [](const OwnerFunction* way) {
      int count = 1;
      const Scan* scan = &std::get<Scan>(way->referenced->node);
      for (; !owner_column(*scan); scan = &std::get<Scan>(scan->referenced->node)) ++count;
      return count;
    };
    std::stable_sort(ways.begin(), ways.end(), [&](const auto* a, const auto* b) { return joins(a) < joins(b); });
    return ways;
  }

  std::optional<Arguments> carry_arguments(const RelationPtr& input, const OwnerFunction& function, GroupKeys keys) {
    Arguments found{input, {}};
    for (const Column* argument : function.arguments) {
      auto carried = carry_equal(found.relation, argument, keys);
      if (!carried) {
        if (carried = carry(found.relation, argument, keys); !carried) return std::nullopt;
      }
      found.relation = carried->relation;
      found.columns.push_back(carried->column);
    }
    return found;
  }

  // Joins the referenced table, and those it refers to in turn, until a column holds the owner.
  static Result<OwnedRelation> follow(Arguments at, const OwnerFunction& function) {
    OwnedRelation result{std::move(at.relation), nullptr, {}};
    std::vector<std::string> key = function.key;
    std::vector<ColumnPtr> from = std::move(at.columns);
    RelationPtr next = function.referenced;
    std::string path;
    while (true) {
      const Scan& scan = std::get<Scan>(next->node);
      TACIT_TRY(const ExprPtr condition, equalities(from, *next, key));
      result.relation = join_below_filters(result.relation, next, condition);
      path += fmt::format("{}`{}`", path.empty() ? "" : ", ", to_string(scan.table->name));
      if (const auto name = owner_column(scan)) {
        const ColumnPtr owner = column_named(*next, *name);
        TACIT_CHECK(owner != nullptr, "an owner column has a type of ours");
        result.owner = make_column(owner, 0);
        result.derivation = {
            "joins to the owner",
            fmt::format("Tacit joins {} on the key that the engine enforces; rows that lead to no owner are left out",
                        path),
            {}};
        return result;
      }
      const auto& through = std::get<OwnerThrough>(std::get<UsersTable>(scan.table->model).owner);
      from.clear();
      for (const std::string& name : through.columns) from.push_back(column_named(*next, name));
      next = scan.referenced;
      TACIT_CHECK(next != nullptr, "ownership was proved along the whole chain");
      key = std::get<Scan>(next->node).table->primary_key;
    }
  }

  static Result<ExprPtr> equalities(const std::vector<ColumnPtr>& from, const Relation& next,
                                    const std::vector<std::string>& key) {
    std::vector<ExprPtr> equal;
    for (std::size_t i = 0; i < key.size(); ++i) {
      const ColumnPtr column = column_named(next, key[i]);
      TACIT_CHECK(column != nullptr, "a key that is joined has types of ours");
      TACIT_TRY(ExprPtr one, bind_call("=", {make_column(from[i], 0), make_column(column, 0)}, 0));
      equal.push_back(std::move(one));
    }
    if (equal.size() == 1) return equal.front();
    return bind_call("and", std::move(equal), 0);
  }

  // Filters and semi-joins stay outermost, where they print as WHERE.
  static RelationPtr join_below_filters(const RelationPtr& relation, const RelationPtr& table,
                                        const ExprPtr& condition) {
    if (const auto* filter = std::get_if<Filter>(&relation->node)) {
      const RelationPtr input = join_below_filters(filter->input, table, condition);
      return make_relation({Filter{input, filter->predicate}, input->columns});
    }
    if (const auto* semi = std::get_if<SemiJoin>(&relation->node)) {
      const RelationPtr left = join_below_filters(semi->left, table, condition);
      return make_relation({SemiJoin{left, semi->right, semi->condition, semi->anti}, left->columns});
    }
    return make_join({JoinKind::inner, relation, table, condition});
  }

  const Ownership& ownership_;
  EqualTerms equal_;
  std::map<const Relation*, DeterminedTerms> constant_;
};

std::optional<Exposer::Carried> Exposer::carry(const RelationPtr& relation, const Column* column, GroupKeys keys) {
  for (const ColumnPtr& own : relation->columns) {
    if (own.get() == column) return Carried{relation, own};
  }
  if (const auto* filter = std::get_if<Filter>(&relation->node)) {
    const auto input = carry(filter->input, column, keys);
    if (!input) return std::nullopt;
    return Carried{make_relation({Filter{input->relation, filter->predicate}, input->relation->columns}),
                   input->column};
  }
  if (const auto* semi = std::get_if<SemiJoin>(&relation->node)) {
    const auto left = carry(semi->left, column, keys);
    if (!left) return std::nullopt;
    return Carried{
        make_relation({SemiJoin{left->relation, semi->right, semi->condition, semi->anti}, left->relation->columns}),
        left->column};
  }
  if (const auto* join = std::get_if<Join>(&relation->node)) return carry_through_join(*join, column, keys);
  if (const auto* project = std::get_if<Project>(&relation->node)) {
    const auto input = carry(project->input, column, keys);
    if (!input) return std::nullopt;
    auto expressions = project->expressions;
    auto columns = relation->columns;
    expressions.push_back(make_column(input->column, 0));
    columns.push_back(std::make_shared<const Column>(*input->column));
    const ColumnPtr added = columns.back();
    return Carried{make_relation({Project{input->relation, std::move(expressions)}, std::move(columns)}), added};
  }
  if (std::holds_alternative<Group>(relation->node)) return carry_through_group(relation, column, keys);
  return std::nullopt;
}

std::optional<Exposer::Carried> Exposer::carry_through_join(const Join& join, const Column* column, GroupKeys keys) {
  if (const auto left = carry(join.left, column, keys)) {
    return Carried{make_join({join.kind, left->relation, join.right, join.condition}), left->column};
  }
  if (join.kind == JoinKind::left) return std::nullopt;  // NULL where there is no partner
  if (const auto right = carry(join.right, column, keys)) {
    return Carried{make_join({join.kind, join.left, right->relation, join.condition}), right->column};
  }
  return std::nullopt;
}

std::optional<Exposer::Carried> Exposer::carry_through_group(const RelationPtr& relation, const Column* column,
                                                             GroupKeys keys) {
  const auto constant = constant_.find(relation.get());
  if (keys == GroupKeys::as_written || constant == constant_.end() || !constant->second.contains(column)) {
    return std::nullopt;
  }
  const auto& group = std::get<Group>(relation->node);
  const auto input = carry(group.input, column, keys);
  if (!input) return std::nullopt;
  Group grown{input->relation, group.keys, group.aggregates};
  auto columns = relation->columns;
  const auto added = std::make_shared<const Column>(*input->column);
  columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(grown.keys.size()), added);
  grown.keys.push_back(make_column(input->column, 0));
  const RelationPtr result = make_relation({std::move(grown), std::move(columns)});
  constant_.emplace(result.get(), constant->second);
  return Carried{result, added};
}

}  // namespace

Result<OwnedRelation> expose_owner(const RelationPtr& input, const Ownership& ownership) {
  return Exposer(ownership).run(input);
}

}  // namespace tacit
