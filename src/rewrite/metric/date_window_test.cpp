#include "rewrite/metric/date_window.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sensitivity/analyze.hpp"
#include "sensitivity/metric/derivative/private_row_testing.hpp"
#include "sql/bind.hpp"
#include "sql/parse.hpp"
#include "support/checked_policy.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"

namespace tacit::testing {
namespace {

// Orders with their lines: an order's day and its lines' prices are private.
class DateWindows : public ::testing::Test {
 protected:
  struct Facts {
    std::string dependency = "order_id ->[7] id";
    std::string rows = "l1";
    std::string tables = "l1";
  };

  static Catalog catalog() {
    const auto column = [](std::string name, SqlType type) { return catalog_column(std::move(name), type); };
    const SqlType id = SqlType::integer(32);
    Catalog catalog;
    catalog.search_path = {"main"};
    catalog.tables.push_back(
        {"main", "orders", {column("id", id), column("shop", id), column("day", SqlType::date())}, {}});
    catalog.tables.push_back(
        {"main", "line", {column("id", id), column("order_id", id), column("price", SqlType::decimal(15, 2))}, {}});
    return catalog;
  }

  std::optional<DateWindow> window(const std::string& select, const std::string& condition, const Facts& facts) {
    const std::string tables = fmt::format(R"toml(
[metric]
tables_combine = "{}"
[tables.orders]
primary_key = ["id"]
metric = "l1(day)"
public_columns = ["id", "shop"]
rows_combine = "{}"
[tables.line]
primary_key = ["id"]
metric = "0.01 * price"
public_columns = ["id", "order_id"]
rows_combine = "l1"
dependencies = ["{}"]
)toml",
                                           facts.tables, facts.rows, facts.dependency);
    const std::string text = policy_head({.epsilon = 40.0, .each_epsilon = 20.0}) + tables;
    policy_ = std::make_shared<const Policy>(checked_policy(text, catalog()));
    const std::string sql =
        fmt::format("SELECT {} FROM orders JOIN line ON orders.id = order_id WHERE shop < 3 AND {}", select, condition);
    const ParseTree tree = testing::required(parse_sql(sql), sql);
    auto analyzed =
        testing::required(analyze(testing::required(bind_query(tree, catalog(), *policy_), sql), *policy_), sql);
    analysis_ = std::get<MetricAnalysis>(std::move(analyzed.model));
    const std::size_t cells = analysis_.cells.size();
    smooth_ = testing::required(plan_smooth_bounds(analysis_, std::vector<double>(cells, 0.01),
                                                   std::vector<Beta>(cells, Beta(0.1)), BoundChoice::smooth),
                                sql);
    return date_window(analysis_, smooth_);
  }
  std::optional<DateWindow> window(const std::string& condition) { return window("SUM(price)", condition, {}); }

  // The greatest bound of any role at a day, all prices at the end of their type; added up over the lines.
  double greatest_at(int day) const {
    RowValues row;
    for (const auto& [column, cell] : analysis_.flat.columns) row[column] = column->name == "day" ? day : 1e13;
    double greatest = 0.0;
    for (const auto& role : smooth_.cells[0].roles) greatest = std::max(greatest, bound_at(*role.bound, row));
    return greatest;
  }

  std::shared_ptr<const Policy> policy_;
  MetricAnalysis analysis_;
  SmoothPlan smooth_;
};

constexpr const char* april = "day >= DATE '1995-04-01' AND day < DATE '1995-05-01'";

TEST_F(DateWindows, BeyondAWindowNoBoundReachesItsFloor) {
  const auto found = window(april);
  ASSERT_TRUE(found && found->first && found->last);
  EXPECT_LT(*found->first, *parse_date("1995-04-01"));
  EXPECT_GT(*found->last, *parse_date("1995-05-01"));
  const double floor = smooth_.cells[0].least;
  for (const int far : {1, 10, 1000}) {
    EXPECT_LE(greatest_at(found->first->days - far), floor);
    EXPECT_LE(greatest_at(found->last->days + far), floor);
  }
  // Seven lines a day hold more than one, so the window has room for a factor of seven: 20 days and a few.
  EXPECT_GT(greatest_at(found->first->days + 30), floor);
  EXPECT_GT(greatest_at(found->last->days - 30), floor);
}

TEST_F(DateWindows, AConditionWithOneEndGivesAWindowWithOneEnd) {
  const auto before = window("day < DATE '1995-05-01'");
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->first);
  EXPECT_GT(*before->last, *parse_date("1995-05-01"));
}

// Their days in the middle are not near any condition, but do not count either.
TEST_F(DateWindows, ASetOfDaysIsCoveredWhole) {
  const auto found = window("(day = DATE '1990-01-01' OR day = DATE '2000-01-01')");
  ASSERT_TRUE(found && found->first && found->last);
  EXPECT_LT(*found->first, *parse_date("1990-01-01"));
  EXPECT_GT(*found->last, *parse_date("2000-01-01"));
}

TEST_F(DateWindows, WhatCountsFarAwayIsNotLeftOut) {
  EXPECT_FALSE(window("(day < DATE '1990-01-01' OR day > DATE '2000-01-01')"));
  EXPECT_FALSE(window("price > 3"));
}

TEST_F(DateWindows, ThereIsNoneWithoutABoundOnWhatIsAddedUp) {
  EXPECT_FALSE(window("SUM(price)", april, {.dependency = "order_id, price -> id"}));
}

TEST_F(DateWindows, ThereIsNoneWhereBoundsAreAddedUp) {
  EXPECT_FALSE(window("SUM(price)", april, {.rows = "l2"}));
  EXPECT_FALSE(window("SUM(price)", april, {.tables = "linf"}));
}

TEST_F(DateWindows, ThereIsNoneWhereOneValueCountsOtherDays) {
  EXPECT_FALSE(window("SUM(price), SUM(price) FILTER (WHERE day > DATE '1995-04-10')", april, {}));
}

}  // namespace
}  // namespace tacit::testing
