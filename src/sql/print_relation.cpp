#include "sql/print_relation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/check.hpp"
#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/plain_aggregate.hpp"

namespace tacit {
namespace {

// Prints bottom up. Every scan and subquery has its own alias t1, t2, ...; a column's name never changes once its
// scan is printed, except that a subquery renames what it hands out.
class RelationPrinter {
 public:
  explicit RelationPrinter(const Dialect& dialect) : dialect_(dialect) {}

  PrintedRelation print(const Relation& relation) {
    PrintedRelation printed = print_rows(relation);
    printed.names = std::move(names_);
    return printed;
  }

 private:
  // A chain of filters and semi-joins over anything: they become WHERE.
  PrintedRelation print_rows(const Relation& relation) {
    count_work();
    std::vector<const Relation*> conditions;
    const Relation* rows = &relation;
    while (const Relation* below = below_condition(*rows)) {
      conditions.push_back(rows);
      rows = below;
    }
    PrintedRelation printed;
    printed.from = print_item(*rows);
    std::vector<std::string> predicates;
    std::ranges::reverse(conditions);
    for (const Relation* condition : conditions) {
      if (const auto* filter = std::get_if<Filter>(&condition->node)) {
        predicates.push_back(print_predicate(*filter->predicate));
      } else {
        print_semi_join(std::get<SemiJoin>(condition->node), predicates);
      }
    }
    printed.where = conjunction(predicates);
    return printed;
  }

  static const Relation* below_condition(const Relation& relation) {
    if (const auto* filter = std::get_if<Filter>(&relation.node)) return filter->input.get();
    if (const auto* semi = std::get_if<SemiJoin>(&relation.node)) return semi->left.get();
    return nullptr;
  }

  static std::string conjunction(const std::vector<std::string>& predicates) {
    if (predicates.size() == 1) return predicates.front();
    std::string all;
    for (const auto& predicate : predicates) all += fmt::format("{}({})", all.empty() ? "" : " AND ", predicate);
    return all;
  }

  // No row meets a OR b: no row meets a, and none meets b. Engines look an equality up by its hash only where it is not
  // below an OR, and NOT IN has one. The right side is printed for each; only a plain one, so that nesting cannot make
  // the statement grow exponentially.
  void print_semi_join(const SemiJoin& semi, std::vector<std::string>& predicates) {
    std::vector<ExprPtr> all = conjuncts(semi.condition);
    const auto is_or = [](const ExprPtr& condition) {
      return call_meaning(*condition, Meaning::disjunction) != nullptr;
    };
    const bool splits = semi.anti && nested_clause(*semi.right) == nullptr;
    const auto split = splits ? std::find_if(all.begin(), all.end(), is_or) : all.end();
    if (split == all.end()) {
      predicates.push_back(print_exists(semi, all));
      return;
    }
    const ExprPtr either = *split;
    for (const ExprPtr& one : std::get<Call>(either->node).args) {
      *split = one;
      predicates.push_back(print_exists(semi, all));
    }
  }

  // The right side's columns have the names of its last printing, which only this condition reads.
  std::string print_exists(const SemiJoin& semi, std::vector<ExprPtr> conditions) {
    const PrintedRelation right = print_rows(*semi.right);
    std::vector<std::string> predicates;
    if (!right.where.empty()) predicates.push_back(right.where);
    const std::string of_left = take_left_conditions(semi, conditions);
    const auto looked_up = semi.anti ? std::nullopt : take_only_equality(semi, conditions);
    for (const ExprPtr& condition : conditions) predicates.push_back(print_predicate(*condition));
    const std::string where = predicates.empty() ? "" : " WHERE " + conjunction(predicates);
    if (looked_up) {
      return fmt::format("{} IN (SELECT {} FROM {}{})", print_predicate(*looked_up->left),
                         print_predicate(*looked_up->right), right.from, where);
    }
    const std::string exists = fmt::format("EXISTS (SELECT 1 FROM {}{})", right.from, where);
    if (of_left.empty()) return (semi.anti ? "NOT " : "") + exists;
    return fmt::format("{}(({}) IS TRUE AND {})", semi.anti ? "NOT " : "", of_left, exists);
  }

