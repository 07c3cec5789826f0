#include "sensitivity/groups/join_once.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sensitivity/groups/public_key.hpp"
#include "sensitivity/inline_columns.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

using Columns = std::set<const Column*>;

bool reads_private(const Relation& relation) {
  const auto scans = scans_of(relation);
  return std::any_of(scans.begin(), scans.end(),
                     [](const Relation* scan) { return !std::get<Scan>(scan->node).table->is_public(); });
}

bool reads_only(const Expr& expr, const Columns& columns) {
  const auto read = columns_read(expr);
  return std::all_of(read.begin(), read.end(), [&](const ColumnPtr& c) { return columns.contains(c.get()); });
}

Columns columns_of(const Relation& relation) {
  Columns columns;
  for (const auto& column : relation.columns) columns.insert(column.get());
  return columns;
}

std::string tables_of(const Relation& relation) {
  std::string names;
  for (const Relation* scan : scans_of(relation)) {
    if (!names.empty()) names += ", ";
    names += "`" + to_string(std::get<Scan>(scan->node).table->name) + "`";
  }
  return names;
}

// One walk over the relation: gathers the public parts, the conjuncts every row satisfies, and the subqueries' columns.
class Walk {
 public:
  Status visit(const RelationPtr& relation);
  Result<JoinOnce> finish();

 private:
  struct LeftPart {
    RelationPtr relation;
    std::vector<ExprPtr> on;
  };

  Status visit_join(const Join& join);
  Status add_conjuncts(const ExprPtr& predicate);
  // The key of `part` whose columns are all equated, by `equalities`, to expressions over determined columns.
  const PublicKey* determined_key(const std::vector<PublicKey>& keys, const std::vector<ExprPtr>& equalities) const;
  // Marks the part's columns as determined when one of its keys is.
  bool reach(const RelationPtr& part, const std::vector<ExprPtr>& equalities);
  // Moves every part that can be reached to the result; true when there was one.
  bool settle_inner();
  bool settle_left();

  JoinOnce found_;
  std::vector<RelationPtr> inner_parts_;
  std::vector<LeftPart> left_parts_;
  Columns determined_;
};

Status Walk::add_conjuncts(const ExprPtr& predicate) {
  TACIT_TRY(const ExprPtr expanded, inline_columns(predicate, found_.definitions));
  for (const auto& conjunct : conjuncts(expanded)) found_.inner_conjuncts.push_back(conjunct);
  return {};
}

Status Walk::visit(const RelationPtr& relation) {
  if (const auto* filter = std::get_if<Filter>(&relation->node)) {
    TACIT_TRY_STATUS(visit(filter->input));
    return add_conjuncts(filter->predicate);
  }
  const auto* join = std::get_if<Join>(&relation->node);
  const bool is_private = reads_private(*relation);
  if (join && (is_private || join->kind != JoinKind::left)) return visit_join(*join);
  if (!is_private) {
    inner_parts_.push_back(relation);
    return {};
  }
  if (std::holds_alternative<Scan>(relation->node)) {
    determined_ = columns_of(*relation);
    return {};
  }
  const auto& project = std::get<Project>(relation->node);
  TACIT_TRY_STATUS(visit(project.input));
  for (std::size_t i = 0; i < project.expressions.size(); ++i) {
    TACIT_TRY(ExprPtr definition, inline_columns(project.expressions[i], found_.definitions));
    found_.definitions[relation->columns[i].get()] = std::move(definition);
  }
  return {};
}

Status Walk::visit_join(const Join& join) {
  if (join.kind == JoinKind::left) {
    if (reads_private(*join.right)) {
      return refuse(
          fmt::format("a LEFT JOIN keeps every row of {}, so one private row can remove a NULL row and add another",
                      tables_of(*join.left)),
          "start from the private table, or use an inner JOIN: groups without rows are reported anyway");
    }
    TACIT_TRY_STATUS(visit(join.left));
    TACIT_TRY(const ExprPtr on, inline_columns(join.condition, found_.definitions));
    left_parts_.push_back({join.right, conjuncts(on)});
    return {};
  }
  TACIT_TRY_STATUS(visit(join.left));
  TACIT_TRY_STATUS(visit(join.right));
  return join.condition ? add_conjuncts(join.condition) : Status{};
}

const PublicKey* Walk::determined_key(const std::vector<PublicKey>& keys,
                                      const std::vector<ExprPtr>& equalities) const {
  const auto equated = [&](const Column* column) {
    return std::any_of(equalities.begin(), equalities.end(), [&](const ExprPtr& conjunct) {
      const Call* call = call_meaning(*conjunct, Meaning::equal);
      if (!call) return false;
      const auto is_column = [&](std::size_t side) {
        const auto* ref = std::get_if<ColumnRef>(&call->args[side]->node);
        return ref && ref->column.get() == column && reads_only(*call->args[1 - side], determined_);
      };
      return is_column(0) || is_column(1);
    });
  };
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const PublicKey& key) {
    return std::all_of(key.columns.begin(), key.columns.end(), equated);
  });
  return found == keys.end() ? nullptr : &*found;
}

bool Walk::reach(const RelationPtr& part, const std::vector<ExprPtr>& equalities) {
  const auto keys = public_keys(part);
  const PublicKey* key = determined_key(keys, equalities);
  if (!key) return false;
  for (const auto& assumed : key->assumed) found_.assumed_keys.push_back(assumed);
  for (const Column* column : columns_of(*part)) determined_.insert(column);
  found_.derivation.children.push_back(
      {"join on key", fmt::format("at most one row of {} for each private row", tables_of(*part)), {}});
  return true;
}

bool Walk::settle_inner() {
  return std::erase_if(inner_parts_, [&](const RelationPtr& relation) {
           if (!reach(relation, found_.inner_conjuncts)) return false;
           found_.public_parts.push_back({relation, false});
           return true;
         }) > 0;
}

bool Walk::settle_left() {
  return std::erase_if(left_parts_, [&](const LeftPart& left) {
           if (!reach(left.relation, left.on)) return false;
           found_.public_parts.push_back({left.relation, true});
           return true;
         }) > 0;
}

Result<JoinOnce> Walk::finish() {
  found_.derivation = {"join once", "each private row takes part in at most one joined row", {}};
  for (bool progress = true; progress;) {
    progress = settle_inner();
    progress = settle_left() || progress;
  }
  if (!inner_parts_.empty() || !left_parts_.empty()) {
    const Relation& part = inner_parts_.empty() ? *left_parts_.front().relation : *inner_parts_.front();
    return refuse(
        fmt::format("the join with {} may repeat a private row: it is not on a declared key of that public table",
                    tables_of(part)),
        "join it with = on all columns of its primary_key, of the same type, or declare the primary_key in the policy");
  }
  return std::move(found_);
}

}  // namespace

Result<JoinOnce> prove_join_once(const RelationPtr& input) {
  Walk walk;
  TACIT_TRY_STATUS(walk.visit(input));
  return walk.finish();
}

}  // namespace tacit
