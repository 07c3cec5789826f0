// The checker checked: statements that are wrong on purpose must be caught, on the same random worlds.

#include "soundness/users/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "soundness/users/users_model.hpp"

namespace tacit::soundness::users {
namespace {

// What a statement would be if one of its steps were wrong. False: this query does not show it.
using Breakage = std::function<bool(PlannedQuery&, const Dialect&)>;

bool replace(std::string& text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at == std::string::npos) return false;
  text.replace(at, what.size(), by);
  return true;
}

UsersAnalysis analysis_of(const PlannedQuery& planned) {
  return tacit::analysis_of<UsersAnalysis>(planned.mechanism.analyzed);
}

void plan_with(PlannedQuery& planned, UsersAnalysis analysis, const Dialect& dialect) {
  planned.mechanism.analyzed.model = std::move(analysis);
  print_statement(planned, dialect);
}

bool leave_out_sampling(PlannedQuery& planned, const Dialect& dialect) {
  UsersAnalysis analysis = analysis_of(planned);
  if (!analysis.samples_groups) return false;
  analysis.samples_groups = false;
  plan_with(planned, std::move(analysis), dialect);
  return true;
}

bool sample_over_all_people(PlannedQuery& planned, const Dialect&) {
  return replace(planned.engine_query.sql, "PARTITION BY u ORDER", "ORDER");
}

bool clamp_too_high(PlannedQuery& planned, const Dialect& dialect) {
  UsersAnalysis analysis = analysis_of(planned);
  bool changed = false;
  for (auto& aggregate : analysis.aggregates) {
    if (!aggregate.bounds || aggregate.statistic != &total_statistic() ||
        aggregate.value.kind == UserValue::Kind::presence)
      continue;
    aggregate.bounds->hi += 1;
    changed = true;
  }
  if (changed) plan_with(planned, std::move(analysis), dialect);
  return changed;
}

bool keep_too_many_values(PlannedQuery& planned, const Dialect& dialect) {
  UsersAnalysis analysis = analysis_of(planned);
  bool changed = false;
  for (auto& aggregate : analysis.aggregates) {
    if (aggregate.statistic != &distinct_statistic()) continue;
    aggregate.bounds->hi += 5;
    changed = true;
  }
  if (changed) plan_with(planned, std::move(analysis), dialect);
  return changed;
}

RelationPtr without_conditions(const RelationPtr& relation) {
  if (const auto* filter = std::get_if<Filter>(&relation->node)) {
    const RelationPtr input = without_conditions(filter->input);
    return std::make_shared<Relation>(Relation{Filter{input, filter->predicate}, relation->columns});
  }
  const auto* join = std::get_if<Join>(&relation->node);
  if (join == nullptr || join->kind != JoinKind::inner) return relation;
  return std::make_shared<Relation>(
      Relation{Join{JoinKind::cross, without_conditions(join->left), join->right, nullptr}, relation->columns});
}

// Joins that forget the owner: everybody's rows with everybody's.
bool join_everybody(PlannedQuery& planned, const Dialect& dialect) {
  RelationPtr& input = planned.mechanism.analyzed.query.input;
  const RelationPtr broken = without_conditions(input);
  if (broken == input) return false;
  input = broken;
  print_statement(planned, dialect);
  return true;
}

// Each row its own person: what is left when the join to the owner is dropped.
bool own_each_row(PlannedQuery& planned, const Dialect& dialect) {
  UsersAnalysis analysis = analysis_of(planned);
  const auto& columns = planned.mechanism.analyzed.query.input->columns;
  const auto found = std::ranges::find_if(columns, [](const ColumnPtr& column) { return column->name == "id"; });
  if (found == columns.end()) return false;
  analysis.owner = make_column(*found, 0);
  analysis.one_row_per_user = false;
  analysis.one_row_per_group = false;
  plan_with(planned, std::move(analysis), dialect);
  return true;
}

// What a person says in all groups together taken for what they say in each.
bool bound_each_group_alone(PlannedQuery& planned, const Dialect& dialect) {
  UsersAnalysis analysis = analysis_of(planned);
  const bool changed = analysis.several_groups && !analysis.infers_groups &&
                       std::ranges::any_of(analysis.aggregates, [](const auto& a) { return a.over_all; });
  analysis.several_groups = false;
  if (changed) plan_with(planned, std::move(analysis), dialect);
  return changed;
}

// The limit on places is off by one.
bool keep_one_place_more(PlannedQuery& planned, const Dialect& dialect) {
  UsersAnalysis analysis = analysis_of(planned);
  if (!analysis.samples_groups || analysis.infers_groups) return false;
  ++analysis.groups_per_user;
  plan_with(planned, std::move(analysis), dialect);
  return true;
}

class BrokenStatements : public ::testing::Test {
 protected:
  // How many of the broken statements were found out.
  static int caught(const Breakage& breakage) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 40 && found == 0; ++seed) {
      Dice dice(seed);
      const Start start = random_start(dice);
      Case<UsersModel> test{start.world, start.data, {}, {dice.below(start.world.people)}, {}};
      test.other = without(start.data, test.change.person);
      const OpenedWorld opened = open_world(test.world, std::vector{test.one, test.other}, test.engine);
      QueryWriter writer(start.world, dice);
      for (int i = 0; i < 40; ++i) {
        test.query = writer.query();
        found += is_caught(opened, test, breakage) ? 1 : 0;
      }
    }
    return found;
  }

  static bool is_caught(const OpenedWorld& opened, const Case<UsersModel>& test, const Breakage& breakage) {
    std::vector<Seen> seen;
    for (const std::size_t version : {0U, 1U}) {
      auto planned = UsersModel::plan(opened, test.query.sql(schema_of(version)));
      if (!planned) return false;
      const UsersAnalysis claimed = analysis_of(*planned);
      if (!breakage(*planned, opened.dialect())) return false;
      auto one = look(opened, std::move(*planned));
      if (!one) return false;
      one->planned.mechanism.analyzed.model = claimed;
      seen.push_back(std::move(*one));
    }
    return UsersModel::find_violation(test, seen[0], seen[1]).has_value();
  }
};

