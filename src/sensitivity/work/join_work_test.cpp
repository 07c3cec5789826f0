#include "sensitivity/work/join_work.hpp"

#include <fmt/format.h>

#include "sensitivity/users/users_world_testing.hpp"
#include "sensitivity/work/place_sources.hpp"

namespace tacit::testing {
namespace {

// "row: calendar(day) * nation" for each bound of the query.
class JoinWorkOf : public UsersWorld {
 protected:
  std::vector<std::string> work(const std::string& sql) const {
    std::vector<std::string> all;
    for (const WorkBound& bound : accept(sql).work) {
      std::string factors;
      for (const RowCount& factor : bound.factors) {
        std::string columns;
        for (const Column* column : factor.columns) columns += (columns.empty() ? "" : ", ") + column->name;
        const bool filtered = std::holds_alternative<Filter>(factor.rows->node);
        factors += fmt::format("{}{}{}{}", factors.empty() ? "" : " * ", factor.tables, filtered ? " filtered" : "",
                               columns.empty() ? "" : " (" + columns + ")");
      }
      constexpr const char* names[] = {"row", "pair", "public", "reading"};
      all.push_back(fmt::format("{}: {}", names[static_cast<int>(bound.of)], factors));
    }
    return all;
  }
  using Work = std::vector<std::string>;
};

TEST_F(JoinWorkOf, KeysAreFollowedWithoutCounting) {
  EXPECT_EQ(work("SELECT COUNT(*) FROM customer"), Work());
  EXPECT_EQ(work("SELECT COUNT(*) FROM customer c JOIN nation n ON n.nationkey = c.nationkey"), Work());
  EXPECT_EQ(work("SELECT COUNT(*) FROM customer c LEFT JOIN nation n ON n.nationkey = c.nationkey + 1"), Work());
  EXPECT_EQ(work("SELECT COUNT(*) FROM customer c, orders o, lineitem l, nation n WHERE c.custkey = o.custkey AND "
                 "l.orderkey = o.orderkey AND n.nationkey = c.nationkey"),
            Work());
  EXPECT_EQ(work("SELECT COUNT(*) FROM customer c JOIN (SELECT nationkey AS k FROM nation) n ON n.k = c.nationkey"),
            Work());
}

TEST_F(JoinWorkOf, OtherPublicRowsAreCountedByWhatIsEquated) {
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e JOIN calendar c ON c.day = e.day"), Work{"row: `calendar` (day)"});
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e LEFT JOIN calendar c ON c.day < e.day"), Work{"row: `calendar`"});
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e, calendar c WHERE c.day = e.day OR c.season = e.kind"),
            Work{"row: `calendar`"});
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e, calendar c WHERE c.day = e.day AND c.season = 'dry'"),
            Work{"row: `calendar` filtered (day)"});
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e JOIN (SELECT day, season FROM calendar WHERE season <> 'dry') c ON "
                 "c.season = e.kind"),
            Work{"row: `calendar` filtered (season)"});
}

TEST_F(JoinWorkOf, AGroupIsFoundByItsKeys) {
  const std::string grouped = "(SELECT day, COUNT(*) AS n FROM calendar GROUP BY day) c";
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e JOIN " + grouped + " ON c.day = e.day"), Work());
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e JOIN " + grouped + " ON c.n = e.uid"), Work{"row: `calendar` (count)"});
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e, (SELECT COUNT(*) AS n FROM calendar) c"), Work());
}

TEST_F(JoinWorkOf, WhereAboveALeftJoinDoesNotNarrowIt) {
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e LEFT JOIN calendar c ON c.day <= e.day WHERE c.day = e.day"),
            Work{"row: `calendar`"});
  EXPECT_EQ(
      work("SELECT COUNT(*) FROM event e LEFT JOIN (SELECT 1 AS one, day FROM calendar) c ON c.day = e.day JOIN nation "
           "n ON n.nationkey = COALESCE(c.one, 5)"),
      (Work{"row: `calendar` (day) * `nation`"}))
      << "a column that a LEFT JOIN may fill with NULL is no constant";
}

