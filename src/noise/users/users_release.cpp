#include "noise/users/users_release.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/check.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/arrange_groups.hpp"
#include "noise/grid_value.hpp"
#include "noise/perhaps_empty.hpp"
#include "noise/users/infer_bounds.hpp"
#include "noise/users/select_groups.hpp"
#include "noise/users/user_column.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {
namespace {

using Columns = std::vector<std::unique_ptr<const UserColumn>>;  // one per aggregate
using Cells = std::vector<NoisyCell>;                            // of one group, one per aggregate

const OutputColumn* output_of(const TypedQuery& query, std::size_t aggregate) {
  for (const OutputColumn& output : query.outputs) {
    if (output.kind == OutputColumn::Kind::aggregate && output.index == aggregate) return &output;
  }
  return nullptr;
}

std::string name_of_column(const TypedQuery& query, std::size_t aggregate) {
  const OutputColumn* output = output_of(query, aggregate);
  return output != nullptr ? output->name : "an aggregate";
}

void check_plan(const MechanismPlan& plan) {
  TACIT_CHECK(plan.users && plan.analyzed.users, "the query was planned in the users model");
  const std::size_t count = plan.analyzed.users->aggregates.size();
  TACIT_CHECK(plan.users->aggregates.size() == count && plan.analyzed.query.aggregates.size() == count,
              "every aggregate is analysed and planned");
  for (std::size_t i = 0; i < count; ++i) {
    const bool quantile = plan.analyzed.users->aggregates[i].statistic == UserStatistic::quantile;
    TACIT_CHECK(
        plan.users->aggregates[i].noise.law != NoiseLaw::gaussian || (!quantile && !plan.analyzed.users->leftovers),
        "quantiles and leftovers have no Gaussian noise");
  }
}

UserColumnPlan column_plan(const MechanismPlan& plan, std::size_t index, const UserBounds& bounds) {
  const UsersAnalysis& users = *plan.analyzed.users;
  const OutputColumn* output = output_of(plan.analyzed.query, index);
  return {users.aggregates[index],
          plan.users->aggregates[index].noise,
          bounds,
          index,
          users_cells(users).first_cell[index],
          users.groups_per_user,
          output != nullptr ? output->type : SqlType::real(),
          (users.one_row_per_user || users.one_row_per_group) && !users.samples_groups};
}

UserBounds public_limits(const UserAggregate& aggregate) { return {aggregate.value.least, aggregate.value.most}; }

std::string describe_bounds(const MechanismPlan& plan, std::size_t index, const InferredBounds& inferred) {
  const std::string name = name_of_column(plan.analyzed.query, index);
  if (!inferred.found) {
    return fmt::format(
        "{}: too few values to find bounds at this epsilon, so values were clamped to the narrowest ones; state bounds "
        "in "
        "the query or the policy",
        name);
  }
  const Grid& grid = plan.analyzed.users->aggregates[index].value.grid;
  const auto shown = [&](Int128 steps) { return fmt::format("{:.6g}", static_cast<double>(steps) * step_of(grid)); };
  return fmt::format(
      "{}: bounds {} to {} for what one user adds were found with noise; about {:.0f}% of the values lie beyond", name,
      shown(inferred.bounds.lo), shown(inferred.bounds.hi), inferred.share_clipped * 100.0);
}

// Histograms of all aggregates come before any other noise (mechanism/users/choose_users.md).
Columns noisy_columns(const MechanismPlan& plan, const std::vector<UserGroup>& groups, RandomWords& words,
                      std::vector<std::string>& notes) {
  const UsersAnalysis& users = *plan.analyzed.users;
  Columns columns;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregate& aggregate = users.aggregates[i];
    UserBounds bounds = aggregate.bounds.value_or(public_limits(aggregate));
    if (!aggregate.bounds && aggregate.inference == BoundsInference::histogram) {
      const auto inferred = infer_bounds(groups, i, aggregate, plan.users->aggregates[i], users.groups_per_user, words);
      bounds = inferred.bounds;
      notes.push_back(describe_bounds(plan, i, inferred));
    } else if (!aggregate.bounds) {
      notes.push_back(
          fmt::format("{}: nobody stated bounds, so a race to the top found the total; it is too low on purpose",
                      name_of_column(plan.analyzed.query, i)));
    }
    columns.push_back(user_column(column_plan(plan, i, bounds)));
  }
  return columns;
}

