#pragma once

#include <optional>
#include <string>

#include "soundness/case.hpp"
#include "soundness/tally.hpp"
#include "soundness/users/look.hpp"
#include "soundness/users/query_writer.hpp"
#include "soundness/users/random_world.hpp"
#include "soundness/users/world.hpp"

namespace tacit::soundness::users {

// The users model: one person leaves with every row they own, and what the statement counts moves by what one person
// may say (check.hpp), while no other row that it reads changes.
struct UsersModel {
  using World = users::World;
  using Data = users::Data;
  using Seen = users::Seen;
  using Writer = QueryWriter;
  struct Change {
    int person = 0;  // who leaves
  };
  static constexpr int questions = 12;
  static constexpr std::uint64_t first_seed = 20261116;

  static Scene<UsersModel> scene(Dice& dice, testing::EngineKind engine);
  // Where one person has several spellings.
  static bool may_refuse(const World& world, const Failure& failure);
  // Every version with the same sampling key.
  static Result<PlannedQuery> plan(const OpenedWorld& opened, const std::string& sql);
  static tl::expected<Seen, std::string> look(const OpenedWorld& opened, PlannedQuery planned, bool is_first);
  static std::optional<std::string> find_violation(const Case<UsersModel>& test, const Seen& all, const Seen& rest);
  static std::string describe(const Case<UsersModel>& test);
  static bool drop_rows(Shrinker<Case<UsersModel>>& shrinker);
  static void count_plan(const Query& query, const Seen& seen, Tally& tally);
  static void count_pair(const Case<UsersModel>& test, const Seen& all, const Seen& rest, Tally& tally);
};

}  // namespace tacit::soundness::users
