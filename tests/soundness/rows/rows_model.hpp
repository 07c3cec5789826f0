#pragma once

#include <optional>
#include <string>

#include "soundness/case.hpp"
#include "soundness/rows/check.hpp"
#include "soundness/rows/query_writer.hpp"
#include "soundness/rows/random_world.hpp"
#include "soundness/rows/world.hpp"
#include "soundness/tally.hpp"
#include "soundness/users/check.hpp"

namespace tacit::soundness::rows {

// The rows model: one row goes or becomes another, and the cells of the one statement move by at most what was proved.
// Where the releases of the users model answer, a row that goes moves them by what one user may say
// (soundness/users/check.hpp); one that becomes another is one that goes and one that comes, each looked at by itself.
struct RowsModel {
  using World = rows::World;
  using Data = rows::Data;
  using Change = rows::Change;
  using Writer = QueryWriter;
  struct Seen {
    PlannedQuery planned;
    Cells cells;                 // of a plan of the model's own
    users::Cells cells_of_rows;  // of a plan in which every row is a user
  };
  static constexpr int questions = 12;
  static constexpr std::uint64_t first_seed = 20261118;

  static Scene<RowsModel> scene(Dice& dice, testing::EngineKind engine);
  static bool may_refuse(const World& world, const Failure& failure);
  static Result<PlannedQuery> plan(const OpenedWorld& opened, const std::string& sql);
  static tl::expected<Seen, std::string> look(const OpenedWorld& opened, PlannedQuery planned, bool is_first);
  static std::optional<std::string> find_violation(const Case<RowsModel>& test, const Seen& one, const Seen& other);
  // For any world in which a row of a table of the rows model changes.
  static std::optional<std::string> find_violation(const Change& change, const Seen& one, const Seen& other);
  static std::string describe(const Case<RowsModel>& test);
  static bool drop_rows(Shrinker<Case<RowsModel>>& shrinker);
  static void count_plan(const Query& query, const Seen& seen, Tally& tally);
  static void count_pair(const Case<RowsModel>& test, const Seen& one, const Seen& other, Tally& tally);
  // Each way to write a question that count_plan counts is among those that were answered.
  static void expect_every_feature(const Tally& tally);
};

}  // namespace tacit::soundness::rows
