#include "metric_soundness/probe.hpp"

#include "base/check.hpp"
#include "list_groups.hpp"
#include "mechanism/gen_cauchy.hpp"
#include "mechanism/student_t.hpp"
#include "noise/add_noise.hpp"
#include "noise/metric/metric_rows.hpp"
#include "sensitivity/metric/smooth_plan.hpp"

namespace tacit::soundness {
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

}  // namespace

Probe::Probe(const World& world, const std::vector<Data>& versions, testing::EngineKind engine) : database_(engine) {
  std::vector<std::string> statements;
  for (std::size_t version = 0; version < versions.size(); ++version) {
    for (auto& sql : create_statements(world, version)) statements.push_back(std::move(sql));
    for (auto& sql : insert_statements(world, versions[version], version)) statements.push_back(std::move(sql));
  }
  database_.run(statements);
  auto opened = open_policy(database_.write_policy(policy_text(world, versions.size())));
  if (opened)
    opened_.emplace(std::move(*opened));
  else
    failure_ = opened.error();
}

Result<PlannedQuery> Probe::plan(const Query& query, std::size_t version) const try {
  if (failure_) return fail(*failure_);
  Question question;
  question.sql = query.sql(schema_of(version));
  TACIT_TRY(PlannedQuery planned, plan_query(*opened_, question));
  TACIT_TRY(const GroupList groups, list_groups(*opened_->engine, planned));
  return planned;
} catch (const InvariantBroken& broken) {
  return fail({FailureCode::bug, broken.what(), "", ""});
}

Result<Outputs> Probe::run(const PlannedQuery& planned) {
  TACIT_TRY(const ExactRows exact, opened_->engine->run(planned.engine_query));
  Outputs outputs;
  for (const auto& cells : reveal_bounds(exact, planned.mechanism)) {
    auto& group = outputs.emplace_back();
    for (const OwnerCell& cell : cells) group.push_back({cell.value, cell.bound});
  }
  return outputs;
}

Guarantee guarantee_of(const PlannedQuery& planned) {
  const MechanismPlan& plan = planned.mechanism;
  Guarantee guarantee{{}, {}, plan.epsilon.value(), plan.eta};
  for (const MetricAggregatePlan& aggregate : plan_of<MetricPlan>(plan).aggregates) {
    for (const MetricNoise& noise : aggregate.noises) {
      guarantee.rounding.push_back(plan_of<MetricPlan>(plan).smooth.cells.at(guarantee.noise.size()).jump);
      guarantee.noise.push_back(noise_of(noise));
    }
  }
  return guarantee;
}

}  // namespace tacit::soundness
