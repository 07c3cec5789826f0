#pragma once

#include <optional>
#include <string>

#include "soundness/case.hpp"
#include "soundness/metric/check.hpp"
#include "soundness/metric/query_writer.hpp"
#include "soundness/metric/random_world.hpp"
#include "soundness/metric/world.hpp"
#include "soundness/tally.hpp"

namespace tacit::soundness::metric {

// The metric model: cells of one database move, and value and bound of every answer keep what the noise relies on
// (check.hpp), over the distance that the owner's words give (distance.hpp). The only file here that knows Tacit's own
// types: what the statement computed, and which noise the plan adds to it.
struct MetricModel {
  using World = metric::World;
  using Data = metric::Data;
  using Writer = QueryWriter;
  struct Change {};
  struct Seen {
    Guarantee guarantee;
    Outputs outputs;
  };
  static constexpr int questions = 24;
  static constexpr std::uint64_t first_seed = 20261115;

  PublicFacts facts = PublicFacts::mostly_true;

  Scene<MetricModel> scene(Dice& dice, testing::EngineKind engine) const;
  static bool may_refuse(const World& world, const Failure& failure);
  static Result<PlannedQuery> plan(const OpenedWorld& opened, const std::string& sql);
  static tl::expected<Seen, std::string> look(const OpenedWorld& opened, const PlannedQuery& planned, bool is_first);
  static std::optional<std::string> find_violation(const Case<MetricModel>& test, const Seen& one, const Seen& other);
  static std::string describe(const Case<MetricModel>& test);
  static bool drop_rows(Shrinker<Case<MetricModel>>& shrinker);
  static void count_plan(const Query& query, const Seen& seen, Tally& tally);
  static void count_pair(const Case<MetricModel>& test, const Seen& one, const Seen& other, Tally& tally);
};

}  // namespace tacit::soundness::metric