std::vector<NoisyCell> row_of(const TypedQuery& query, const UserGroup& group, const Cells& cells) {
  std::vector<NoisyCell> row;
  row.reserve(query.outputs.size());
  for (const OutputColumn& output : query.outputs) {
    row.push_back(output.kind == OutputColumn::Kind::key ? NoisyCell{group.keys.at(output.index), std::nullopt}
                                                         : cells.at(output.index));
  }
  return row;
}

// Orders and limits the rows as the query says. Reads released values alone.
void arrange(const TypedQuery& query, std::vector<std::vector<NoisyCell>>& rows) {
  std::vector<SortColumn> columns;
  for (const SortItem& item : query.order_by) {
    SortColumn& column = columns.emplace_back(SortColumn{{}, item.descending, item.nulls_first});
    column.values.reserve(rows.size());
    for (const auto& row : rows) column.values.push_back(row.at(item.output).value);
  }
  std::vector<std::vector<NoisyCell>> arranged;
  for (const std::size_t row : arrange_groups(rows.size(), columns, query.offset, query.limit)) {
    arranged.push_back(std::move(rows[row]));
  }
  rows = std::move(arranged);
}

// The groups that are not shown, as one. How many different values they have together is not known: values that two of
// them share would count twice.
Cells leftover_cells(const UserGroup& leftovers, const UsersAnalysis& users, const Columns& columns,
                     RandomWords& words) {
  Cells cells;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool distinct = users.aggregates[i].statistic == UserStatistic::distinct;
    cells.push_back(distinct ? NoisyCell{Null{}, std::nullopt} : columns[i]->release(leftovers, words));
  }
  return cells;
}

const char* const about_leftovers =
    "the last row, without keys, is all groups that are not shown together; a user who is in several of them counts in "
    "each, and a count of different values is left out there";

}  // namespace

NoisyRows release_users(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups,
                        RandomWords& words) {
  check_plan(plan);
  const UsersAnalysis& users = *plan.analyzed.users;
  const TypedQuery& query = plan.analyzed.query;
  const std::vector<UserGroup> all = user_groups(exact, users, users.private_keys ? nullptr : &groups);
  std::vector<bool> shown(all.size(), true);
  if (users.private_keys) shown = select_groups(all, plan, words);

  NoisyRows answer;
  const Columns columns = noisy_columns(plan, all, words, answer.notes);
  for (std::size_t group = 0; group < all.size(); ++group) {
    if (!shown[group]) continue;
    Cells cells;
    for (const auto& column : columns) cells.push_back(column->release(all[group], words));
    answer.rows.push_back(row_of(query, all[group], cells));
  }
  if (users.private_keys) answer.notes.push_back(describe_selection(plan, answer.rows.size()));
  arrange(query, answer.rows);
  for (std::string& note : describe_empty(query, answer.rows)) answer.notes.push_back(std::move(note));
  if (users.private_keys && users.leftovers) {
    shown.flip();
    const UserGroup leftovers = sum_of_groups(all, shown, users, query.keys.size());
    answer.rows.push_back(row_of(query, leftovers, leftover_cells(leftovers, users, columns, words)));
    answer.notes.emplace_back(about_leftovers);
  }
  for (const OutputColumn& output : query.outputs) {
    if (output.kind == OutputColumn::Kind::key) {
      answer.columns.push_back({output, "", std::nullopt});
    } else {
      answer.columns.push_back({output, columns.at(output.index)->mechanism(), columns.at(output.index)->scale()});
    }
  }
  return answer;
}

NoisyRows reveal_users(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups) {
  check_plan(plan);
  const UsersAnalysis& users = *plan.analyzed.users;
  const TypedQuery& query = plan.analyzed.query;
  Columns columns;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregate& aggregate = users.aggregates[i];
    columns.push_back(user_column(column_plan(plan, i, aggregate.bounds.value_or(public_limits(aggregate)))));
  }
  NoisyRows answer;
  for (const UserGroup& group : user_groups(exact, users, users.private_keys ? nullptr : &groups)) {
    Cells cells;
    for (const auto& column : columns) cells.push_back({column->exact(group), std::nullopt});
    answer.rows.push_back(row_of(query, group, cells));
  }
  arrange(query, answer.rows);
  for (const OutputColumn& output : query.outputs) answer.columns.push_back({output, "", std::nullopt});
  return answer;
}

}  // namespace tacit
