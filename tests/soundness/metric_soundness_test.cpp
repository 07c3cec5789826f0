// The metric model's central claim, on the real engines: for random schemas, policies, metrics, queries and pairs of
// databases, the value and the bound that the one statement computes keep every promise that the noise relies on, and
// the exact privacy loss of the answer stays within epsilon times the distance.

#include <algorithm>

#include "soundness/metric/metric_model.hpp"
#include "soundness/soundness.hpp"

namespace tacit::soundness::metric {
namespace {

using testing::EngineKind;

class MetricSoundness : public Soundness<MetricModel> {
 protected:
  void look(int count, std::uint64_t offset, EngineKind engine) {
    look_at_worlds(count, offset, engine);
    if (HasFailure()) return;
    tally_.expect_share("answered", 40, "asked", "the generator writes queries that are refused");
    tally_.expect_share("pairs", 300, "answered", "most versions of the data are the same");
    tally_.expect_share("moved", 10, "pairs", "most pairs look the same to the queries");
    tally_.expect_share("smooth", 10, "answered", "most bounds are constants");
  }
};

TEST_F(MetricSoundness, NoAnswerBreaksItsPromisesOnDuckDb) { look(count_, 0, EngineKind::duckdb); }

// A key or dependency of a public table that the data breaks is found before it carries a bound, or carries none.
TEST_F(MetricSoundness, NoAnswerRestsOnABrokenPublicTable) {
  model_.facts = PublicFacts::broken;
  look_at_worlds(std::max(1, count_ / 2), 2'000'000, EngineKind::duckdb);
  EXPECT_GE(tally_.refused_with("in the data"), tally_.of("worlds") / 4)
      << "no public table breaks what the policy says of it";
}

TEST_F(MetricSoundness, NoAnswerBreaksItsPromisesOnPostgres) {
  look(std::max(1, count_ / 15), 1'000'000, EngineKind::postgres);
}

}  // namespace
}  // namespace tacit::soundness::metric
