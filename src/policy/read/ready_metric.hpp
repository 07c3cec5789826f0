#pragma once

#include "policy/policy.hpp"
#include "policy/toml/complaints.hpp"

namespace tacit {

// A ready name means a distance between whole databases, as the literature uses it. One exponent combines columns, rows
// and tables; hamming alone looks at a row as a whole first:
//
//                         columns                 rows   tables    distance between two databases
//   hamming               linf of discrete        l1     l1        how many rows differ
//   manhattan             l1                      l1     l1        the sum of all changes
//   normalized_manhattan  l1 of shares of range   l1     l1        the same, each change as a share of the column's
//   range maximum               linf                    linf   linf      the largest change anywhere euclidean l2 l2 l2
//   the length of all changes as one vector
NormExponent columns_combine(ReadyMetric ready);
NormExponent databases_combine(ReadyMetric ready);  // rows, and tables

// Sets tables_combine to what the tables' ready names mean. Where there are several metric tables, complains
//   1. about ready names that combine tables in different ways;
//   2. about a tables_combine that says something else than they do.
void fix_tables_combine(Policy& policy, Complaints& complaints);

}  // namespace tacit
