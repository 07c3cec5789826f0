#include "soundness/metric/metric_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/gen_cauchy.hpp"
#include "mechanism/student_t.hpp"
#include "noise/add_noise.hpp"
#include "noise/metric/metric_rows.hpp"
#include "sensitivity/metric/smooth_plan.hpp"
#include "soundness/metric/distance.hpp"
#include "soundness/metric/tight_world.hpp"

namespace tacit::soundness::metric {
namespace {

Noise noise_of(const MetricNoise& noise) {
  Noise result{Noise::Law::laplace, noise.epsilon.value(), noise.beta.value(), noise.b, 0.0};
  switch (noise.law) {
    case NoiseLaw::laplace: return result;
    case NoiseLaw::power_laplace: result.law = Noise::Law::power_laplace; return result;
    case NoiseLaw::gen_cauchy:
      result.law = Noise::Law::general_cauchy;
      result.shape = gen_cauchy_gamma;
      return result;
    case NoiseLaw::student_t:
      result.law = Noise::Law::student;
      result.shape = student_t_degrees;
      return result;
    default: break;
  }
  TACIT_CHECK(false, "the law has a pure loss, and check.cpp knows its density");
}

Guarantee guarantee_of(const MechanismPlan& plan) {
  Guarantee guarantee{{}, {}, plan.epsilon.value(), plan.eta};
  for (const MetricAggregatePlan& aggregate : plan_of<MetricPlan>(plan).aggregates) {
    for (const MetricNoise& noise : aggregate.noises) {
      guarantee.rounding.push_back(plan_of<MetricPlan>(plan).smooth.cells.at(guarantee.noise.size()).jump);
      guarantee.noise.push_back(noise_of(noise));
    }
  }
  return guarantee;
}

double distance_of(const Case<MetricModel>& test) { return distance(test.world, test.one, test.other); }

// Takes back moves of single cells.
bool keep_cells(Shrinker<Case<MetricModel>>& shrinker) {
  bool progress = false;
  const Case<MetricModel> before = shrinker.best();
  for (std::size_t t = 0; t < before.one.size(); ++t) {
    for (std::size_t r = 0; r < before.one[t].size(); ++r) {
      for (std::size_t c = 0; c < before.one[t][r].size(); ++c) {
        if (before.one[t][r][c] == before.other[t][r][c]) continue;
        Case<MetricModel> smaller = shrinker.best();
        smaller.other[t][r][c] = smaller.one[t][r][c];
        progress = shrinker.attempt(std::move(smaller)) || progress;
      }
    }
  }
  return progress;
}

}  // namespace

Scene<MetricModel> MetricModel::scene(Dice& dice, testing::EngineKind) const {
  constexpr std::size_t versions = 5;
  const bool is_tight = facts == PublicFacts::mostly_true && dice.percent(50);
  Start start = is_tight ? tight_start(dice) : random_start(dice, facts);
  Scene<MetricModel> scene{std::move(start.world), {std::move(start.data)}, {}};
  while (scene.versions.size() < versions) {
    const Data& from = is_tight && dice.percent(70) ? scene.versions.front() : dice.pick(scene.versions);
    scene.versions.push_back(is_tight ? worst_step(scene.world, from, dice) : move_cells(scene.world, from, dice));
  }
  for (std::size_t i = 0; i < versions; ++i) {
    for (std::size_t j = i + 1; j < versions; ++j) {
      const double d = distance(scene.world, scene.versions[i], scene.versions[j]);
      if (d != 0.0 && std::isfinite(d)) scene.pairs.push_back({i, j, {}});
    }
  }
  return scene;
}

bool MetricModel::may_refuse(const World&, const Failure&) { return false; }

Result<PlannedQuery> MetricModel::plan(const OpenedWorld& opened, const std::string& sql) {
  TACIT_TRY(PlannedQuery planned, opened.plan(sql));
  TACIT_TRY(const GroupList groups, opened.list_groups(planned));
  return planned;
}

tl::expected<MetricModel::Seen, std::string> MetricModel::look(const OpenedWorld& opened, const PlannedQuery& planned,
                                                               bool) {
  const auto exact = opened.run(planned);
  if (!exact) return tl::unexpected("the statement fails: " + to_line(exact.error()));
  Seen seen{guarantee_of(planned.mechanism), {}};
  for (const auto& cells : reveal_bounds(*exact, planned.mechanism)) {
    auto& group = seen.outputs.emplace_back();
    for (const OwnerCell& cell : cells) group.push_back({cell.value, cell.bound});
  }
  return seen;
}

std::optional<std::string> MetricModel::find_violation(const Case<MetricModel>& test, const Seen& one,
                                                       const Seen& other) {
  const double d = distance_of(test);
  if (!std::isfinite(d)) return std::nullopt;
  return metric::find_violation(one.guarantee, one.outputs, other.outputs, d);
}

std::string MetricModel::describe(const Case<MetricModel>& test) {
  return fmt::format("distance {:.17g}, epsilon {}", distance_of(test), test.world.epsilon);
}

bool MetricModel::drop_rows(Shrinker<Case<MetricModel>>& shrinker) {
  bool progress = false;
  for (std::size_t t = 0; t < shrinker.best().one.size(); ++t) {
    const auto drop_moved_row = [t](auto& test, std::size_t row) {
      test.other[t].erase(test.other[t].begin() + static_cast<std::ptrdiff_t>(row));
    };
    progress = shrinker.drop([t](auto& test) -> auto& { return test.one[t]; }, 0, drop_moved_row) || progress;
  }
  return keep_cells(shrinker) || progress;
}

void MetricModel::count_plan(const Query&, const Seen& seen, Tally& tally) {
  const auto& noise = seen.guarantee.noise;
  tally.count("smooth", std::ranges::any_of(noise, [](const Noise& n) { return n.beta > 0.0; }) ? 1 : 0);
}

void MetricModel::count_pair(const Case<MetricModel>& test, const Seen& one, const Seen& other, Tally& tally) {
  const double d = distance_of(test);
  const double share = loss_share(one.guarantee, one.outputs, other.outputs, d);
  tally.count("moved", share > 0.0 ? 1 : 0);
  if (d > 1e-3) tally.raise("largest share of epsilon", share);
}

}  // namespace tacit::soundness::metric
