#include "noise/users/users_release.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"
#include "mechanism/users/over_all.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/arrange_groups.hpp"
#include "noise/grid_value.hpp"
#include "noise/perhaps_empty.hpp"
#include "noise/users/find_group_count.hpp"
#include "noise/users/find_over_all.hpp"
#include "noise/users/infer_bounds.hpp"
#include "noise/users/left_out.hpp"
#include "noise/users/select_groups.hpp"
#include "noise/users/user_column.hpp"
#include "noise/users/user_groups.hpp"
#include "noise/users/user_noise.hpp"

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

void check_plan(const UsersAnalysis& users, const UsersPlan& plan) {
  const std::size_t count = users.aggregates.size();
  TACIT_CHECK(plan.aggregates.size() == count, "every aggregate is analysed and planned");
  for (std::size_t i = 0; i < count; ++i) {
    const bool by_rank = users.aggregates[i].statistic->chosen_by_rank();
    const bool vector = rule_of(plan.aggregates[i].noise.law).for_vectors() != nullptr;
    TACIT_CHECK(!vector || (!by_rank && !users.leftovers), "choices by rank and leftovers have no noise of vectors");
  }
}

// One answer while it is made: the query, and the plan for the number of groups of a user that count.
struct UsersAnswer {
  const TypedQuery& query;
  const UsersAnalysis& users;
  const UsersPlan& plan;
};

UserColumnPlan column_plan(const UsersAnswer& answer, std::size_t index, const UserBounds& bounds) {
  const OutputColumn* output = output_of(answer.query, index);
  return {answer.users.aggregates[index],
          answer.plan.aggregates[index].noise,
          bounds,
          index,
          users_cells(answer.users).first_cell[index],
          answer.plan.groups_per_user,
          output != nullptr ? output->type : SqlType::real()};
}

UserBounds public_limits(const UserAggregate& aggregate) { return {aggregate.value.least, aggregate.value.most}; }

std::string in_units(Int128 steps, const Grid& grid) {
  return fmt::format("{:.6g}", static_cast<double>(steps) * step_of(grid));
}

constexpr const char* too_few_values =
    "{}: too few values to find bounds at this epsilon, so values were clamped to the narrowest ones; state bounds in "
    "the query or the policy";

std::string describe_bounds(const UsersAnswer& answer, std::size_t index, const InferredBounds& inferred) {
  const std::string name = name_of_column(answer.query, index);
  if (!inferred.found) return fmt::format(too_few_values, name);
  const Grid& grid = answer.users.aggregates[index].value.grid;
  return fmt::format(
      "{}: bounds {} to {} for what one {} adds were found with noise; about {:.0f}% of the values lie beyond", name,
      in_units(inferred.bounds.lo, grid), in_units(inferred.bounds.hi, grid), answer.users.unit().user,
      inferred.share_clipped * 100.0);
}

std::string describe_over_all(const UsersAnswer& answer, std::size_t index, const OverAllBound& bound) {
  const std::string name = name_of_column(answer.query, index);
  const double most = static_cast<double>(bound.most) / static_cast<double>(bound.per_step) *
                      step_of(answer.users.aggregates[index].value.grid);
  if (bound.euclidean) {
    return fmt::format(
        "{}: of one person's numbers in all groups the root of the sum of squares is at most {:.6g}, found with noise; "
        "whoever has more is scaled down",
        name, most);
  }
  return fmt::format("{}: of one {} at most {:.6g} counts{}, found with noise; {} has more is scaled down", name,
                     answer.users.unit().person, most, answer.users.several_groups ? " in all groups together" : "",
                     answer.users.row_is_user ? "what" : "whoever");
}

// Histograms of all aggregates come before any other noise (mechanism/users/choose_users.md).
Columns noisy_columns(const UsersAnswer& answer, const std::vector<UserGroup>& groups, RandomWords& words,
                      std::vector<std::string>& notes) {
  const UsersAnalysis& users = answer.users;
  Columns columns;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregate& aggregate = users.aggregates[i];
    UserColumnPlan plan = column_plan(answer, i, aggregate.bounds.value_or(public_limits(aggregate)));
    const bool race = !aggregate.bounds && aggregate.inference == BoundsInference::race;
    if (aggregate.over_all) {
      plan.over_all = find_over_all(users, i, answer.plan.aggregates[i], groups, words);
      if (plan.over_all.euclidean) plan.noise = euclidean_noise(answer.plan.aggregates[i]);
      if (!aggregate.most_over_all) notes.push_back(describe_over_all(answer, i, plan.over_all));
      if (answer.plan.aggregates[i].beyond_epsilon.value() > 0.0) {
        plan.beyond = users_beyond(i, answer.plan.aggregates[i], groups, plan.over_all, words);
      }
    } else if (race) {
      notes.push_back(
          fmt::format("{}: nobody stated bounds, so a race to the top found the total; it deliberately underestimates",
                      name_of_column(answer.query, i)));
    } else if (!aggregate.bounds) {
      const auto inferred =
          infer_bounds(groups, i, aggregate, answer.plan.aggregates[i], answer.plan.groups_per_user, words);
      plan.bounds = inferred.bounds;
      notes.push_back(describe_bounds(answer, i, inferred));
    }
    columns.push_back(user_column(plan));
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

// The groups that are not shown, as one.
Cells leftover_cells(const UserGroup& leftovers, const UsersAnalysis& users, const Columns& columns,
                     RandomWords& words) {
  Cells cells;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool known = users.aggregates[i].statistic->joins_groups();
    cells.push_back(known ? columns[i]->release(leftovers, words) : NoisyCell{Null{}, std::nullopt});
  }
  return cells;
}

