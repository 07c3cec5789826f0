#include "noise/metric/metric_rows.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "noise/answer_table.hpp"
#include "noise/arrange_groups.hpp"
#include "noise/cell_noise.hpp"
#include "noise/exact_rows_reader.hpp"
#include "noise/perhaps_empty.hpp"
#include "noise/release.hpp"
#include "noise/value_order.hpp"

namespace tacit {
namespace {

using MetricNoises = std::vector<std::vector<std::unique_ptr<const MetricCellNoise>>>;  // per aggregate and cell

std::vector<std::size_t> owned_cells(const MetricPlan& plan) {
  std::vector<std::size_t> owned;
  for (const MetricAggregatePlan& aggregate : plan.aggregates) {
    if (aggregate.empty_cell) owned.push_back(*aggregate.empty_cell);
    for (std::size_t i = 0; i < aggregate.noises.size(); ++i) {
      owned.push_back(aggregate.first_cell + i);
      if (aggregate.noises[i].bound_cell) owned.push_back(*aggregate.noises[i].bound_cell);
    }
  }
  return owned;
}

// In the order of their keys, so that nothing else shows.
struct GroupsAndCells {
  GroupList groups;
  CellTable cells;
};

GroupsAndCells metric_cells(const ExactRows& exact, const MechanismPlan& plan) {
  const ExactRowsReader reader(exact);
  check_cells(owned_cells(plan_of<MetricPlan>(plan)), reader.cell_columns());
  std::vector<std::size_t> order(reader.row_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const auto left = reader.keys(a);
    const auto right = reader.keys(b);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const auto compared = compare_values(left[i], right[i]);
      if (compared != 0) return compared < 0;
    }
    return false;
  });
  GroupsAndCells result{{}, CellTable(order.size(), reader.cell_columns())};
  for (std::size_t group = 0; group < order.size(); ++group) {
    const auto keys = reader.keys(order[group]);
    result.groups.emplace_back(keys.begin(), keys.end());
    std::ranges::copy(reader.cells(order[group]), result.cells.row(group).begin());
  }
  return result;
}

void add_metric_noise(CellTable& table, std::size_t groups, const MetricPlan& plan, const MetricNoises& noises,
                      RandomWords& words) {
  for (std::size_t group = 0; group < groups; ++group) {
    const auto cells = table.row(group);
    for (std::size_t i = 0; i < noises.size(); ++i) {
      const MetricAggregatePlan& aggregate = plan.aggregates[i];
      for (std::size_t j = 0; j < aggregate.noises.size(); ++j) {
        const auto& bound = aggregate.noises[j].bound_cell;
        Int128& cell = cells[aggregate.first_cell + j];
        cell = noises[i][j]->add_to(cell, bound ? cells[*bound] : 0, words);
      }
    }
    // Bounds are private: they end here.
    for (const MetricAggregatePlan& aggregate : plan.aggregates) {
      for (const MetricNoise& noise : aggregate.noises) {
        if (noise.bound_cell) cells[*noise.bound_cell] = 0;
      }
    }
  }
}

std::vector<AnswerColumn> metric_columns(const MechanismPlan& plan, const MetricNoises& noises) {
  std::vector<AnswerColumn> columns;
  for (const OutputColumn& output : plan.analyzed.query.outputs) {
    if (output.kind == OutputColumn::Kind::key) {
      columns.push_back({output.index, nullptr});
      continue;
    }
    std::vector<const MetricCellNoise*> own;
    if (!noises.empty()) {
      for (const auto& noise : noises.at(output.index)) own.push_back(noise.get());
    }
    columns.push_back({0, metric_release_of(plan, output, own)});
  }
  return columns;
}

// Why the column's intervals are about the noise alone: noisy_rows.hpp.
std::string metric_left_out(const AnalyzedQuery& analyzed, const OutputColumn& output) {
  if (std::string cut = cut_by_noisy_value(analyzed.query); !cut.empty()) return cut;
  const bool soft = std::ranges::any_of(analysis_of<MetricAnalysis>(analyzed).cells,
                                        [](const auto& cell) { return !cell.filter->soft_columns.empty(); });
  if (soft) return "conditions on measured columns are soft";
  return analyzed.query.aggregates.at(output.index).unclamped ? values_are_moved : "";
}

NoisyColumn describe_metric_column(const MechanismPlan& plan, const OutputColumn& output) {
  if (output.kind == OutputColumn::Kind::key) return {output, "", std::nullopt};
  const auto& noises = plan_of<MetricPlan>(plan).aggregates.at(output.index).noises;
  const MetricNoise& noise = noises.front();
  std::optional<double> scale;
  if (noise.constant && noises.size() == 1) scale = *noise.constant / noise.b;
  return {output, name_of(noise.law), scale, metric_left_out(plan.analyzed, output)};
}

}  // namespace

NoisyRows release_metric(const ExactRows& exact, const MechanismPlan& plan, RandomWords& words) {
  GroupsAndCells table = metric_cells(exact, plan);
  const auto& metric = plan_of<MetricPlan>(plan);
  MetricNoises noises;
  for (const MetricAggregatePlan& aggregate : metric.aggregates) {
    auto& own = noises.emplace_back();
    for (const MetricNoise& noise : aggregate.noises) own.push_back(metric_cell_noise(noise));
  }
  add_metric_noise(table.cells, table.groups.size(), metric, noises, words);
  NoisyRows answer = present(plan.analyzed.query, table.groups, table.cells, metric_columns(plan, noises));
  for (const OutputColumn& output : plan.analyzed.query.outputs)
    answer.columns.push_back(describe_metric_column(plan, output));
  answer.notes = describe_empty(plan.analyzed.query, answer.rows);
  return answer;
}

NoisyRows reveal_metric(const ExactRows& exact, const MechanismPlan& plan) {
  const GroupsAndCells table = metric_cells(exact, plan);
  NoisyRows answer = present(plan.analyzed.query, table.groups, table.cells, metric_columns(plan, {}));
  for (const OutputColumn& output : plan.analyzed.query.outputs) answer.columns.push_back({output, "", std::nullopt});
  return answer;
}

std::vector<std::vector<OwnerCell>> reveal_bounds(const ExactRows& exact, const MechanismPlan& plan) {
  const GroupsAndCells table = metric_cells(exact, plan);
  std::vector<std::vector<OwnerCell>> rows;
  for (std::size_t group = 0; group < table.groups.size(); ++group) {
    const auto cells = table.cells.row(group);
    auto& row = rows.emplace_back();
    for (const MetricAggregatePlan& aggregate : plan_of<MetricPlan>(plan).aggregates) {
      for (std::size_t j = 0; j < aggregate.noises.size(); ++j) {
        const MetricNoise& noise = aggregate.noises[j];
        const Int128 log_bound = noise.bound_cell ? cells[*noise.bound_cell] : 0;
        row.push_back(
            {static_cast<double>(cells[aggregate.first_cell + j]) * step_of(noise.grid), bound_of(noise, log_bound)});
      }
    }
  }
  return rows;
}

}  // namespace tacit
