#include "sql/print_relation.hpp"

#include <fmt/format.h>

#include "base/check.hpp"

namespace tacit {
namespace {

// Prints bottom up. Every scan and subquery has its own alias t1, t2, ...; a column's name never changes once its
// scan is printed, except that a subquery renames what it hands out.
class RelationPrinter {
 public:
  explicit RelationPrinter(Dialect dialect) : dialect_(dialect) {}

  PrintedRelation print(const Relation& relation) {
    PrintedRelation printed = print_rows(relation);
    printed.names = std::move(names_);
    return printed;
  }

 private:
  // A chain of filters over anything: the filters become WHERE.
  PrintedRelation print_rows(const Relation& relation) {
    std::vector<const Filter*> filters;
    const Relation* rows = &relation;
    while (const auto* filter = std::get_if<Filter>(&rows->node)) {
      filters.push_back(filter);
      rows = filter->input.get();
    }
    PrintedRelation printed;
    printed.from = print_item(*rows);
    for (auto filter = filters.rbegin(); filter != filters.rend(); ++filter) {
      const std::string predicate = print_predicate(*(*filter)->predicate);
      if (filters.size() == 1) {
        printed.where = predicate;
      } else {
        printed.where += fmt::format("{}({})", printed.where.empty() ? "" : " AND ", predicate);
      }
    }
    return printed;
  }

  // Something that may stand in FROM or on one side of JOIN.
  std::string print_item(const Relation& relation) {
    if (const auto* scan = std::get_if<Scan>(&relation.node)) return print_scan(*scan, relation);
    if (const auto* join = std::get_if<Join>(&relation.node)) return print_join(*join);
    if (const auto* project = std::get_if<Project>(&relation.node)) return print_project(*project, relation);
    return print_filter_below_join(relation);
  }

  std::string print_scan(const Scan& scan, const Relation& relation) {
    const std::string alias = next_alias();
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

  std::string print_filter_below_join(const Relation& relation) {
    const PrintedRelation inside = print_rows(relation);
    std::vector<std::string> selected;
    for (const auto& column : relation.columns) selected.push_back(names_.at(column.get()));
    return print_subquery(inside, selected, relation);
  }

  // (SELECT selected[0] AS c1, ... FROM ... WHERE ...) AS t3; the relation's columns are called t3.c1, ... from here
  // on.
  std::string print_subquery(const PrintedRelation& inside, const std::vector<std::string>& selected,
                             const Relation& relation) {
    TACIT_CHECK(selected.size() == relation.columns.size(), "a subquery computes each of its columns");
    const std::string alias = next_alias();
    std::string list;
    for (std::size_t i = 0; i < selected.size(); ++i) {
      list += fmt::format("{}{} AS c{}", i == 0 ? "" : ", ", selected[i], i + 1);
      names_[relation.columns[i].get()] = fmt::format("{}.c{}", alias, i + 1);
    }
    if (list.empty()) list = "1 AS c1";
    const std::string where = inside.where.empty() ? "" : " WHERE " + inside.where;
    return fmt::format("(SELECT {} FROM {}{}) AS {}", list, inside.from, where, alias);
  }

  std::string print_predicate(const Expr& expression) {
    ExpressionPrinter printer(dialect_, [this](const Column& column) {
      const auto found = names_.find(&column);
      TACIT_CHECK(found != names_.end(), "an expression reads columns of the relation below it");
      return found->second;
    });
    printer.expression(expression);
    return printer.take();
  }

  std::string next_alias() { return fmt::format("t{}", ++aliases_); }

  Dialect dialect_;
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

PrintedRelation print_relation(const Relation& relation, Dialect dialect) {
  return RelationPrinter(dialect).print(relation);
}

namespace {

ExpressionPrinter printer_over(const PrintedRelation& relation, Dialect dialect) {
  return {dialect, [&relation](const Column& column) {
            const auto found = relation.names.find(&column);
            TACIT_CHECK(found != relation.names.end(), "an expression reads columns of the relation it stands over");
            return found->second;
          }};
}

}  // namespace

std::string print_expression(const Expr& expr, const PrintedRelation& relation, Dialect dialect) {
  ExpressionPrinter printer = printer_over(relation, dialect);
  printer.expression(expr);
  return printer.take();
}

std::string print_operand(const Expr& expr, const PrintedRelation& relation, Dialect dialect) {
  ExpressionPrinter printer = printer_over(relation, dialect);
  printer.operand(expr);
  return printer.take();
}

}  // namespace tacit