  // Where no condition reads both sides, those on the left are taken out of the conditions: the subquery then is the
  // same for all rows. PostgreSQL would pair every row with every row of it.
  std::string take_left_conditions(const SemiJoin& semi, std::vector<ExprPtr>& conditions) const {
    const auto of_left = [&semi](const ExprPtr& condition) { return reads_left(semi, *condition); };
    const auto of_both = [&](const ExprPtr& condition) { return of_left(condition) && reads_right(semi, *condition); };
    if (std::ranges::any_of(conditions, of_both)) return "";
    std::vector<std::string> taken;
    for (const ExprPtr& condition : conditions) {
      if (of_left(condition)) taken.push_back(print_predicate(*condition));
    }
    std::erase_if(conditions, of_left);
    return conjunction(taken);
  }

  static bool of_right(const SemiJoin& semi, const ColumnPtr& column) {
    return std::ranges::find(semi.right->columns, column) != semi.right->columns.end();
  }
  static bool reads_right(const SemiJoin& semi, const Expr& expr) {
    return std::ranges::any_of(columns_read(expr), [&](const ColumnPtr& column) { return of_right(semi, column); });
  }
  static bool reads_left(const SemiJoin& semi, const Expr& expr) {
    return !std::ranges::all_of(columns_read(expr), [&](const ColumnPtr& column) { return of_right(semi, column); });
  }

  struct Equality {
    ExprPtr left;  // reads the left side alone
    ExprPtr right;
  };

  // Where one equality is all that connects the sides, it is taken out of the conditions: a row that it holds for is a
  // member of a list, which DuckDB finds without pairing the sides first. In WHERE, unknown and false are the same.
  static std::optional<Equality> take_only_equality(const SemiJoin& semi, std::vector<ExprPtr>& conditions) {
    const auto of_left = [&semi](const ExprPtr& expr) { return reads_left(semi, *expr); };
    const auto of_right = [&semi](const ExprPtr& expr) { return reads_right(semi, *expr); };
    if (std::ranges::count_if(conditions, of_left) != 1) return std::nullopt;
    const auto only = std::ranges::find_if(conditions, of_left);
    const Call* call = call_meaning(**only, Meaning::equal);
    if (call == nullptr) return std::nullopt;
    Equality sides{call->args[0], call->args[1]};
    if (of_right(sides.left)) std::swap(sides.left, sides.right);
    if (of_right(sides.left) || !of_right(sides.right) || of_left(sides.right)) return std::nullopt;
    conditions.erase(only);
    return sides;
  }

  // Something that may stand in FROM or on one side of JOIN.
  std::string print_item(const Relation& relation) {
    if (const auto* scan = std::get_if<Scan>(&relation.node)) return print_scan(*scan, relation);
    if (const auto* join = std::get_if<Join>(&relation.node)) return print_join(*join);
    if (const auto* project = std::get_if<Project>(&relation.node)) return print_project(*project, relation);
    if (const auto* group = std::get_if<Group>(&relation.node)) return print_group(*group, relation);
    return print_conditions_below_join(relation);
  }

  std::string print_scan(const Scan& scan, const Relation& relation) {
    const std::string alias = next_alias();
    count_work(relation.columns.size());
    for (const auto& column : relation.columns) {
      const std::string name = alias + "." + quote_identifier(column->name);
      names_[column.get()] = column->read_as.empty() ? name : read_as(column->read_as, name);
    }
    return fmt::format("{}{}.{} AS {}", scan.reads_only_itself ? "ONLY " : "", quote_identifier(scan.schema),
                       quote_identifier(scan.name), alias);
  }

  std::string print_join(const Join& join) {
    const std::string left = print_item(*join.left);
    std::string right = print_item(*join.right);
    count_text(left.size() + right.size());
    if (std::holds_alternative<Join>(join.right->node)) right = "(" + right + ")";
    switch (join.kind) {
      case JoinKind::cross: return fmt::format("{} CROSS JOIN {}", left, right);
      case JoinKind::inner: return fmt::format("{} JOIN {} ON {}", left, right, print_predicate(*join.condition));
      case JoinKind::left: return fmt::format("{} LEFT JOIN {} ON {}", left, right, print_predicate(*join.condition));
    }
    TACIT_CHECK(false, "every join kind is printed");
  }

  std::string print_project(const Project& project, const Relation& relation) {
    const PrintedRelation inside = print_rows(*project.input);
    std::vector<std::string> selected;
    for (const auto& expression : project.expressions) selected.push_back(print_predicate(*expression));
    return print_subquery(inside, selected, relation);
  }

