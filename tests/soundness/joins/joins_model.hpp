#pragma once

#include "soundness/joins/query_writer.hpp"
#include "soundness/joins/random_world.hpp"
#include "soundness/rows/rows_model.hpp"

namespace tacit::soundness::joins {

// The rows model over joins of private tables: as RowsModel, on worlds whose rows obey keys and dependencies. Every
// version is the data without some rows, so it obeys them too.
struct JoinsModel {
  using World = rows::World;
  using Data = rows::Data;
  using Change = rows::Change;
  using Writer = QueryWriter;
  using Seen = rows::RowsModel::Seen;
  static constexpr int questions = 60;
  static constexpr std::uint64_t first_seed = 20261118;

  static Scene<JoinsModel> scene(Dice& dice, testing::EngineKind engine);
  static bool may_refuse(const World&, const Failure&) { return false; }
  static Result<PlannedQuery> plan(const OpenedWorld& opened, const std::string& sql);
  static tl::expected<Seen, std::string> look(const OpenedWorld& opened, PlannedQuery planned, bool is_first);
  static std::optional<std::string> find_violation(const Case<JoinsModel>& test, const Seen& one, const Seen& other);
  static std::string describe(const Case<JoinsModel>& test);
  static bool drop_rows(Shrinker<Case<JoinsModel>>& shrinker);
  static void count_plan(const Query& query, const Seen& seen, Tally& tally);
  static void count_pair(const Case<JoinsModel>& test, const Seen& one, const Seen& other, Tally& tally);
  static void expect_every_feature(const Tally& tally);
};

}  // namespace tacit::soundness::joins
