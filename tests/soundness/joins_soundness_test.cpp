// The rows model over joins of private tables, on the real engines: for random databases, keys and dependencies that
// hold in them, and random joins, the cells of the private statement move by at most the proved l1 sensitivity between
// neighbours, over all groups together.

#include <algorithm>

#include "soundness/joins/joins_model.hpp"
#include "soundness/soundness.hpp"

namespace tacit::soundness::joins {
namespace {

using testing::EngineKind;

class JoinsSoundness : public Soundness<JoinsModel> {
 protected:
  void look(int count, std::uint64_t offset, EngineKind engine) {
    look_at_worlds(count, offset, engine);
    if (HasFailure()) return;
    tally_.expect_share("answered", 10, "asked", "the generator writes queries that are refused");
    tally_.expect_share("moved", 8, "pairs", "most rows do not show in most answers");
    JoinsModel::expect_every_feature(tally_);
  }
};

TEST_F(JoinsSoundness, CellsMoveByAtMostTheSensitivityOnDuckDb) {
  look(std::max(5, count_ / 5), 0, EngineKind::duckdb);
}

TEST_F(JoinsSoundness, CellsMoveByAtMostTheSensitivityOnPostgres) {
  constexpr int least = 5;  // fewer may all be poor ones
  look(std::max(least, count_ / 10), 1'000'000, EngineKind::postgres);
}

}  // namespace
}  // namespace tacit::soundness::joins
