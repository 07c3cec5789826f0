#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "policy/policy.hpp"
#include "sql/expr.hpp"

namespace tacit {

struct Relation;
using RelationPtr = std::shared_ptr<const Relation>;

struct Scan {
  const TablePolicy* table = nullptr;  // owned by the Policy, which outlives the query
  std::string schema;                  // as the catalog spells it
  std::string name;
  std::vector<std::vector<std::string>> enforced_keys;  // unique keys the engine itself enforces
  bool reads_only_itself = false;                       // FROM ONLY (CatalogTable)
  ExprPtr sensitive_rows = nullptr;  // metric tables: the owner's predicate over public columns; null: every row
};

enum class JoinKind { inner, left, cross };
struct Join {
  JoinKind kind = JoinKind::inner;
  RelationPtr left;
  RelationPtr right;
  ExprPtr condition;  // null for a cross join
};

struct Filter {
  RelationPtr input;
  ExprPtr predicate;
};

// A FROM-subquery or WITH query without aggregates. columns[i] computes relation.columns[i].
struct Project {
  RelationPtr input;
  std::vector<ExprPtr> expressions;
};

// What FROM and WHERE say. Bag semantics, as SQL.
struct Relation {
  std::variant<Scan, Join, Filter, Project> node;
  std::vector<ColumnPtr> columns;  // what it produces; a Join produces the left's, then the right's
};

// Every table scan below, left to right.
std::vector<const Relation*> scans_of(const Relation& relation);

}  // namespace tacit
