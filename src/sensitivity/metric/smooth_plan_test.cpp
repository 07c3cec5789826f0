#include "sensitivity/metric/smooth_plan.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "sensitivity/metric/derivative/private_row_testing.hpp"
#include "sensitivity/metric/metric_world_testing.hpp"
#include "support/required.hpp"

namespace tacit::testing {
namespace {

using Level = SmoothRole::Level;

class SmoothPlans : public ::testing::Test {
 protected:
  SmoothPlan plan(const std::string& sql, const MetricWorld& world = {}, BoundChoice choice = BoundChoice::smooth) {
    questions_.push_back(std::make_unique<MetricQuestion>(sql, world));
    analyses_.push_back(questions_.back()->analysis());
    const std::size_t cells = analyses_.back().cells.size();
    return testing::required(plan_smooth_bounds(analyses_.back(), std::vector<double>(cells, 1.0),
                                                std::vector<Beta>(cells, Beta(0.1)), choice),
                             sql);
  }
  const MetricAnalysis& analysis() const { return analyses_.back(); }

  std::vector<std::unique_ptr<MetricQuestion>> questions_;
  std::deque<MetricAnalysis> analyses_;
};

constexpr const char* self_join = "SELECT SUM(a.size * b.size) FROM item a JOIN item b ON a.partner = b.id";
constexpr const char* one_to_one = "primary_key = [\"id\"]\ndependencies = [\"partner -> id\"]\n";

// A row may stand in both roles: leaving one out would halve the bound. Each is 10 steep.
TEST_F(SmoothPlans, ASelfJoinCountsBothRoles) {
  const SmoothPlan both = plan(self_join, {.item_more = one_to_one}, BoundChoice::constant);
  ASSERT_EQ(analysis().cells[0].roles.size(), 2);
  EXPECT_NEAR(both.cells[0].constant, 20.0, 1e-6);
}

// x = (3, -4), f = x1 x2 over one join row of two rows: never below 4, 5, 7 for l1, l2, linf.
TEST_F(SmoothPlans, TheProductOfTwoRowsIsBoundedInEveryNorm) {
  const std::pair<const char*, double> cases[] = {{"l1", 4.0}, {"l2", 5.0}, {"linf", 7.0}};
  for (const auto& [rows, least] : cases) {
    const SmoothPlan planned = plan("SELECT SUM(a.x * b.x) FROM item a JOIN item b ON a.partner = b.id",
                                    {.item_rows = rows, .item_more = one_to_one});
    ASSERT_EQ(planned.cells[0].roles.size(), 2) << rows;
    RowValues row;
    for (const auto& [column, cell] : analysis().flat.columns) {
      if (column->name == "x") row[column] = cell.role == 0 ? 3.0 : -4.0;
    }
    double total = 0.0;
    for (const auto& role : planned.cells[0].roles) total += bound_at(*role.bound, row);
    EXPECT_GE(total, least) << rows;
    EXPECT_EQ(planned.cells[0].roles[0].level, std::string(rows) == "l1" ? Level::grouped : Level::each_row);
  }
}

// Dates have few values: rows are grouped by them before anything is bounded, and only the date decays.
TEST_F(SmoothPlans, APrivateDateIsGroupedByUnderAPublicFilter) {
  const SmoothPlan planned = plan("SELECT SUM(x) FROM item WHERE tag = 'a' AND day < DATE '2000-01-01' AND y < 3");
  EXPECT_EQ(planned.positions.size(), 1);
  EXPECT_EQ(planned.cells[0].roles[0].level, Level::grouped);
  for (const LeafBound* leaf : leaves_of(*planned.cells[0].roles[0].bound)) {
    if (std::holds_alternative<DecayShape>(leaf->shape)) {
      EXPECT_EQ(leaf->slopes[0].column->name, "day");
    }
  }
}

// Without a primary key rows that share their public columns share a group: private columns must not tell them apart.
TEST_F(SmoothPlans, OwnPositionsDecayOnlyUnderAKey) {
  const std::string sql = "SELECT SUM(u) FROM item JOIN part ON tag = 'a' WHERE day < DATE '2000-01-01'";
  const auto has_decay = [&](const MetricWorld& world) {
    const SmoothPlan planned = plan(sql, world);
    for (const auto& role : planned.cells[0].roles) {
      if (analysis().flat.roles[role.role].table->name.name != "item") continue;
      EXPECT_EQ(role.level, Level::keyed);
      for (const LeafBound* leaf : leaves_of(*role.bound)) {
        if (std::holds_alternative<DecayShape>(leaf->shape)) return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(has_decay({}));
  EXPECT_FALSE(has_decay({.item_more = ""}));
}

TEST_F(SmoothPlans, AConstantIsUsedWhereItIsWantedAndThereIsOne) {
  EXPECT_TRUE(plan("SELECT SUM(size) FROM item", {}, BoundChoice::constant).cells[0].is_constant);
  EXPECT_NEAR(plan("SELECT SUM(size) FROM item", {}, BoundChoice::constant).cells[0].constant, 1.0, 1e-6);
  EXPECT_FALSE(plan("SELECT SUM(x * y) FROM item", {}, BoundChoice::constant).cells[0].is_constant);
}

}  // namespace
}  // namespace tacit::testing
