#pragma once

#include "answer_query.hpp"
#include "metric_soundness/check.hpp"
#include "metric_soundness/query_writer.hpp"
#include "metric_soundness/world.hpp"
#include "plan_query.hpp"
#include "support/test_database.hpp"

namespace tacit::soundness {

// Versions of the data side by side in one database, opened as Tacit opens it. The only file here that knows Tacit's
// own types: what the statement computed, and which noise the plan adds to it.
class Probe {
 public:
  Probe(const World& world, const std::vector<Data>& versions, testing::EngineKind engine);

  const std::optional<Failure>& failure() const { return failure_; }  // why the policy was not accepted
  Result<PlannedQuery> plan(const Query& query, std::size_t version) const;
  Result<Outputs> run(const PlannedQuery& planned);

 private:
  testing::TestDatabase database_;
  std::optional<OpenedPolicy> opened_;
  std::optional<Failure> failure_;
};

Guarantee guarantee_of(const PlannedQuery& planned);

}  // namespace tacit::soundness
