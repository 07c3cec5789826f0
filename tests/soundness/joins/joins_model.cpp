#include "soundness/joins/joins_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tacit::soundness::joins {
namespace {

struct Feature {
  const char* name;
  const char* words;  // of the question
  int percent;        // of the answered ones, at least
};
constexpr Feature features[] = {
    {"public tables", "$.p ", 15},
    {"four tables", "i3", 2},
    {"subqueries", "(SELECT id", 5},
    {"DISTINCT rows", "(SELECT DISTINCT", 3},
    {"LEFT JOIN", "LEFT JOIN", 2},
    {"IN", " IN (SELECT", 3},
    {"EXISTS", "EXISTS", 2},
    {"groups", "GROUP BY", 20},
    {"conditions", "WHERE", 20},
    {"COUNT(*)", "COUNT(*)", 10},
    {"COUNT of values", "COUNT(i", 10},
    {"distinct values", "COUNT(DISTINCT", 20},
    {"sums", "SUM(", 3},
    {"averages", "AVG(", 3},
};

rows::Data without(rows::Data data, std::size_t table, std::size_t row) {
  return rows::changed(std::move(data), {table, row});
}

Int128 moved_by(const rows::Cells& one, const rows::Cells& other, std::size_t cell) {
  Int128 moved = 0;
  rows::Cells all = one;
  all.insert(other.begin(), other.end());
  for (const auto& [key, ignored] : all) {
    const Int128 difference =
        (one.contains(key) ? one.at(key)[cell] : 0) - (other.contains(key) ? other.at(key)[cell] : 0);
    moved += difference < 0 ? -difference : difference;
  }
  return moved;
}

}  // namespace

// Of each private table one row goes, or stands for another that is not there.
Scene<JoinsModel> JoinsModel::scene(Dice& dice, testing::EngineKind) {
  RandomWorld random = random_world(dice);
  Scene<JoinsModel> scene{std::move(random.world), {random.data}, {}};
  for (std::size_t t = 0; t < scene.world.tables.size(); ++t) {
    const std::size_t size = random.data[t].size();
    if (scene.world.tables[t].is_public || size < 2) continue;
    const auto row = static_cast<std::size_t>(dice.below(static_cast<int>(size)));
    const std::size_t other = (row + 1) % size;
    scene.versions.push_back(without(random.data, t, row));
    if (scene.world.neighbour == "add-remove") {
      scene.pairs.push_back({0, scene.versions.size() - 1, {t, row}});
      scene.versions.push_back(without(random.data, t, other));
      scene.pairs.push_back({0, scene.versions.size() - 1, {t, other}});
    } else {
      // Without `row` it has `other`; where that is, `row` comes instead.
      scene.versions.push_back(without(random.data, t, other));
      const std::size_t at = other < row ? other : other - 1;
      const std::size_t last = scene.versions.size() - 1;
      scene.versions[last] = rows::changed(scene.versions[last - 1], {t, at, random.data[t][row]});
      scene.pairs.push_back({last - 1, last, {t, at, random.data[t][row]}});
    }
  }
  return scene;
}

Result<PlannedQuery> JoinsModel::plan(const OpenedWorld& opened, const std::string& sql) {
  return rows::RowsModel::plan(opened, sql);
}

tl::expected<JoinsModel::Seen, std::string> JoinsModel::look(const OpenedWorld& opened, PlannedQuery planned,
                                                             bool is_first) {
  return rows::RowsModel::look(opened, std::move(planned), is_first);
}

std::optional<std::string> JoinsModel::find_violation(const Case<JoinsModel>& test, const Seen& one,
                                                      const Seen& other) {
  return rows::RowsModel::find_violation(test.change, one, other);
}

std::string JoinsModel::describe(const Case<JoinsModel>& test) {
  return fmt::format("x' is x with row {} of {} {}", test.change.row + 1, test.world.tables[test.change.table].name,
                     test.change.becomes ? "replaced" : "removed");
}

bool JoinsModel::drop_rows(Shrinker<Case<JoinsModel>>& shrinker) {
  bool progress = false;
  for (std::size_t t = 0; t < shrinker.best().one.size(); ++t) {
    const auto change_again = [t](auto& test, std::size_t row) {
      if (t == test.change.table && row <= test.change.row) --test.change.row;  // the row itself: no neighbour is left
      test.other = rows::changed(test.one, test.change);
    };
    progress = shrinker.drop([t](auto& test) -> auto& { return test.one[t]; }, 0, change_again) || progress;
  }
  return progress;
}

void JoinsModel::count_plan(const Query& query, const Seen& seen, Tally& tally) {
  const std::string text = query.sql("$");
  for (const Feature& feature : features)
    tally.count(feature.name, text.find(feature.words) != std::string::npos ? 1 : 0);
  const auto* own = std::get_if<RowsPlan>(&seen.planned.mechanism.model);
  const bool repeats = own != nullptr && std::ranges::any_of(own->aggregates, [](const auto& aggregate) {
                         return aggregate.cells == 1 && aggregate.sensitivity_units > 1;
                       });
  tally.count("rows that count more than once", repeats ? 1 : 0);
}

void JoinsModel::count_pair(const Case<JoinsModel>&, const Seen& one, const Seen& other, Tally& tally) {
  tally.count("moved", one.cells != other.cells ? 1 : 0);
  const auto* own = std::get_if<RowsPlan>(&one.planned.mechanism.model);
  const bool reaches = own != nullptr && std::ranges::any_of(own->aggregates, [&](const auto& aggregate) {
                         return aggregate.cells == 1 && aggregate.sensitivity_units > 1 &&
                                moved_by(one.cells, other.cells, aggregate.first_cell) == aggregate.sensitivity_units;
                       });
  tally.count("moved as far as proved", reaches ? 1 : 0);
}

void JoinsModel::expect_every_feature(const Tally& tally) {
  constexpr int few = 200;  // among few questions a rare one may be left out by chance
  for (const Feature& feature : features) {
    if (feature.percent < 5 && tally.of("answered") < few) continue;
    tally.expect_share(feature.name, feature.percent, "answered", "the generator leaves it out");
  }
  tally.expect_share("rows that count more than once", 30, "answered", "joins that repeat no row are not new");
  tally.expect_share("moved as far as proved", 1, "pairs", "bounds that are never reached may be too large");
}

}  // namespace tacit::soundness::joins
