#include "noise/add_noise.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/check.hpp"
#include "noise/arrange_groups.hpp"
#include "noise/cell_noise.hpp"
#include "noise/cell_table.hpp"
#include "noise/exact_rows_reader.hpp"
#include "noise/grid_value.hpp"
#include "noise/perhaps_empty.hpp"
#include "noise/random_words.hpp"
#include "noise/release.hpp"
#include "noise/users/users_release.hpp"
#include "noise/value_order.hpp"
#include "sensitivity/metric/metric_analysis.hpp"

namespace tacit {
namespace {

using Noises = std::vector<std::unique_ptr<const CellNoise>>;  // one per aggregate; none for the owner's view

void check_aggregates(const MechanismPlan& plan) {
  const auto& aggregates = plan.analyzed.query.aggregates;
  TACIT_CHECK(plan.aggregates.size() == aggregates.size() && plan.analyzed.aggregates.size() == aggregates.size(),
              "every aggregate is analysed and planned");
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    TACIT_CHECK(plan.aggregates[i].cells == (aggregates[i].kind == AggregateKind::average ? 2 : 1),
                "an average takes two engine cells, other aggregates one");
  }
}

// Each engine cell belongs to exactly one aggregate, so that each gets noise once.
void check_cells(const MechanismPlan& plan, std::size_t cell_columns) {
  std::vector<int> owners(cell_columns, 0);
  for (const AggregatePlan& planned : plan.aggregates) {
    TACIT_CHECK(planned.first_cell + planned.cells <= cell_columns, "the engine returned every cell of the plan");
    for (std::size_t i = 0; i < planned.cells; ++i) ++owners[planned.first_cell + i];
    if (planned.empty_cell) {
      TACIT_CHECK(*planned.empty_cell < cell_columns, "the engine returned every cell of the plan");
      ++owners[*planned.empty_cell];
    }
    for (const MetricNoise& noise : planned.metric) {
      if (!noise.bound_cell) continue;
      TACIT_CHECK(*noise.bound_cell < cell_columns, "the engine returned every bound of the plan");
      ++owners[*noise.bound_cell];
    }
  }
  TACIT_CHECK(std::ranges::all_of(owners, [](int count) { return count == 1; }),
              "an engine cell belongs to one aggregate");
}

using MetricNoises = std::vector<std::vector<std::unique_ptr<const MetricCellNoise>>>;  // per aggregate and cell

// What the plan and the engine's answer promise each other.
CellTable checked_cells(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups) {
  check_aggregates(plan);
  check_cells(plan, ExactRowsReader(exact).cell_columns());
  return cells_of_groups(exact, groups);
}

void add_to_every_cell(CellTable& table, std::size_t groups, const MechanismPlan& plan, const Noises& noises,
                       RandomWords& words) {
  for (std::size_t group = 0; group < groups; ++group) {
    const auto cells = table.row(group);
    for (std::size_t i = 0; i < noises.size(); ++i) {
      for (Int128& cell : cells.subspan(plan.aggregates[i].first_cell, plan.aggregates[i].cells)) {
        cell = noises[i]->add_to(cell, words);
      }
    }
  }
}

// A column of the answer: a key's value, or what `release` makes of the cells.
struct AnswerColumn {
  std::size_t key = 0;
  std::unique_ptr<const Release> release;

