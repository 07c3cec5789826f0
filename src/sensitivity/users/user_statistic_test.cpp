#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sensitivity/metric/metric_statistic.hpp"
#include "sensitivity/rows/rows_statistic.hpp"
#include "sensitivity/users/users_analysis.hpp"

namespace tacit {
namespace {

constexpr auto all_kinds = std::to_array({
    AggregateKind::count_rows,
    AggregateKind::count,
    AggregateKind::count_distinct,
    AggregateKind::sum,
    AggregateKind::average,
    AggregateKind::minimum,
    AggregateKind::maximum,
    AggregateKind::variance,
    AggregateKind::deviation,
    AggregateKind::quantile,
});

template <class Statistics>
void expect_one_answer_each(const Statistics& statistics) {
  std::set<const void*> seen;
  for (const auto statistic : statistics) EXPECT_TRUE(seen.insert(&statistic()).second) << "one is listed twice";
  for (const AggregateKind kind : all_kinds) {
    const auto answers =
        std::ranges::count_if(statistics, [&](const auto statistic) { return statistic().answers(kind); });
    EXPECT_LE(answers, 1) << name_of(kind);
  }
}

TEST(Statistics, NoTwoAnswerTheSameAggregate) {
  expect_one_answer_each(user_statistics);
  expect_one_answer_each(rows_statistics);
  expect_one_answer_each(metric_statistics);
}

TEST(Statistics, TheUsersModelAnswersEveryAggregate) {
  for (const AggregateKind kind : all_kinds) EXPECT_NE(find_user_statistic(kind), nullptr) << name_of(kind);
}

TEST(UserStatistics, AreWhatTheirReadersRelyOn) {
  std::set<std::string> names;
  for (const auto listed : user_statistics) {
    const UserStatistic& statistic = listed();
    EXPECT_TRUE(names.insert(statistic.name()).second) << statistic.name();
    EXPECT_EQ(statistic.cells().empty(), statistic.bins() != UserBins::of_magnitudes) << statistic.name();
    EXPECT_GE(statistic.epsilon_parts(), 1) << statistic.name();
    for (const UserBounds bounds : {UserBounds{0, 0}, UserBounds{-7, -7}, UserBounds{-3, 12}, UserBounds{0, 1}}) {
      const auto parts = statistic.part_sensitivities(bounds);
      ASSERT_LT(statistic.leading_part(), parts.size()) << statistic.name();
      EXPECT_TRUE(std::ranges::all_of(parts, [](Int128 part) { return part >= 1; })) << statistic.name();
    }
  }
}

}  // namespace
}  // namespace tacit
