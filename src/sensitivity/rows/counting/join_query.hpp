#pragma once

#include <map>

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/groups/join_once.hpp"
#include "sensitivity/rows/counting/conjunctive_query.hpp"

namespace tacit {

// What a bound may rest on that the engine does not enforce, by its number in CqDependency::fact.
struct JoinFact {
  RelationPtr scan;
  std::vector<std::string> key;            // a declared primary key; empty: `dependency`
  const Dependency* dependency = nullptr;  // the policy's
  std::optional<DeclaredKey> word;         // private tables: by whose word it counts; empty: nobody's
};

// FROM and WHERE as a conjunctive query without head.
struct JoinQuery {
  ConjunctiveQuery query;
  std::vector<CqTerm> rows;                 // of each scan that counts row by row: which row
  std::vector<CqTerm> counted;              // what the keys of DISTINCT are computed from
  std::map<const Column*, CqTerm> term_of;  // of the scans' columns
  std::vector<JoinFact> facts;
  std::set<std::size_t> doubtful;  // facts that nobody vouches for: bounds may not rest on them
  JoinOnce parts;                  // for the groups: public scans, conditions, columns of subqueries
};

// Statement: the rows of the relation are the answers, counted by the rows of all scans, of the query with the
// conditions that it leaves out; so are the values of stored columns. A scan is an atom with a hidden column for the
// row itself, which determines the others. The conditions:
//   column = column, column = constant   one term, not NULL;
//   expression = ...                      a new term that its columns determine, and nothing else;
//   column IS NOT NULL                    not NULL;
//   every other one                       left out; the terms it reads are kept.
// Rows below DISTINCT and of IN and EXISTS only need to be there; of DISTINCT the keys' columns count. LEFT JOIN, NOT
// IN and NOT EXISTS with public rows are functions of the other rows. Preconditions:
//   1. private rows are not below aggregates, on the right of a LEFT JOIN, or below NOT IN and NOT EXISTS;
//   2. equality is one of values of one type, and none of doubles: these are left out as any other condition. Then each
//      value of a type equals no other one, whatever is read of it;
//   3. keys that the engine enforces hold for columns as they are read, where these are not NULL; declared ones of
//      private tables where they count (declared_keys.hpp), of public tables where the data are looked up.
// Facts about doubles are not used. Proof: join_query.md.
Result<JoinQuery> read_join(const RelationPtr& input);

// The query whose answers are the joined rows, or the combinations of values of the columns.
ConjunctiveQuery count_rows_of(const JoinQuery& join);
ConjunctiveQuery count_values_of(const JoinQuery& join, const std::vector<ColumnPtr>& columns);

}  // namespace tacit
