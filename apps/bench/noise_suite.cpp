#include <ctime>

#include "bench/suite.hpp"
#include "bench/write_results.hpp"
#include "engine/exact_rows.hpp"
#include "noise/add_noise.hpp"

namespace tacit {
namespace {

constexpr std::size_t groups_per_run = 200'000;

MechanismPlan plan_with(NoiseLaw law, Int128 sensitivity, int scale) {
  MechanismPlan plan;
  plan.epsilon = Epsilon(1.0);
  auto& query = plan.analyzed.query;
  query.aggregates.push_back({AggregateKind::sum, nullptr, 0});
  query.keys.resize(1);
  const SqlType type = scale == 0 ? SqlType::integer(64) : SqlType::decimal(38, scale);
  query.outputs.push_back({OutputColumn::Kind::aggregate, 0, "value", type});
  plan.analyzed.model = RowsAnalysis{{{{Grid::Base::decimal, scale}, 0, sensitivity, sensitivity}}};
  plan.model = RowsPlan{{{law, Epsilon(1.0), sensitivity, 0, 1}}};
  return plan;
}

// Of this thread: what one core does, however busy the machine is.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Millions of noisy cells per second, median over the repetitions.
double cells_per_second(const MechanismPlan& plan, int repetitions) {
  GroupList groups;
  for (std::size_t i = 0; i < groups_per_run; ++i) groups.push_back({Decimal{static_cast<Int128>(i), 0}});
  const auto entropy = system_entropy();
  std::vector<double> rates;
  for (int i = 0; i < repetitions; ++i) {
    ExactRows::Builder builder(1, 1);
    for (const auto& group : groups) {
      builder.add_key(group[0]);
      builder.add_cell(1000);
    }
    ExactRows rows = builder.finish();
    const double start = processor_seconds();
    const NoisyRows noisy = add_noise(std::move(rows), plan, groups, *entropy);
    const double seconds = processor_seconds() - start;
    rates.push_back(static_cast<double>(noisy.rows.size()) / seconds / 1e6);
  }
  return median(rates);
}

}  // namespace

Result<std::string> run_noise_suite(const BenchOptions& options) {
  const std::vector<Measurement> measurements = {
      {"geometric_count",
       {{"million_cells_per_second", cells_per_second(plan_with(NoiseLaw::geometric, 1, 0), options.repetitions)}}},
      {"geometric_wide",
       {{"million_cells_per_second",
         cells_per_second(plan_with(NoiseLaw::geometric, 1'000'000, 0), options.repetitions)}}},
      {"laplace_sum",
       {{"million_cells_per_second",
         cells_per_second(plan_with(NoiseLaw::laplace, 1'000'000, 2), options.repetitions)}}},
  };
  TACIT_TRY_STATUS(write_results(options.results_directory, "noise", "none", options.scale, measurements));
  return print_measurements(measurements);
}

}  // namespace tacit
