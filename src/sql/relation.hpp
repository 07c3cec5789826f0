#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "policy/policy.hpp"
#include "sql/aggregate.hpp"
#include "sql/expr.hpp"

namespace tacit {

struct Relation;
using RelationPtr = std::shared_ptr<const Relation>;

// A primary key of a users or rows table, or a dependency of a rows table, that the engine does not enforce but that
// counts, by the owner's word.
struct DeclaredKey {
  std::vector<std::string> columns;
  std::string verified_at;      // UTC; empty: keys = "trusted"
  std::string state;            // that it was verified on (CatalogTable::key_state)
  std::string dependency = {};  // "patient ->[3] rows"; empty: the key `columns`
};

struct Scan {
  const TablePolicy* table = nullptr;  // owned by the Policy, which outlives the query
  std::string schema;                  // as the catalog spells it
  std::string name;
  std::vector<std::vector<std::string>> enforced_keys;  // unique keys the engine itself enforces
  bool reads_only_itself = false;                       // FROM ONLY (CatalogTable)
  ExprPtr sensitive_rows = nullptr;        // metric tables: the owner's predicate over public columns; null: every row
  std::vector<std::string> not_null = {};  // columns that the engine keeps from being NULL
  // users tables with owner_through: a scan of the referenced table, for a join that leads to the owner. Not part of
  // the query until someone joins it; every scan has its own.
  RelationPtr referenced = nullptr;
  std::optional<DeclaredKey> declared_key = std::nullopt;
  std::vector<std::optional<DeclaredKey>> declared_dependencies = {};  // rows tables: those of the policy, in order
  bool key_can_be_verified = false;  // its rows are in a state that can be told from others
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

// A FROM-subquery or WITH query with GROUP BY, or SELECT DISTINCT: one row for each combination of the keys. Without
// keys (aggregates alone) exactly one row. HAVING is a Filter above it. Answered in the users model alone.
struct Group {
  RelationPtr input;
  std::vector<ExprPtr> keys;
  std::vector<Aggregate> aggregates;  // count*, sum, average, minimum, maximum; computed without noise
};

// The rows of `left` for which `right` has at least one row (anti: no row) that meets the condition: EXISTS, IN, and
// their negations. The condition reads columns of both. Answered in the users model alone.
struct SemiJoin {
  RelationPtr left;
  RelationPtr right;
  ExprPtr condition;
  bool anti = false;
};

// What FROM and WHERE say. Bag semantics, as SQL.
struct Relation {
  std::variant<Scan, Join, Filter, Project, Group, SemiJoin> node;
  // What it produces; a Join produces the left's, then the right's; a Group its keys, then its aggregates; a SemiJoin
  // the left's.
  std::vector<ColumnPtr> columns;
};

// Null where the relation holds neither a Group nor a SemiJoin; else the name of the clause for messages.
const char* nested_clause(const Relation& relation);

// True when no row holds NULL in the column, one of the relation's: by what the engine enforces, or by a condition
// `column IS NOT NULL` below.
bool never_null(const Relation& relation, const Column& column);

// Every table scan below, left to right.
std::vector<const Relation*> scans_of(const Relation& relation);

}  // namespace tacit
