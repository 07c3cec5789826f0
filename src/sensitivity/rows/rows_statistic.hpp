#pragma once

#include <array>
#include <vector>

#include "policy/policy.hpp"
#include "sensitivity/rows/rows_analysis.hpp"
#include "sql/aggregate.hpp"

namespace tacit {

// One exact integer that the engine returns for a group; rewrite/rows/rows_statement.cpp prints it.
enum class RowsCell {
  count,       // COUNT(*), or COUNT(x)
  distinct,    // COUNT(DISTINCT x)
  sum,         // SUM(x)
  above_low,   // SUM(x - lo) over the rows with a value
  below_high,  // SUM(hi - x) over these
};

// One aggregate of the rows model: everything about it that needs no entropy. One file in aggregates/ each; its release
// is a file of the same name in noise/rows/aggregates/.
//
// Statement: with each row in at most one group, and its contribution as RowsAggregate says, the vector of all its
// cells over all groups moves by at most l1_sensitivity in l1. Proof: aggregate_bound.md.
class RowsStatistic {
 public:
  RowsStatistic() = default;
  RowsStatistic(const RowsStatistic&) = delete;
  RowsStatistic& operator=(const RowsStatistic&) = delete;
  virtual ~RowsStatistic() = default;

  virtual bool answers(AggregateKind kind) const = 0;  // no two statistics the same
  virtual std::vector<RowsCell> cells() const = 0;
  // It adds up the argument, whose range must be stated; else a row counts as 1, whatever it says.
  virtual bool adds_values() const = 0;
  // `grouped`: rows may be in different groups.
  virtual Int128 l1_sensitivity(const RowsAggregate& contribution, RowNeighbour neighbour, bool grouped) const = 0;
};

const RowsStatistic& rows_count();     // COUNT(*), COUNT(x)
const RowsStatistic& rows_distinct();  // COUNT(DISTINCT x)
const RowsStatistic& rows_sum();
const RowsStatistic& rows_average();

// All of them. noise/rows/rows_releases.hpp has a release for each, or does not compile.
inline constexpr auto rows_statistics = std::to_array<const RowsStatistic& (*)()>({
    rows_count,
    rows_distinct,
    rows_sum,
    rows_average,
});

// Null where the rows model has none for it.
const RowsStatistic* find_rows_statistic(AggregateKind kind);
// Of an aggregate that was analysed.
const RowsStatistic& rows_statistic_of(AggregateKind kind);

}  // namespace tacit
