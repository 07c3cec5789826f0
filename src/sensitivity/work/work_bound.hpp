#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "sql/relation.hpp"

namespace tacit {

// How much work one private row can decide about (join_work.md). Time is seen by whoever asks.
constexpr long long most_rows_met = 10'000;         // rows of public tables that one private row is joined with
constexpr long long most_rows_met_by_pairs = 100;   // the same where rows of one person are paired with each other
constexpr long long most_public_pairs = 1'000'000;  // rows of public tables that are joined with each other
constexpr int most_free_tables = 2;                 // private tables whose rows of one person are combined freely
constexpr int most_reads = 8;                       // times that a query reads one table, ...
constexpr long long most_rows_read = 1'000'000;     // ... or rows of a public one that is read more often

// A public number: the largest number of rows that share their values of `columns`; all rows where there are none.
struct RowCount {
  RelationPtr rows;  // a Scan or Group, perhaps filtered, whose rows and columns here are public
  std::vector<const Column*> columns;
  std::string tables;  // for messages
};

// A product of public numbers that is compared with a limit before the query is charged.
struct WorkBound {
  enum class Of {
    private_row,   // rows that one private row is joined with
    pair_of_rows,  // rows that two rows of one person are joined with
    public_join,   // rows of a join of public tables, which an engine may compute only where a private row needs it
    reading,       // rows of one public table, `times` times
  };
  Of of = Of::private_row;
  std::vector<RowCount> factors;
  int times = 1;
};

// Compares the work of one query with the limits: that of each join with a private row by itself (there are at most as
// many as tables in a query), public work in all.
class WorkTally {
 public:
  // REQUIRES: counts[i] is the number of bound.factors[i].
  Status add(const WorkBound& bound, const std::vector<long long>& counts);

 private:
  long long pairs_ = 0;
  long long read_ = 0;
};

}  // namespace tacit
