#include "soundness/users/users_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "mechanism/users/users_plan.hpp"

namespace tacit::soundness::users {
namespace {

// The one spelling that person_text gives.
std::string canonical(std::string person) {
  person.erase(person.find_last_not_of(' ') + 1);
  if (!person.empty() && person.front() == 'U') person.front() = 'u';
  return person;
}

// The rows of the whole database that are not the person's, against those without the person.
std::optional<std::string> compare_input(const World& world, const Seen& all, const Seen& rest, int person) {
  auto others = all.input.rows;
  const std::string text = person_text(world.person, person);
  std::erase_if(others,
                [&](const auto& row) { return canonical(row.front().substr(row.front().find(':') + 1)) == text; });
  if (others == rest.input.rows) return std::nullopt;
  return fmt::format("without the person other people's rows change:\n{}\nagainst\n{}\n{}", fmt::join(others, "\n"),
                     fmt::join(rest.input.rows, "\n"), all.planned.engine_query.sql);
}

}  // namespace

Scene<UsersModel> UsersModel::scene(Dice& dice, testing::EngineKind engine) {
  constexpr std::size_t people = 2;
  Start start = random_start(dice, engine);
  Scene<UsersModel> scene{std::move(start.world), {std::move(start.data)}, {}};
  for (std::size_t i = 1; i <= people; ++i) {
    const int person = dice.below(scene.world.people);
    scene.versions.push_back(without(scene.versions.front(), person));
    scene.pairs.push_back({0, i, {person}});
  }
  return scene;
}

bool UsersModel::may_refuse(const World& world, const Failure& failure) {
  return !is_read_in_one_way(world.spelling) && failure.what.find("cannot identify an owner") != std::string::npos;
}

Result<PlannedQuery> UsersModel::plan(const OpenedWorld& opened, const std::string& sql) {
  TACIT_TRY(PlannedQuery planned, opened.plan(sql));
  TACIT_CHECK(std::holds_alternative<UsersPlan>(planned.mechanism.model),
              "a query over these tables is planned by the users model");
  print_statement(planned, opened.dialect());
  return planned;
}

tl::expected<Seen, std::string> UsersModel::look(const OpenedWorld& opened, PlannedQuery planned, bool is_first) {
  return is_first ? look_closely(opened, std::move(planned)) : users::look(opened, std::move(planned));
}

std::optional<std::string> UsersModel::find_violation(const Case<UsersModel>& test, const Seen& all, const Seen& rest) {
  const auto& plan = all.planned.mechanism;
  if (auto wrong = users::find_violation(analysis_of<UsersAnalysis>(plan.analyzed), all.cells, rest.cells))
    return *wrong + "\n" + all.planned.engine_query.sql;
  return compare_input(test.world, all, rest, test.change.person);
}

std::string UsersModel::describe(const Case<UsersModel>& test) {
  return fmt::format("x' is x without {}", person_text(test.world.person, test.change.person));
}

bool UsersModel::drop_rows(Shrinker<Case<UsersModel>>& shrinker) {
  bool progress = false;
  const auto let_the_person_leave = [](auto& test, std::size_t) { test.other = without(test.one, test.change.person); };
  for (std::size_t t = 0; t < shrinker.best().one.size(); ++t) {
    progress = shrinker.drop([t](auto& test) -> auto& { return test.one[t]; }, 0, let_the_person_leave) || progress;
  }
  return progress;
}

void UsersModel::count_plan(const Query&, const Seen& seen, Tally& tally) {
  const auto& users = analysis_of<UsersAnalysis>(seen.planned.mechanism.analyzed);
  const auto& plans = plan_of<UsersPlan>(seen.planned.mechanism).aggregates;
  const auto is_gaussian = [](const auto& plan) { return plan.noise.law == NoiseLaw::gaussian; };
  tally.count("sample groups", users.samples_groups ? 1 : 0);
  tally.count("infer bounds", std::ranges::any_of(users.aggregates, [](const auto& a) { return !a.bounds; }) ? 1 : 0);
  tally.count("are Gaussian", std::ranges::any_of(plans, is_gaussian) ? 1 : 0);
}

void UsersModel::count_pair(const Case<UsersModel>&, const Seen& all, const Seen& rest, Tally& tally) {
  const int groups = groups_moved(all.cells, rest.cells);
  tally.count("moved", groups > 0 ? 1 : 0);
  tally.count("moved in several groups", groups > 1 ? 1 : 0);
}

}  // namespace tacit::soundness::users