TEST_F(JoinWorkOf, PublicTablesMayBeJoinedFirst) {
  EXPECT_EQ(work("SELECT COUNT(*) FROM event e JOIN calendar c ON c.day = e.day JOIN nation n ON n.nationkey >= "
                 "EXTRACT(YEAR FROM c.day)"),
            (Work{"row: `calendar` (day) * `nation`", "public: `calendar` * `nation`"}));
  EXPECT_EQ(
      work("SELECT COUNT(*) FROM customer c JOIN nation n ON n.nationkey = c.nationkey JOIN nation m ON m.nationkey = "
           "c.custkey"),
      Work())
      << "both are found by keys from the private row";
  for (const char* also : {"m.name < n.name", "m.name = n.name", "m.name = n.name OR m.name = n.name"}) {
    const std::string second = std::string(also) == "m.name = n.name" ? " (name)" : "";
    EXPECT_EQ(
        work(fmt::format("SELECT COUNT(*) FROM customer c JOIN nation n ON n.nationkey = c.nationkey JOIN nation m "
                         "ON m.nationkey = c.custkey AND ({})",
                         also)),
        Work{"public: `nation` * `nation`" + second})
        << "an engine may join them with each other first";
  }
  EXPECT_EQ(
      work("SELECT COUNT(*) FROM event e LEFT JOIN (calendar c CROSS JOIN nation n) ON c.day = e.day AND n.nationkey "
           "= e.uid"),
      (Work{"public: `calendar` * `nation`", "row: `calendar` (day)"}));
  EXPECT_EQ(
      work("SELECT COUNT(*) FROM event e JOIN (SELECT c.day, COUNT(*) AS n FROM calendar c, nation m GROUP BY c.day) g "
           "ON g.day = e.day"),
      Work{"public: `calendar` * `nation`"});
}

TEST_F(JoinWorkOf, SubqueriesInWhereAreLookedUpOrCompared) {
  const std::string from = "SELECT COUNT(*) FROM event e WHERE ";
  EXPECT_EQ(work(from + "e.day IN (SELECT day FROM calendar)"), Work());
  EXPECT_EQ(work(from + "e.day NOT IN (SELECT day FROM calendar)"), Work());
  EXPECT_EQ(work(from + "NOT EXISTS (SELECT 1 FROM calendar c WHERE c.day = e.day AND c.season = e.kind)"), Work());
  EXPECT_EQ(work(from + "EXISTS (SELECT 1 FROM calendar c WHERE c.season = e.kind AND e.uid > 3)"), Work());
  EXPECT_EQ(work(from + "NOT EXISTS (SELECT 1 FROM calendar c WHERE c.season = e.kind AND e.uid > 3)"),
            Work{"row: `calendar` (season)"})
      << "the condition on the left row is looked at for each row that is found";
  EXPECT_EQ(work(from + "EXISTS (SELECT 1 FROM calendar)"), Work());
  EXPECT_EQ(work(from + "EXISTS (SELECT 1 FROM calendar c WHERE c.day < e.day)"), Work{"row: `calendar`"});
  EXPECT_EQ(work(from + "NOT EXISTS (SELECT 1 FROM calendar c WHERE c.day < e.day AND c.season = e.kind)"),
            Work{"row: `calendar` (season)"});
  EXPECT_EQ(work(from + "EXISTS (SELECT 1 FROM calendar c, calendar d WHERE c.day < d.day)"),
            Work{"public: `calendar` * `calendar`"});
  EXPECT_EQ(
      work("SELECT COUNT(*) FROM event e JOIN nation n ON e.uid > n.nationkey WHERE EXISTS (SELECT 1 FROM calendar c "
           "WHERE c.day < e.day)"),
      (Work{"row: `nation`", "row: `nation` * `calendar`"}));
}