  Value value(std::size_t group, const GroupList& groups, const CellTable& table) const {
    return release ? release->value(table.row(group)) : groups[group].at(key);
  }
  NoisyCell cell(std::size_t group, const GroupList& groups, const CellTable& table) const {
    NoisyCell result{value(group, groups, table), std::nullopt};
    if (release) result.interval95 = release->interval95(table.row(group));
    return result;
  }
};

std::vector<AnswerColumn> answer_columns(const MechanismPlan& plan, const Noises& noises) {
  std::vector<AnswerColumn> columns;
  for (const OutputColumn& output : plan.analyzed.query.outputs) {
    if (output.kind == OutputColumn::Kind::key) {
      columns.push_back({output.index, nullptr});
    } else {
      columns.push_back({0, release_of(plan, output, noises.empty() ? nullptr : noises.at(output.index).get())});
    }
  }
  return columns;
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

// The groups are public: the engine's rows name them. In the order of their keys, so that nothing else shows.
struct MetricTableOfCells {
  GroupList groups;
  CellTable cells;
};

MetricTableOfCells metric_cells(const ExactRows& exact, const MechanismPlan& plan) {
  const ExactRowsReader reader(exact);
  check_cells(plan, reader.cell_columns());
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
  MetricTableOfCells result{{}, CellTable(order.size(), reader.cell_columns())};
  for (std::size_t group = 0; group < order.size(); ++group) {
    const auto keys = reader.keys(order[group]);
    result.groups.emplace_back(keys.begin(), keys.end());
    std::ranges::copy(reader.cells(order[group]), result.cells.row(group).begin());
  }
  return result;
}

void add_metric_noise(CellTable& table, std::size_t groups, const MechanismPlan& plan, const MetricNoises& noises,
                      RandomWords& words) {
  for (std::size_t group = 0; group < groups; ++group) {
    const auto cells = table.row(group);
    for (std::size_t i = 0; i < noises.size(); ++i) {
      const AggregatePlan& aggregate = plan.aggregates[i];
      for (std::size_t j = 0; j < aggregate.cells; ++j) {
        const auto& bound = aggregate.metric[j].bound_cell;
        Int128& cell = cells[aggregate.first_cell + j];
        cell = noises[i][j]->add_to(cell, bound ? cells[*bound] : 0, words);
      }
    }
    // Bounds are private: they end here.
    for (const AggregatePlan& aggregate : plan.aggregates) {
      for (const MetricNoise& noise : aggregate.metric) {
        if (noise.bound_cell) cells[*noise.bound_cell] = 0;
      }
    }
  }
}

// Why the column's intervals are about the noise alone: noisy_rows.hpp.
std::string left_out(const MechanismPlan& plan, const OutputColumn& output) {
  if (std::string cut = cut_by_noisy_value(plan.analyzed.query); !cut.empty()) return cut;
  if (plan.analyzed.metric) {
    const bool soft = std::ranges::any_of(plan.analyzed.metric->cells,
                                          [](const auto& cell) { return !cell.filter->soft_columns.empty(); });
    if (soft) return "conditions on measured columns are soft";
  }
  const Aggregate& aggregate = plan.analyzed.query.aggregates.at(output.index);
  return aggregate.unclamped ? "values beyond the bounds written in the query are moved to them" : "";
}

NoisyColumn describe(const MechanismPlan& plan, const OutputColumn& output, bool noisy) {
  if (output.kind == OutputColumn::Kind::key || !noisy) return {output, "", std::nullopt};
  const AggregatePlan& planned = plan.aggregates.at(output.index);
  if (!planned.metric.empty()) {
    const MetricNoise& noise = planned.metric.front();
    std::optional<double> scale;
    if (noise.constant && planned.cells == 1) scale = *noise.constant / noise.b;
    return {output, name_of(noise.law), scale, left_out(plan, output)};
  }
  // An average's own noise has no scale.
  if (planned.cells > 1) return {output, name_of(planned.law), std::nullopt, left_out(plan, output)};
  const double step = step_of(plan.analyzed.aggregates.at(output.index).grid);
  return {output, name_of(planned.law), static_cast<double>(planned.sensitivity_units) / planned.epsilon.value() * step,
          left_out(plan, output)};
}

NoisyRows present(const MechanismPlan& plan, const GroupList& groups, const CellTable& table,
                  const std::vector<AnswerColumn>& columns, bool noisy) {
  const TypedQuery& query = plan.analyzed.query;
  NoisyRows answer;
  for (const OutputColumn& output : query.outputs) answer.columns.push_back(describe(plan, output, noisy));

  std::vector<SortColumn> sort_columns;
  for (const SortItem& item : query.order_by) {
    SortColumn sort{{}, item.descending, item.nulls_first};
    sort.values.reserve(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
      sort.values.push_back(columns.at(item.output).value(group, groups, table));
    }
    sort_columns.push_back(std::move(sort));
  }

  const auto shown = arrange_groups(groups.size(), sort_columns, query.offset, query.limit);
  answer.rows.reserve(shown.size());
  for (const std::size_t group : shown) {
    auto& row = answer.rows.emplace_back();
    row.reserve(columns.size());
    for (const AnswerColumn& column : columns) row.push_back(column.cell(group, groups, table));
  }
  if (noisy) answer.notes = describe_empty(query, answer.rows);
  return answer;
}

}  // namespace

NoisyRows add_noise(ExactRows exact, const MechanismPlan& plan, const GroupList& groups, Entropy& entropy) {
  RandomWords words(entropy);
  if (plan.users) return release_users(exact, plan, groups, words);
  if (plan.analyzed.metric) {
    MetricTableOfCells table = metric_cells(exact, plan);
    MetricNoises noises;
    for (const AggregatePlan& aggregate : plan.aggregates) {
      auto& own = noises.emplace_back();
      for (const MetricNoise& noise : aggregate.metric) own.push_back(metric_cell_noise(noise));
    }
    add_metric_noise(table.cells, table.groups.size(), plan, noises, words);
    return present(plan, table.groups, table.cells, metric_columns(plan, noises), true);
  }
  CellTable table = checked_cells(exact, plan, groups);
  Noises noises;
  for (const AggregatePlan& aggregate : plan.aggregates) noises.push_back(cell_noise(aggregate));
  add_to_every_cell(table, groups.size(), plan, noises, words);
  return present(plan, groups, table, answer_columns(plan, noises), true);
}

NoisyRows reveal_to_owner(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups) {
  if (plan.users) return reveal_users(exact, plan, groups);
  if (plan.analyzed.metric) {
    const MetricTableOfCells table = metric_cells(exact, plan);
    return present(plan, table.groups, table.cells, metric_columns(plan, {}), false);
  }
  return present(plan, groups, checked_cells(exact, plan, groups), answer_columns(plan, {}), false);
}

std::vector<std::vector<OwnerCell>> reveal_bounds(const ExactRows& exact, const MechanismPlan& plan) {
  TACIT_CHECK(plan.analyzed.metric, "only the metric model computes bounds");
  const MetricTableOfCells table = metric_cells(exact, plan);
  std::vector<std::vector<OwnerCell>> rows;
  for (std::size_t group = 0; group < table.groups.size(); ++group) {
    const auto cells = table.cells.row(group);
    auto& row = rows.emplace_back();
    for (const AggregatePlan& aggregate : plan.aggregates) {
      for (std::size_t j = 0; j < aggregate.cells; ++j) {
        const MetricNoise& noise = aggregate.metric[j];
        const Int128 log_bound = noise.bound_cell ? cells[*noise.bound_cell] : 0;
        row.push_back(
            {static_cast<double>(cells[aggregate.first_cell + j]) * step_of(noise.grid), bound_of(noise, log_bound)});
      }
    }
  }
  return rows;
}

}  // namespace tacit