TEST_F(BrokenStatements, AreCaughtWithoutSampling) { EXPECT_GT(caught(leave_out_sampling), 0); }
TEST_F(BrokenStatements, AreCaughtWhenPeopleDisplaceEachOther) { EXPECT_GT(caught(sample_over_all_people), 0); }
TEST_F(BrokenStatements, AreCaughtWhenTheyClampOneStepTooHigh) { EXPECT_GT(caught(clamp_too_high), 0); }
TEST_F(BrokenStatements, AreCaughtWhenTheyKeepTooManyValues) { EXPECT_GT(caught(keep_too_many_values), 0); }
TEST_F(BrokenStatements, AreCaughtWhenTheyBoundEachGroupAlone) { EXPECT_GT(caught(bound_each_group_alone), 0); }
TEST_F(BrokenStatements, AreCaughtWhenTheyKeepOnePlaceMore) { EXPECT_GT(caught(keep_one_place_more), 0); }
TEST_F(BrokenStatements, AreCaughtWhenJoinsForgetTheOwner) { EXPECT_GT(caught(join_everybody), 0); }
TEST_F(BrokenStatements, AreCaughtWhenEachRowHasItsOwnOwner) { EXPECT_GT(caught(own_each_row), 0); }

TEST_F(BrokenStatements, HaveForeignRowsWhenTheOwnerIsWrong) {
  Int128 foreign = 0;
  for (std::uint64_t seed = 1; seed <= 5 && foreign == 0; ++seed) {
    Dice dice(seed);
    const Start start = random_start(dice);
    const OpenedWorld opened = open_world(start.world, std::vector<Data>{start.data}, testing::EngineKind::duckdb);
    QueryWriter writer(start.world, dice);
    for (int i = 0; i < 20 && foreign == 0; ++i) {
      auto planned = UsersModel::plan(opened, writer.query().sql(schema_of(0)));
      if (planned && own_each_row(*planned, opened.dialect())) foreign = foreign_rows(opened, *planned).value_or(0);
    }
  }
  EXPECT_TRUE(foreign > 0);
}

UsersAnalysis sum_between(Int128 lo, Int128 hi) {
  UsersAnalysis analysis;
  UserAggregate aggregate;
  aggregate.value.kind = UserValue::Kind::total;
  aggregate.bounds = UserBounds{lo, hi};
  analysis.aggregates = {aggregate};
  return analysis;
}

Cells one_group(std::vector<Int128> cells) { return {{{"a"}, {{{0, 0}, std::move(cells)}}}}; }

TEST(FindViolation, AcceptsWhatOnePersonMaySay) {
  const UsersAnalysis analysis = sum_between(-2, 5);
  for (const Int128 value : {-2, 0, 5})
    EXPECT_EQ(find_violation(analysis, one_group({3, 10}), one_group({2, 10 - value})), std::nullopt);
  EXPECT_EQ(find_violation(analysis, one_group({1, 5}), {}), std::nullopt);
  EXPECT_EQ(find_violation(analysis, {}, {}), std::nullopt);
}

TEST(FindViolation, CatchesWhatTwoPeopleSay) {
  const UsersAnalysis analysis = sum_between(-2, 5);
  EXPECT_NE(find_violation(analysis, one_group({3, 10}), one_group({1, 10})), std::nullopt);
  EXPECT_NE(find_violation(analysis, one_group({3, 10}), one_group({2, 4})), std::nullopt);
  EXPECT_NE(find_violation(analysis, one_group({3, 10}), one_group({2, 13})), std::nullopt);
  EXPECT_NE(find_violation(analysis, one_group({3, 10}), one_group({3, 9})), std::nullopt);
  EXPECT_NE(find_violation(analysis, one_group({3, 10}), one_group({4, 10})), std::nullopt);
  EXPECT_NE(find_violation(analysis, {}, one_group({1, 0})), std::nullopt);
}

TEST(FindViolation, CatchesAPersonInTooManyGroups) {
  UsersAnalysis analysis = sum_between(0, 5);
  Cells all = one_group({1, 5});
  all[{"b"}] = Group{{{0, 0}, {1, 2}}};
  EXPECT_NE(find_violation(analysis, all, {}), std::nullopt);
  analysis.groups_per_user = 2;
  EXPECT_EQ(find_violation(analysis, all, {}), std::nullopt);
}

TEST(FindViolation, CatchesBinsThatDoNotHoldTheirValues) {
  UsersAnalysis analysis = sum_between(0, 5);
  analysis.aggregates[0].bounds.reset();
  analysis.aggregates[0].value.least = -100;
  analysis.aggregates[0].value.most = 100;
  const auto bins = [](int bin, Int128 people, Int128 sum) {
    return Cells{{{"a"}, {{{0, 0}, {people, 0}}, {{1, bin}, {people, sum}}}}};
  };
  EXPECT_EQ(find_violation(analysis, bins(5, 1, 4), {}), std::nullopt);
  EXPECT_NE(find_violation(analysis, bins(5, 1, 5), {}), std::nullopt);
  EXPECT_NE(find_violation(analysis, bins(5, 1, -1), {}), std::nullopt);
  EXPECT_NE(find_violation(analysis, bins(5, 2, 4), {}), std::nullopt);
  EXPECT_NE(find_violation(analysis, bins(0, 1, 1), {}), std::nullopt);
}

}  // namespace
}  // namespace tacit::soundness::users
