#pragma once

#include <vector>

#include "bench/users_draws.hpp"
#include "bench/users_queries.hpp"
#include "bench/users_site.hpp"
#include "bench/write_results.hpp"

namespace tacit {

// The five parts of the users suite. A query that is refused, or fails, keeps its name and says why.

// Tables 3 and 4 of Wilson et al. 2020 at epsilon 0.1: `table3/QUERY`, and `table4/QUERY/RULE` for both rules of
// choosing groups.
Result<std::vector<Measurement>> measure_published_tables(UsersSite& site, const std::vector<NamedQuery>& queries,
                                                          const std::vector<PublishedError>& published,
                                                          const DrawLimits& limits);

// R2T's queries, `r2t/QUERY/EPSILON/BOUNDS`: bounds inferred as by default, and by the race.
Result<std::vector<Measurement>> measure_races(UsersSite& site, const std::vector<NamedQuery>& queries,
                                               const std::vector<PublishedRace>& published, const DrawLimits& limits);

// The 22 queries of TPC-H, `tpch/QUERY/USER` and, where the text had to change, `tpch/QUERY.standard/USER` with what
// Tacit says to TPC-H's own: times of the plain query, of the plain query joined to the owner, of the private statement
// and of the whole answer, in turn; errors at epsilon 1.
Result<std::vector<Measurement>> measure_tpch(UsersSite& site, const std::vector<NamedQuery>& queries, int repetitions,
                                              const DrawLimits& limits);

// The questions of other systems' comparison, `defaults/QUESTION/NAME`: without any option, beside the best of the
// options in hindsight and the least error of the others.
Result<std::vector<Measurement>> measure_defaults(UsersSite& site, const std::vector<NamedQuery>& queries,
                                                  const std::vector<PeerError>& peers, const DrawLimits& limits);

// The same for the shop of `tacit demo`, `demo/QUESTION/NAME`: a question without a point in its name has no options.
Result<std::vector<Measurement>> measure_demo(Connection& demo, BenchConnection& tables,
                                              const std::vector<NamedQuery>& queries, const DrawLimits& limits);

// Over the parts: how many of the 22 queries some user's policy answers, the means of the time ratios, and how many of
// our median errors are at or below the published ones (R2T's bare joins, bounds as by default).
Figures summarize_users(const std::vector<Measurement>& measurements);

}  // namespace tacit
