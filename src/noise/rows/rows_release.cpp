#include "noise/rows/rows_release.hpp"

#include <memory>

#include "base/check.hpp"
#include "noise/answer_table.hpp"
#include "noise/arrange_groups.hpp"
#include "noise/cell_noise.hpp"
#include "noise/exact_rows_reader.hpp"
#include "noise/perhaps_empty.hpp"
#include "noise/release.hpp"
#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

using Noises = std::vector<std::unique_ptr<const CellNoise>>;  // one per aggregate; none for the owner's view

// What the plan and the engine's answer promise each other.
CellTable checked_cells(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups) {
  const auto& aggregates = plan.analyzed.query.aggregates;
  const auto& plans = plan_of<RowsPlan>(plan).aggregates;
  TACIT_CHECK(plans.size() == aggregates.size() &&
                  analysis_of<RowsAnalysis>(plan.analyzed).aggregates.size() == aggregates.size(),
              "every aggregate is analysed and planned");
  std::vector<std::size_t> owned;
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    TACIT_CHECK(plans[i].cells == rows_statistic_of(aggregates[i].kind).cells().size(),
                "an aggregate has the engine cells of its statistic");
    for (std::size_t cell = 0; cell < plans[i].cells; ++cell) owned.push_back(plans[i].first_cell + cell);
  }
  check_cells(owned, ExactRowsReader(exact).cell_columns());
  return cells_of_groups(exact, groups);
}

void add_to_every_cell(CellTable& table, std::size_t groups, const RowsPlan& plan, const Noises& noises,
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

// Why the column's intervals are about the noise alone: noisy_rows.hpp.
std::string left_out(const TypedQuery& query, const OutputColumn& output) {
  if (std::string cut = cut_by_noisy_value(query); !cut.empty()) return cut;
  return query.aggregates.at(output.index).unclamped ? values_are_moved : "";
}

NoisyColumn describe(const MechanismPlan& plan, const OutputColumn& output) {
  if (output.kind == OutputColumn::Kind::key) return {output, "", std::nullopt};
  const RowsAggregatePlan& planned = plan_of<RowsPlan>(plan).aggregates.at(output.index);
  std::string missing = left_out(plan.analyzed.query, output);
  // An average's own noise has no scale.
  if (planned.cells > 1) return {output, name_of(planned.law), std::nullopt, std::move(missing)};
  const double step = step_of(analysis_of<RowsAnalysis>(plan.analyzed).aggregates.at(output.index).grid);
  return {output, name_of(planned.law), static_cast<double>(planned.sensitivity_units) / planned.epsilon.value() * step,
          std::move(missing)};
}

}  // namespace

NoisyRows release_rows(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups, RandomWords& words) {
  CellTable table = checked_cells(exact, plan, groups);
  const auto& rows = plan_of<RowsPlan>(plan);
  Noises noises;
  for (const RowsAggregatePlan& aggregate : rows.aggregates) noises.push_back(cell_noise(aggregate));
  add_to_every_cell(table, groups.size(), rows, noises, words);
  NoisyRows answer = present(plan.analyzed.query, groups, table, answer_columns(plan, noises));
  for (const OutputColumn& output : plan.analyzed.query.outputs) answer.columns.push_back(describe(plan, output));
  answer.notes = describe_empty(plan.analyzed.query, answer.rows);
  return answer;
}

NoisyRows reveal_rows(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups) {
  NoisyRows answer = present(plan.analyzed.query, groups, checked_cells(exact, plan, groups), answer_columns(plan, {}));
  for (const OutputColumn& output : plan.analyzed.query.outputs) answer.columns.push_back({output, "", std::nullopt});
  return answer;
}

}  // namespace tacit
