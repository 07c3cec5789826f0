// Noisy cells per second on one core: the path of add_noise from an exact Int128 cell to a noisy one, on the shipped
// entropy. The argument is the scale of the noise in grid units as sensitivity, with epsilon 1/3 (a full mantissa).
#include <benchmark/benchmark.h>

#include <vector>

#include "noise/add_noise.hpp"
#include "noise/cell_noise.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {
namespace {

constexpr double epsilon = 1.0 / 3.0;

void noisy_cells(benchmark::State& state, NoiseLaw law) {
  RowsAggregatePlan plan;
  plan.law = law;
  plan.epsilon = Epsilon(epsilon);
  plan.sensitivity_units = state.range(0);
  const auto noise = cell_noise(plan);
  const auto entropy = system_entropy();
  RandomWords words(*entropy);
  std::vector<Int128> cells(4096, 1'000'000);
  for (auto _ : state) {
    for (Int128& cell : cells) cell = noise->add_to(1'000'000, words);
    benchmark::DoNotOptimize(cells.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells.size()));
}

void laplace_cells(benchmark::State& state) { noisy_cells(state, NoiseLaw::laplace); }
void geometric_cells(benchmark::State& state) { noisy_cells(state, NoiseLaw::geometric); }
BENCHMARK(laplace_cells)->Arg(1)->Arg(1'000)->Arg(1'000'000'000)->Arg(1'000'000'000'000)->Arg(1'000'000'000'000'000);
BENCHMARK(geometric_cells)->Arg(1)->Arg(1'000)->Arg(1'000'000'000)->Arg(1'000'000'000'000)->Arg(1'000'000'000'000'000);

// The whole stage: match engine rows to groups, add noise, order by the noisy count, build the answer.
void answer_of_groups(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  MechanismPlan plan;
  plan.analyzed.query.keys.resize(1);
  plan.analyzed.query.aggregates.resize(1);
  plan.analyzed.query.outputs = {{OutputColumn::Kind::key, 0, "k", SqlType::integer()},
                                 {OutputColumn::Kind::aggregate, 0, "n", SqlType::integer()}};
  plan.analyzed.query.order_by = {{1, true, false}};
  plan.analyzed.model = RowsAnalysis{{{Grid{}, 0, 1, 1}}};
  plan.model = RowsPlan{{{NoiseLaw::geometric, Epsilon(epsilon), 1, 0, 1}}};
  GroupList groups;
  for (std::size_t i = 0; i < count; ++i) groups.push_back({Decimal{static_cast<Int128>(i), 0}});
  const auto entropy = system_entropy();
  for (auto _ : state) {
    state.PauseTiming();
    ExactRows::Builder builder(1, 1);
    for (std::size_t i = 0; i < count; ++i) {
      builder.add_key(Decimal{static_cast<Int128>(count - 1 - i), 0});
      builder.add_cell(static_cast<Int128>(i % 1000));
    }
    ExactRows exact = builder.finish();
    state.ResumeTiming();
    benchmark::DoNotOptimize(add_noise(std::move(exact), plan, groups, *entropy));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(answer_of_groups)->Arg(1'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tacit

BENCHMARK_MAIN();