  std::string print_group(const Group& group, const Relation& relation) {
    const PrintedRelation inside = print_rows(*group.input);
    std::vector<std::string> selected;
    std::string group_by;
    for (const ExprPtr& key : group.keys) {
      selected.push_back(print_key(*key));
      group_by += fmt::format("{}{}", group_by.empty() ? " GROUP BY " : ", ", selected.size());
    }
    for (const Aggregate& aggregate : group.aggregates) {
      selected.push_back(print_plain_aggregate(aggregate, print_argument(aggregate), dialect_));
    }
    return print_subquery(inside, selected, relation, group_by.empty() ? " HAVING TRUE" : group_by);
  }

  // Equal doubles may be spelt 0.0 and -0.0, and which of them a group shows depends on the order of the rows.
  std::string print_key(const Expr& key) {
    const std::string sql = print_predicate(key);
    return key.type.kind == TypeKind::real ? fmt::format("({} + {})", sql, double_literal(0.0, dialect_)) : sql;
  }

  std::string print_conditions_below_join(const Relation& relation) {
    const PrintedRelation inside = print_rows(relation);
    std::vector<std::string> selected;
    for (const auto& column : relation.columns) selected.push_back(names_.at(column.get()));
    return print_subquery(inside, selected, relation);
  }

  // (SELECT selected[0] AS c1, ... FROM ... WHERE ...) AS t3; the relation's columns are called t3.c1, ... from here
  // on.
  std::string print_subquery(const PrintedRelation& inside, const std::vector<std::string>& selected,
                             const Relation& relation, const std::string& group_by = "") {
    TACIT_CHECK(selected.size() == relation.columns.size(), "a subquery computes each of its columns");
    const std::string alias = next_alias();
    std::string list;
    for (std::size_t i = 0; i < selected.size(); ++i) {
      list += fmt::format("{}{} AS c{}", i == 0 ? "" : ", ", selected[i], i + 1);
      names_[relation.columns[i].get()] = fmt::format("{}.c{}", alias, i + 1);
    }
    if (list.empty()) list = "1 AS c1";
    count_text(list.size() + inside.from.size() + inside.where.size());
    const std::string where = inside.where.empty() ? "" : " WHERE " + inside.where;
    return fmt::format("(SELECT {} FROM {}{}{}) AS {}", list, inside.from, where, group_by, alias);
  }

  ExpressionPrinter printer() const {
    return {dialect_, [this](const Column& column) {
              const auto found = names_.find(&column);
              TACIT_CHECK(found != names_.end(), "an expression reads columns of the relation below it");
              return found->second;
            }};
  }

  std::string print_predicate(const Expr& expression) const {
    ExpressionPrinter printed = printer();
    printed.expression(expression);
    return printed.take();
  }

  // Counts read the value that is stored, the others compute with it.
  std::string print_argument(const Aggregate& aggregate) const {
    if (!aggregate.argument) return "";
    if (traits_of(aggregate.kind).counts) return print_predicate(*aggregate.argument);
    ExpressionPrinter printed = printer();
    printed.operand(*aggregate.argument);
    return printed.take();
  }

  std::string next_alias() { return fmt::format("t{}", ++aliases_); }

  const Dialect& dialect_;
  int aliases_ = 0;
  std::map<const Column*, std::string> names_;
};

}  // namespace

std::string read_as(std::string_view pattern, const std::string& name) {
  std::string sql;
  for (auto place = pattern.find("{}"); place != std::string_view::npos; place = pattern.find("{}")) {
    sql.append(pattern.substr(0, place)).append(name);
    pattern.remove_prefix(place + 2);
  }
  return sql.append(pattern);
}

PrintedRelation print_relation(const Relation& relation, const Dialect& dialect) {
  return RelationPrinter(dialect).print(relation);
}

namespace {

ExpressionPrinter printer_over(const PrintedRelation& relation, const Dialect& dialect) {
  return {dialect, [&relation](const Column& column) {
            const auto found = relation.names.find(&column);
            TACIT_CHECK(found != relation.names.end(), "an expression reads columns of the relation it stands over");
            return found->second;
          }};
}

}  // namespace

std::string print_expression(const Expr& expr, const PrintedRelation& relation, const Dialect& dialect) {
  ExpressionPrinter printer = printer_over(relation, dialect);
  printer.expression(expr);
  return printer.take();
}

std::string print_operand(const Expr& expr, const PrintedRelation& relation, const Dialect& dialect) {
  ExpressionPrinter printer = printer_over(relation, dialect);
  printer.operand(expr);
  return printer.take();
}

}  // namespace tacit
