// The rows model's central claim, on the real engines: for random queries and random neighbouring databases, the cells
// of the private statement move by at most the proved l1 sensitivity over all groups together, and no statement ever
// fails.

#include <algorithm>

#include "soundness/rows/rows_model.hpp"
#include "soundness/soundness.hpp"

namespace tacit::soundness::rows {
namespace {

using testing::EngineKind;

class RowsSoundness : public Soundness<RowsModel> {
 protected:
  void look(int count, std::uint64_t offset, EngineKind engine) {
    look_at_worlds(count, offset, engine);
    if (HasFailure()) return;
    tally_.expect_share("answered", 33, "asked", "the generator writes queries that are refused");
    tally_.expect_share("moved", 15, "pairs", "most rows do not show in most answers");
    RowsModel::expect_every_feature(tally_);
  }
};

TEST_F(RowsSoundness, CellsMoveByAtMostTheSensitivityOnDuckDb) { look(count_, 0, EngineKind::duckdb); }

TEST_F(RowsSoundness, CellsMoveByAtMostTheSensitivityOnPostgres) {
  constexpr int least = 10;  // fewer may all be poor ones
  look(std::max(least, count_ / 3), 1'000'000, EngineKind::postgres);
}

}  // namespace
}  // namespace tacit::soundness::rows
