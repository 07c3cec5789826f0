#include "soundness/rows/rows_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.hpp"

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
};

// A key as the engine has it, NULL apart from every text.
std::string shown(const Value& value) {
  return std::holds_alternative<Null>(value) ? "NULL" : fmt::format("{}:{}", value.index(), to_string(value));
}

}  // namespace

Scene<RowsModel> RowsModel::scene(Dice& dice, testing::EngineKind) {
  constexpr std::size_t pairs = 1;
  Scene<RowsModel> scene;
  scene.world = random_world(dice);
  for (std::size_t i = 0; i < pairs; ++i) {
    const Data data = random_data(scene.world, dice);
    const Change change = random_change(scene.world, data, dice);
    scene.versions.push_back(data);
    scene.versions.push_back(changed(data, change));
    scene.pairs.push_back({2 * i, 2 * i + 1, change});
  }
  return scene;
}

bool RowsModel::may_refuse(const World&, const Failure&) { return false; }

Result<PlannedQuery> RowsModel::plan(const OpenedWorld& opened, const std::string& sql) {
  TACIT_TRY(PlannedQuery planned, opened.plan(sql));
  TACIT_CHECK(std::holds_alternative<RowsPlan>(planned.mechanism.model),
              "a query over these tables is planned by the rows model");
  const bool rests_on_public_rows = !planned.key_checks.empty() || !planned.dependency_checks.empty();
  if (rests_on_public_rows) {
    TACIT_TRY(const GroupList groups, opened.list_groups(planned));
  }
  return planned;
}

tl::expected<RowsModel::Seen, std::string> RowsModel::look(const OpenedWorld& opened, const PlannedQuery& planned,
                                                           bool is_first) {
  const EngineQuery& query = planned.engine_query;
  if (is_first) {
    const auto as_asked = opened.run(planned);
    if (!as_asked) return tl::unexpected("the statement fails: " + to_line(as_asked.error()));
  }
  const auto rows = opened.read(query);
  if (!rows) return tl::unexpected("the statement fails: " + to_line(rows.error()));
  Seen seen{plan_of<RowsPlan>(planned.mechanism), query.sql, {}};
  for (const auto& row : *rows) {
    std::vector<std::string> key;
    for (std::size_t i = 0; i < query.keys.size(); ++i) key.push_back(shown(row[i]));
    const auto [group, is_new] = seen.cells.try_emplace(key);
    if (!is_new) return tl::unexpected(fmt::format("the group ({}) is there twice", fmt::join(key, ", ")));
    for (std::size_t i = 0; i < query.cell_scales.size(); ++i) {
      const auto* number = std::get_if<Decimal>(&row[query.keys.size() + i]);
      const auto exact = number != nullptr ? rescale(*number, query.cell_scales[i]) : std::nullopt;
      if (!exact) return tl::unexpected(fmt::format("cell {} is no number of its grid", i));
      group->second.push_back(exact->units);
    }
  }
  return seen;
}

std::optional<std::string> RowsModel::find_violation(const Case<RowsModel>&, const Seen& one, const Seen& other) {
  return rows::find_violation(one.plan, one.cells, other.cells);
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

void RowsModel::count_plan(const Query& query, const Seen&, Tally& tally) {
  const std::string text = query.sql("$");
  for (const Feature& feature : features)
    tally.count(feature.name, text.find(feature.words) != std::string::npos ? 1 : 0);
}

void RowsModel::count_pair(const Case<RowsModel>&, const Seen& one, const Seen& other, Tally& tally) {
  tally.count("moved", one.cells != other.cells ? 1 : 0);
}

void RowsModel::expect_every_feature(const Tally& tally) {
  for (const Feature& feature : features)
    tally.expect_share(feature.name, feature.percent, "answered", "the generator leaves it out");
}

}  // namespace tacit::soundness::rows
