#include "bench/users_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/check.hpp"
#include "list_groups.hpp"
#include "noise/users/sampling_key.hpp"
#include "noise/users/users_release.hpp"
#include "rewrite/private_statement.hpp"

namespace tacit {
namespace {

Failure bug(const InvariantBroken& broken) {
  return {FailureCode::bug, broken.what(), "", "this is a bug of Tacit: please report it"};
}

void compare(const NoisyRows& noisy, const ExactAnswer& exact, DrawnErrors& drawn) {
  std::size_t shown = 0;
  double errors = 0.0;
  std::size_t numbers = 0;
  for (const auto& row : noisy.rows) {
    const std::vector<double>* values = exact.find(noisy.columns, row);
    if (values == nullptr) continue;
    ++shown;
    std::size_t next = 0;
    for (std::size_t i = 0; i < noisy.columns.size(); ++i) {
      if (noisy.columns[i].output.kind == OutputColumn::Kind::key) continue;
      const auto number = shown_number(row[i].value);
      const double truth = (*values)[next++];
      if (!number) continue;
      drawn.errors.add(*number, truth);
      if (truth == 0.0) continue;
      errors += std::abs(*number - truth) / std::abs(truth);
      ++numbers;
    }
  }
  if (numbers > 0) drawn.of_runs.add(1.0 + errors / static_cast<double>(numbers), 1.0);
  const double all = static_cast<double>(std::max<std::size_t>(exact.groups(), 1));
  drawn.suppressed += 1.0 - static_cast<double>(shown) / all;
}

// Whether the sampling key decides what counts.
bool samples(const UsersAnalysis& users) {
  return users.samples_groups || std::ranges::any_of(users.aggregates, [](const UserAggregate& aggregate) {
           return aggregate.value.kind == UserValue::Kind::distinct;
         });
}

Result<std::unique_ptr<DrawnErrors>> draw(Connection& opened, const PlannedQuery& planned, const ExactAnswer& exact,
                                          const DrawLimits& limits) {
  using Clock = std::chrono::steady_clock;
  Engine& engine = *opened.engine;
  TACIT_TRY(const Snapshot snapshot, Snapshot::begin(engine, planned.engine_query.tables));
  TACIT_TRY(const GroupList groups, list_groups(engine, planned));
  const auto entropy = system_entropy();
  const auto run = [&] {
    return engine.run(private_statement(planned.mechanism, engine.dialect(), SamplingKey{draw_sampling_key(*entropy)}));
  };
  TACIT_TRY(ExactRows rows, run());
  const bool sampled = samples(analysis_of<UsersAnalysis>(planned.mechanism.analyzed));
  RandomWords words(*entropy);
  auto drawn = std::make_unique<DrawnErrors>();
  const auto end = Clock::now() + std::chrono::duration<double>(limits.seconds);
  do {
    if (sampled && drawn->draws > 0) {
      TACIT_TRY(rows, run());
    }
    compare(release_users(rows, planned.mechanism, groups, words), exact, *drawn);
    ++drawn->draws;
  } while (drawn->draws < limits.most && Clock::now() < end);
  drawn->suppressed /= static_cast<double>(drawn->draws);
  return drawn;
}

}  // namespace

Result<std::unique_ptr<DrawnErrors>> draw_errors(Connection& opened, const PlannedQuery& planned,
                                                 const ExactAnswer& exact, const DrawLimits& limits) try {
  return draw(opened, planned, exact, limits);
} catch (const InvariantBroken& broken) {
  return fail(bug(broken));
}

Result<PlannedQuery> plan_for_bench(Connection& opened, const Question& question) try {
  return plan_query(opened, question);
} catch (const InvariantBroken& broken) {
  return fail(bug(broken));
}

void add_errors(Figures& figures, const DrawnErrors& drawn) {
  figures.emplace_back("draws", static_cast<double>(drawn.draws));
  if (drawn.errors.count() == 0) return;
  figures.emplace_back("error_median", drawn.errors.median());
  figures.emplace_back("error_mean", drawn.errors.mean());
  figures.emplace_back("error_p95", drawn.errors.quantile(0.95));
  figures.emplace_back("error_of_runs", drawn.of_runs.median());
}

Measurement measure_errors(const std::string& name, Connection& opened, const Question& question,
                           const ExactAnswer& exact, const DrawLimits& limits) {
  Measurement measured{name, {}};
  const auto planned = plan_for_bench(opened, question);
  if (!planned) {
    measured.note = sentence(planned.error());
    return measured;
  }
  const auto drawn = draw_errors(opened, *planned, exact, limits);
  if (!drawn) {
    measured.note = sentence(drawn.error());
    return measured;
  }
  add_errors(measured.figures, **drawn);
  measured.figures.emplace_back("suppressed", (*drawn)->suppressed);
  return measured;
}

std::string sentence(const Failure& failure) {
  return failure.hint.empty() ? failure.what : fmt::format("{}; {}", failure.what, failure.hint);
}

}  // namespace tacit
