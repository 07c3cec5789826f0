#include "soundness/rows/rows_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "soundness/users/look.hpp"

namespace tacit::soundness::rows {
namespace {

struct Feature {
  const char* name;
  const char* words;  // of the question
  int percent;        // of the answered ones, at least
};
constexpr Feature features[] = {
    {"joins", " JOIN $", 20},
    {"left joins", "LEFT JOIN", 10},
    {"two joins", "JOIN $.building", 8},
    {"subqueries", "(SELECT", 10},
    {"groups", "GROUP BY", 30},
    {"conditions", "WHERE", 20},
    {"COUNT(*)", "COUNT(*)", 10},
    {"COUNT of values", "COUNT(v", 10},
    {"distinct", "COUNT(DISTINCT", 8},
    {"AVG", "AVG(", 8},
    {"SUM", " SUM(", 10},
    {"own bounds", "ANON_SUM(", 8},
    {"quantiles", "QUANTILE(", 5},
    {"extremes", "MAX(", 5},
    {"variances", "VAR_POP(", 5},
};

// A key as the engine has it, NULL apart from every text.
std::string shown(const Value& value) {
  return std::holds_alternative<Null>(value) ? "NULL" : fmt::format("{}:{}", value.index(), to_string(value));
}

}  // namespace

Scene<RowsModel> RowsModel::scene(Dice& dice, testing::EngineKind) {
  Scene<RowsModel> scene;
  scene.world = random_world(dice);
  const Data data = random_data(scene.world, dice);
  const Change change = random_change(scene.world, data, dice);
  const Change leaves{change.table, change.row};
  scene.versions = {data, changed(data, change)};
  scene.pairs = {{0, 1, change}};
  if (!change.becomes) return scene;
  scene.versions.push_back(changed(data, leaves));
  scene.pairs.push_back({0, 2, leaves});
  scene.pairs.push_back({1, 2, leaves});
  return scene;
}

bool RowsModel::may_refuse(const World&, const Failure&) { return false; }

Result<PlannedQuery> RowsModel::plan(const OpenedWorld& opened, const std::string& sql) {
  TACIT_TRY(PlannedQuery planned, opened.plan(sql));
  TACIT_CHECK(planned.mechanism.analyzed.neighbours.model == "rows",
              "a query over these tables is planned by the rows model");
  const bool rests_on_public_rows = !planned.key_checks.empty() || !planned.dependency_checks.empty();
  if (rests_on_public_rows) {
    TACIT_TRY(const GroupList groups, opened.list_groups(planned));
  }
  return planned;
}

namespace {

tl::expected<Cells, std::string> own_cells(const OpenedWorld& opened, const EngineQuery& query) {
  const auto rows = opened.read(query);
  if (!rows) return tl::unexpected("the statement fails: " + to_line(rows.error()));
  Cells cells;
  for (const auto& row : *rows) {
    std::vector<std::string> key;
    for (std::size_t i = 0; i < query.keys.size(); ++i) key.push_back(shown(row[i]));
    const auto [group, is_new] = cells.try_emplace(key);
    if (!is_new) return tl::unexpected(fmt::format("the group ({}) is there twice", fmt::join(key, ", ")));
    for (std::size_t i = 0; i < query.cell_scales.size(); ++i) {
      const auto* number = std::get_if<Decimal>(&row[query.keys.size() + i]);
      const auto exact = number != nullptr ? rescale(*number, query.cell_scales[i]) : std::nullopt;
      if (!exact) return tl::unexpected(fmt::format("cell {} is no number of its grid", i));
      group->second.push_back(exact->units);
    }
  }
  return cells;
}

bool is_own(const PlannedQuery& planned) { return std::holds_alternative<RowsPlan>(planned.mechanism.model); }

}  // namespace

tl::expected<RowsModel::Seen, std::string> RowsModel::look(const OpenedWorld& opened, PlannedQuery planned,
                                                           bool is_first) {
  if (is_first) {
    const auto as_asked = opened.run(planned);
    if (!as_asked) return tl::unexpected("the statement fails: " + to_line(as_asked.error()));
  }
  Seen seen;
  if (is_own(planned)) {
    auto cells = own_cells(opened, planned.engine_query);
    if (!cells) return tl::unexpected(cells.error());
    seen.cells = std::move(*cells);
  } else {
    auto cells = users::cells_of(opened, planned);
    if (!cells) return tl::unexpected("the statement fails: " + to_line(cells.error()));
    seen.cells_of_rows = std::move(*cells);
  }
  seen.planned = std::move(planned);
  return seen;
}

std::optional<std::string> RowsModel::find_violation(const Case<RowsModel>& test, const Seen& one, const Seen& other) {
  return find_violation(test.change, one, other);
}

std::optional<std::string> RowsModel::find_violation(const Change& change, const Seen& one, const Seen& other) {
  const MechanismPlan& plan = one.planned.mechanism;
  if (is_own(one.planned)) return rows::find_violation(plan_of<RowsPlan>(plan), one.cells, other.cells);
  if (change.becomes) return std::nullopt;
  auto wrong = users::find_violation(analysis_of<UsersAnalysis>(plan.analyzed), one.cells_of_rows, other.cells_of_rows);
  if (wrong) *wrong += "\n" + one.planned.engine_query.sql;
  return wrong;
}

std::string RowsModel::describe(const Case<RowsModel>& test) {
  return fmt::format("x' is x with row {} of {} {}", test.change.row + 1, test.world.tables[test.change.table].name,
                     test.change.becomes ? "replaced" : "removed");
}

bool RowsModel::drop_rows(Shrinker<Case<RowsModel>>& shrinker) {
  bool progress = false;
  for (std::size_t t = 0; t < shrinker.best().one.size(); ++t) {
    const auto change_again = [t](auto& test, std::size_t row) {
      if (t == test.change.table && row <= test.change.row) --test.change.row;  // the row itself: no neighbour is left
      test.other = changed(test.one, test.change);
    };
    progress = shrinker.drop([t](auto& test) -> auto& { return test.one[t]; }, 0, change_again) || progress;
  }
  return progress;
}

void RowsModel::count_plan(const Query& query, const Seen& seen, Tally& tally) {
  const auto* users = std::get_if<UsersAnalysis>(&seen.planned.mechanism.analyzed.model);
  const auto infers = [](const UserAggregate& aggregate) { return !aggregate.bounds.has_value(); };
  tally.count("rows as users", users != nullptr ? 1 : 0);
  tally.count("private groups", users != nullptr && users->private_keys ? 1 : 0);
  tally.count("inferred bounds", users != nullptr && std::ranges::any_of(users->aggregates, infers) ? 1 : 0);
  const std::string text = query.sql("$");
  for (const Feature& feature : features)
    tally.count(feature.name, text.find(feature.words) != std::string::npos ? 1 : 0);
}

void RowsModel::count_pair(const Case<RowsModel>&, const Seen& one, const Seen& other, Tally& tally) {
  tally.count("moved", one.cells != other.cells || one.cells_of_rows != other.cells_of_rows ? 1 : 0);
}

void RowsModel::expect_every_feature(const Tally& tally) {
  for (const char* feature : {"rows as users", "private groups", "inferred bounds"})
    tally.expect_share(feature, 10, "answered", "the generator leaves it out");
  for (const Feature& feature : features)
    tally.expect_share(feature.name, feature.percent, "answered", "the generator leaves it out");
}

}  // namespace tacit::soundness::rows