const char* const about_leftovers =
    "the last row, without keys, is all groups that are not shown together; a user who is in several of them counts in "
    "each, and a count of different values is left out there";

}  // namespace

NoisyRows release_users(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups,
                        RandomWords& words) {
  const auto& users = analysis_of<UsersAnalysis>(plan.analyzed);
  const auto& own = plan_of<UsersPlan>(plan);
  const TypedQuery& query = plan.analyzed.query;
  const UsersPlan& chosen = users.infers_groups ? own.by_level.at(find_group_count(exact, plan, groups, words)) : own;
  const UsersAnswer answer{query, users, chosen};
  check_plan(users, chosen);
  const std::vector<UserGroup> all =
      user_groups(exact, users, users.private_keys ? nullptr : &groups, chosen.groups_per_user);
  ShownGroups selection{std::vector<bool>(all.size(), true), {}};
  if (users.private_keys) selection = select_groups(all, chosen, words);

  NoisyRows result;
  const Columns columns = noisy_columns(answer, all, words, result.notes);
  for (std::size_t group = 0; group < all.size(); ++group) {
    if (!selection.shown[group]) continue;
    Cells cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const OutputColumn* output = output_of(query, i);
      const bool counted = chosen.released_count == i && output != nullptr;
      cells.push_back(counted ? shown_count(selection.counts[group], chosen, output->type)
                              : columns[i]->release(all[group], words));
    }
    result.rows.push_back(row_of(query, all[group], cells));
  }
  const bool all_groups = users.infers_groups
                              ? !users.private_keys && chosen.groups_per_user >= static_cast<int>(groups.size())
                              : !users.samples_groups;
  if (users.infers_groups && !all_groups) {
    result.notes.push_back(
        fmt::format("of each person at most {} group{}, chosen at random; that number was "
                    "found with noise",
                    chosen.groups_per_user, chosen.groups_per_user == 1 ? " counts" : "s count"));
  }
  if (users.private_keys) result.notes.push_back(describe_selection(chosen, users, result.rows.size()));
  arrange(query, result.rows);
  for (std::string& note : describe_empty(query, result.rows)) result.notes.push_back(std::move(note));
  if (users.private_keys && users.leftovers) {
    selection.shown.flip();
    const UserGroup leftovers = sum_of_groups(all, selection.shown, users, query.keys.size());
    result.rows.push_back(row_of(query, leftovers, leftover_cells(leftovers, users, columns, words)));
    result.notes.emplace_back(about_leftovers);
  }
  for (const OutputColumn& output : query.outputs) {
    if (output.kind == OutputColumn::Kind::key) {
      result.columns.push_back({output, "", std::nullopt});
      continue;
    }
    const std::size_t i = output.index;
    std::string missing = cut_by_noisy_value(query);
    if (missing.empty()) missing = left_out(users.aggregates[i], chosen.aggregates[i], users, all_groups);
    result.columns.push_back({output, columns.at(i)->mechanism(), columns.at(i)->scale(), std::move(missing)});
  }
  return result;
}

NoisyRows reveal_users(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups) {
  const auto& users = analysis_of<UsersAnalysis>(plan.analyzed);
  const auto& own = plan_of<UsersPlan>(plan);
  const UsersAnswer answer{plan.analyzed.query, users, own};
  check_plan(users, own);
  Columns columns;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregate& aggregate = users.aggregates[i];
    UserColumnPlan plan_of_column = column_plan(answer, i, aggregate.bounds.value_or(public_limits(aggregate)));
    if (aggregate.most_over_all) plan_of_column.over_all = stated_over_all(*aggregate.most_over_all);
    columns.push_back(user_column(plan_of_column));
  }
  NoisyRows result;
  for (const UserGroup& group : user_groups(exact, users, users.private_keys ? nullptr : &groups)) {
    Cells cells;
    for (const auto& column : columns) cells.push_back({column->exact(group), std::nullopt});
    result.rows.push_back(row_of(answer.query, group, cells));
  }
  arrange(answer.query, result.rows);
  for (const OutputColumn& output : answer.query.outputs) result.columns.push_back({output, "", std::nullopt});
  return result;
}

}  // namespace tacit
