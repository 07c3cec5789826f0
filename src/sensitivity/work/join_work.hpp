#pragma once

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/work/join_block.hpp"

namespace tacit {

struct JoinWork {
  std::vector<WorkBound> bounds;  // inner blocks first: a number is read after those that bound its reading
  Derivation derivation;          // empty rule: nothing to say
};

// Statement: as far as the statement's joins go, what one person's rows decide about is at most
//   most_rows_met joined rows for each of those rows, where at most one private source is free in every block; or
//   most_rows_met_by_pairs for each pair of them, where two are; and, whatever the person's rows,
//   most_public_pairs rows of joins of public tables, and most_reads readings of each table.
// Preconditions:
//   1. the numbers of `bounds` are within their limits (WorkTally), which is checked on public data before the charge;
//   2. declared primary keys of private tables are keys (the owner's word).
// Refuses what exceeds the limits whatever the data: more than most_free_tables free private sources in a block, and
// more than most_reads readings of a private table. Proof, and what is assumed of engines: join_work.md.
Result<JoinWork> bound_join_work(const RelationPtr& input, const JoinFacts& facts);

}  // namespace tacit
