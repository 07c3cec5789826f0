#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sql/relation.hpp"

namespace tacit {

// A value that each row of a relation has: one of its columns (the address of the Column), or the owner of the row that
// a scan contributed to it (the address of the scan's Relation). Compared, never dereferenced.
using RowTerm = const void*;

// owner = the owner of the row of `table` whose columns `key` are `arguments`; nobody where there is no such row.
struct OwnerFunction {
  const TablePolicy* table = nullptr;
  std::vector<std::string> key;  // a key that the engine enforces, sorted by name
  std::vector<const Column*> arguments;
  RowTerm owner = nullptr;
  RelationPtr referenced;  // a scan that may be joined on the key; null where the table is in the query itself
};

// A part of the relation that contributes one of its rows to each row.
struct RowSource {
  std::vector<const Column*> columns;
  RowTerm owner = nullptr;  // null: public
  struct Key {
    std::vector<const Column*> columns;
    bool nulls_repeat = true;  // UNIQUE lets NULLs repeat, GROUP BY does not
  };
  std::vector<Key> keys;  // no two of its rows agree on all columns of one
};

// What holds for every row of a relation, known from the query text, the policy and the engine's constraints.
struct RowFacts {
  std::vector<std::pair<RowTerm, RowTerm>> equal;
  std::vector<RowTerm> not_null;
  std::vector<OwnerFunction> functions;
  std::vector<std::pair<const Column*, ExprPtr>> computed;  // by a subquery
  std::vector<RowSource> sources;
  // Right sides of LEFT JOINs: what holds besides for the rows that found a partner. `sources` are those of that side.
  std::vector<RowFacts> optional;

  void add(const RowFacts& other);
  // The top-level conjuncts `column = column` of a predicate that every row meets.
  void add_equalities(const ExprPtr& predicate);
};

// Which terms are equal in every row: the facts' equalities, and that a function of equal arguments has equal values.
class EqualTerms {
 public:
  explicit EqualTerms(const RowFacts& facts);
  RowTerm of(RowTerm term) const;  // the same one for equal terms
  bool same(RowTerm a, RowTerm b) const { return of(a) == of(b); }

 private:
  bool merge(RowTerm a, RowTerm b);
  std::map<RowTerm, RowTerm> parent_;
};

// Everything that is a function of `given` (and of the whole database, the same for all rows): terms that are equal in
// any two rows which agree on `given`. `never_null`: terms the caller knows not to be NULL.
class DeterminedTerms {
 public:
  DeterminedTerms(const RowFacts& facts, const std::vector<RowTerm>& given, const std::vector<RowTerm>& never_null);
  bool contains(RowTerm term) const { return terms_.contains(equal_.of(term)); }
  bool contains_all_of(const Expr& expr) const;  // every column it reads
  bool contains_row_of(const RowSource& source) const;

 private:
  bool spread(const RowFacts& facts);
  bool add(RowTerm term) { return terms_.insert(equal_.of(term)).second; }

  EqualTerms equal_;
  std::set<RowTerm> terms_;
  std::set<RowTerm> not_null_;
};

// Whether no two rows of the relation agree on `given`, partners of LEFT JOINs included.
bool determines_row(const RowFacts& facts, const std::vector<RowTerm>& given, const std::vector<RowTerm>& never_null);

}  // namespace tacit