TEST_F(JoinWorkOf, APersonsRowsMeetInPairsAtMost) {
  EXPECT_EQ(work("SELECT COUNT(*) FROM event a JOIN event b ON a.uid = b.uid JOIN calendar c ON c.day = a.day"),
            Work{"pair: `calendar` (day)"});
  EXPECT_EQ(work("SELECT COUNT(*) FROM customer k JOIN event a ON a.uid = k.custkey JOIN calendar c ON c.day = a.day"),
            Work{"row: `calendar` (day)"})
      << "a customer has one row there";
  const std::string three = refuse(
      "SELECT COUNT(*) FROM event a JOIN event b ON a.uid = b.uid JOIN event c ON c.uid = a.uid AND c.day > b.day");
  EXPECT_NE(three.find("`event`, `event`, `event`"), std::string::npos) << three;
  refuse(
      "SELECT COUNT(*) FROM event a JOIN event b ON a.uid = b.uid WHERE EXISTS (SELECT 1 FROM event c WHERE c.uid = "
      "a.uid "
      "AND c.day > b.day)");
  EXPECT_EQ(
      work("SELECT COUNT(*) FROM event a JOIN event b ON a.uid = b.uid WHERE EXISTS (SELECT 1 FROM event c WHERE c.uid "
           "= a.uid AND c.day = b.day)"),
      Work());
  EXPECT_EQ(
      work(
          "SELECT COUNT(*) FROM event a JOIN event b ON a.uid = b.uid JOIN (SELECT uid, COUNT(*) AS n FROM event GROUP "
          "BY uid) c ON c.uid = a.uid"),
      Work())
      << "the way out that the refusal names";
}

TEST_F(JoinWorkOf, ATableIsReadAFewTimes) {
  std::string sql = "SELECT COUNT(*) FROM event e WHERE e.uid > 0";
  std::string of_public = sql;
  for (int i = 0; i < 8; ++i) {
    sql += fmt::format(" AND EXISTS (SELECT 1 FROM event x WHERE x.uid = e.uid AND x.kind = '{}')", i);
    of_public += fmt::format(" AND e.day + {} IN (SELECT day FROM calendar)", i);
  }
  EXPECT_NE(refuse(sql).find("9 times"), std::string::npos);
  EXPECT_EQ(work(of_public), Work());
  EXPECT_EQ(work(of_public + " AND e.day IN (SELECT day FROM calendar)"), Work{"reading: `calendar`"});
}

WorkBound bound_of(WorkBound::Of of, std::size_t factors) {
  WorkBound bound{of, {}};
  for (std::size_t i = 0; i < factors; ++i) bound.factors.push_back({nullptr, {}, fmt::format("`t{}`", i)});
  return bound;
}

TEST(WorkTally, ProductsAreComparedWithLimits) {
  const auto row = bound_of(WorkBound::Of::private_row, 2);
  EXPECT_TRUE(WorkTally().add(row, {100, 100}).has_value());
  EXPECT_FALSE(WorkTally().add(row, {100, 101}).has_value());
  EXPECT_TRUE(WorkTally().add(row, {0, 10'000}).has_value()) << "no row is one row: the row itself";
  EXPECT_FALSE(WorkTally().add(row, {4'000'000'000, 4'000'000'000}).has_value());
  EXPECT_FALSE(WorkTally().add(row, {9'000'000'000'000'000'000, 9'000'000'000'000'000'000}).has_value());
  const auto refused = WorkTally().add(row, {1, 20'000});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().what.find("public `t1`;"), std::string::npos) << refused.error().what;

  EXPECT_TRUE(WorkTally().add(bound_of(WorkBound::Of::pair_of_rows, 1), {100}).has_value());
  EXPECT_FALSE(WorkTally().add(bound_of(WorkBound::Of::pair_of_rows, 1), {101}).has_value());

  const auto open = bound_of(WorkBound::Of::public_join, 2);
  EXPECT_TRUE(WorkTally().add(open, {1'000, 1'000}).has_value());
  EXPECT_FALSE(WorkTally().add(open, {1'000, 1'001}).has_value());
  WorkTally two;
  EXPECT_TRUE(two.add(open, {600, 1'000}).has_value());
  EXPECT_FALSE(two.add(open, {600, 1'000}).has_value());
  EXPECT_TRUE(WorkTally().add(open, {60'000'000, 1}).has_value()) << "as many rows as the table has";
}

}  // namespace
}  // namespace tacit::testing
