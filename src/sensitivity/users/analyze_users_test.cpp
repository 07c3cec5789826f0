#include "sensitivity/users/analyze_users.hpp"

#include "sensitivity/users/users_world_testing.hpp"

namespace tacit::testing {
namespace {

class AnalyzeUsers : public UsersWorld {
 protected:
  UsersAnalysis users(const std::string& sql) const { return analysis_of<UsersAnalysis>(accept(sql)); }
  UserAggregate aggregate(const std::string& sql) const {
    const UsersAnalysis analysis = users(sql);
    return analysis.aggregates.empty() ? UserAggregate{} : analysis.aggregates.front();
  }
  // "[0, 5]" in steps, "inferred", or "race".
  std::string bounds(const std::string& sql) const {
    const UserAggregate found = aggregate(sql);
    if (found.bounds) return "[" + to_string(found.bounds->lo) + ", " + to_string(found.bounds->hi) + "]";
    return found.inference == BoundsInference::race ? "race" : "inferred";
  }
};

TEST_F(AnalyzeUsers, OnePersonIsTheNeighbour) {
  const AnalyzedQuery analyzed = accept("SELECT COUNT(*) FROM event");
  EXPECT_EQ(analyzed.neighbours.model, "users");
  EXPECT_EQ(analyzed.neighbours.key, "users");
  EXPECT_TRUE(std::holds_alternative<UsersAnalysis>(analyzed.model));
  EXPECT_FALSE(analyzed.derivation.children.empty());
}

TEST_F(AnalyzeUsers, GroupsOfAPerson) {
  struct Case {
    const char* sql;
    int groups;
    bool samples;
    bool private_keys;
  };
  for (const Case& test : {
           Case{"SELECT COUNT(*) FROM event", 1, false, false},
           Case{"SELECT kind, COUNT(*) FROM event GROUP BY kind", 2, true, true},
           Case{"SELECT priority, COUNT(*) FROM orders GROUP BY priority", 2, false, false},
           Case{"SELECT segment, COUNT(*) FROM customer GROUP BY segment", 1, false, false},
           Case{"SELECT c.segment, COUNT(*) FROM customer c JOIN orders o ON c.custkey = o.custkey GROUP BY c.segment",
                1, false, false},
           Case{"SELECT segment, priority, COUNT(*) FROM customer c JOIN orders o ON c.custkey = o.custkey GROUP BY "
                "segment, priority",
                2, false, false},
           Case{"SELECT email, COUNT(*) FROM event JOIN customer ON uid = nationkey AND uid = custkey GROUP BY email",
                1, false, true},
           Case{"SELECT n.name, COUNT(*) FROM customer c JOIN nation n ON c.nationkey = n.nationkey GROUP BY n.name", 1,
                false, false},
           Case{"SELECT c.season, COUNT(*) FROM event e JOIN calendar c ON e.day = c.day GROUP BY c.season", 2, true,
                false},
           Case{"SELECT 1 + LENGTH(priority), COUNT(*) FROM orders GROUP BY 1 + LENGTH(priority)", 2, true, true},
           Case{"SELECT priority, kind, COUNT(*) FROM orders o JOIN event e ON o.custkey = e.uid GROUP BY priority, "
                "kind",
                2, true, true},
       }) {
    const auto analyzed = analyze_sql(test.sql);
    if (!analyzed) {
      ADD_FAILURE() << test.sql << "\n" << to_line(analyzed.error());
      continue;
    }
    EXPECT_EQ(analysis_of<UsersAnalysis>(*analyzed).groups_per_user, test.groups) << test.sql;
    EXPECT_EQ(analysis_of<UsersAnalysis>(*analyzed).samples_groups, test.samples) << test.sql;
    EXPECT_EQ(analysis_of<UsersAnalysis>(*analyzed).private_keys, test.private_keys) << test.sql;
    EXPECT_EQ(analyzed->domains.empty(), test.private_keys || analyzed->query.keys.empty()) << test.sql;
  }
}

TEST_F(AnalyzeUsers, AGroupIsNotOnePerson) {
  for (const char* sql : {
           "SELECT uid, COUNT(*) FROM event GROUP BY uid",
           "SELECT kind, uid, COUNT(*) FROM event GROUP BY kind, uid",
           "SELECT orderkey, COUNT(*) FROM lineitem GROUP BY orderkey",
           "SELECT orderkey, COUNT(*) FROM orders GROUP BY orderkey",
       }) {
    EXPECT_NE(refuse(sql).find("puts every person into a group of their own"), std::string::npos) << sql;
  }
}

TEST_F(AnalyzeUsers, OneRowPerPerson) {
  struct Case {
    const char* sql;
    bool per_user;
    bool per_group;
  };
  for (const Case& test : {
           Case{"SELECT COUNT(*) FROM customer", true, true},
           Case{"SELECT COUNT(*) FROM customer c JOIN nation n ON c.nationkey = n.nationkey", true, true},
           Case{"SELECT COUNT(*) FROM customer c LEFT JOIN nation n ON c.nationkey = n.nationkey", true, true},
           Case{"SELECT COUNT(*) FROM customer c LEFT JOIN nation n ON c.nationkey > n.nationkey", false, false},
           Case{"SELECT COUNT(*) FROM customer CROSS JOIN nation", false, false},
           Case{"SELECT COUNT(*) FROM event e JOIN customer c ON e.uid = c.custkey", false, false},
           Case{"SELECT COUNT(*) FROM orders", false, false},
           Case{"SELECT COUNT(*) FROM daily", false, false},
           Case{"SELECT day, COUNT(*) FROM daily GROUP BY day", false, false},
           Case{"SELECT day, COUNT(*) FROM event GROUP BY day", false, false},
           Case{"SELECT EXTRACT(year FROM day), COUNT(*) FROM daily GROUP BY EXTRACT(year FROM day)", false, false},
       }) {
    const UsersAnalysis analysis = users(test.sql);
    EXPECT_EQ(analysis.one_row_per_user, test.per_user) << test.sql;
    EXPECT_EQ(analysis.one_row_per_group, test.per_group) << test.sql;
  }
}

TEST_F(AnalyzeUsers, AKeyThatIsReadClampedDoesNotMakeOneRow) {
  // Days before the declared ones become one group.
  policy_->tables[5].columns["day"].min = Date{0};
  policy_->tables[5].columns["day"].max = Date{20};
  ASSERT_EQ(policy_->tables[5].name.name, "daily");
  const UsersAnalysis analysis = users("SELECT day, COUNT(*) FROM daily GROUP BY day");
  EXPECT_FALSE(analysis.private_keys);
  EXPECT_FALSE(analysis.one_row_per_group);
}

TEST_F(AnalyzeUsers, PerPersonSubqueriesHaveOneRowEach) {
  const char* sql = "SELECT n, COUNT(*) FROM (SELECT custkey, COUNT(*) AS n FROM orders GROUP BY custkey) t GROUP BY n";
  const UsersAnalysis analysis = users(sql);
  EXPECT_TRUE(analysis.one_row_per_user);
  EXPECT_EQ(analysis.groups_per_user, 1);
  EXPECT_FALSE(analysis.samples_groups);
  EXPECT_TRUE(analysis.private_keys);
  const UsersAnalysis by_kind =
      users("SELECT kind, SUM(n) FROM (SELECT uid, kind, COUNT(*) AS n FROM event GROUP BY uid, kind) t GROUP BY kind");
  EXPECT_FALSE(by_kind.one_row_per_user);
  EXPECT_TRUE(by_kind.one_row_per_group);
}

TEST_F(AnalyzeUsers, CountsOfPeople) {
  for (const char* sql :
       {"SELECT COUNT(DISTINCT uid) FROM event", "SELECT COUNT(DISTINCT custkey) FROM orders",
        "SELECT COUNT(DISTINCT o.custkey) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey"}) {
    const UserAggregate found = aggregate(sql);
    EXPECT_EQ(found.value.kind, UserValue::Kind::presence) << sql;
    EXPECT_EQ(found.statistic, &total_statistic()) << sql;
    EXPECT_EQ(bounds(sql), "[0, 1]") << sql;
  }
  const char* filtered = "SELECT COUNT(DISTINCT uid) FILTER (WHERE kind = 'x') FROM event";
  EXPECT_EQ(aggregate(filtered).value.kind, UserValue::Kind::rows);
  EXPECT_EQ(bounds(filtered), "[0, 1]");
}

TEST_F(AnalyzeUsers, CountsOfRows) {
  EXPECT_EQ(bounds("SELECT COUNT(*) FROM event"), "inferred");
  EXPECT_EQ(bounds("SELECT COUNT(kind) FROM event"), "inferred");
  EXPECT_EQ(bounds("SELECT COUNT(*) FROM customer"), "[0, 1]");
  EXPECT_EQ(bounds("SELECT ANON_COUNT(*, 0, 5) FROM event"), "[0, 5]");
  policy_->users.max_rows_per_group = 7;
  EXPECT_EQ(bounds("SELECT COUNT(*) FROM event"), "[0, 7]");
  EXPECT_EQ(bounds("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_rows_contributed = 3) COUNT(*) FROM event"), "[0, 3]");
  const UserAggregate found = aggregate("SELECT COUNT(*) FROM event");
  EXPECT_EQ(found.value.kind, UserValue::Kind::rows);
  EXPECT_TRUE(found.value.least == 0);
}

TEST_F(AnalyzeUsers, CountsOfDifferentValues) {
  EXPECT_NE(refuse("SELECT COUNT(DISTINCT kind) FROM event").find("how many values"), std::string::npos);
  EXPECT_EQ(bounds("SELECT COUNT(DISTINCT segment) FROM customer"), "[0, 1]");
  EXPECT_EQ(bounds("SELECT COUNT(DISTINCT kind, contribution_bounds_per_group => (0, 4)) FROM event"), "[0, 4]");
  refuse("SELECT COUNT(DISTINCT kind, contribution_bounds_per_group => (1, 4)) FROM event");
  refuse("SELECT COUNT(DISTINCT kind, contribution_bounds_per_group => (0, 0)) FROM event");
  policy_->users.max_rows_per_group = 7;
  EXPECT_EQ(bounds("SELECT COUNT(DISTINCT kind) FROM event"), "[0, 7]");
}

TEST_F(AnalyzeUsers, Sums) {
  EXPECT_EQ(bounds("SELECT SUM(quantity) FROM lineitem"), "inferred");
  EXPECT_EQ(bounds("SELECT SUM(balance) FROM customer"), "[-10000, 100000]");
  EXPECT_EQ(bounds("SELECT ANON_SUM(price, 0, 2.5) FROM lineitem"), "[0, 250]");
  EXPECT_EQ(bounds("SELECT ANON_SUM(wild, -3, 5) FROM lineitem"), "[-3, 5]");
  refuse("SELECT ANON_SUM(price, 5, 1) FROM lineitem");
  refuse("SELECT ANON_SUM(price, 0, 1e20) FROM lineitem");
  policy_->users.max_rows_per_group = 10;
  EXPECT_EQ(bounds("SELECT SUM(quantity) FROM lineitem"), "[0, 500]");
  EXPECT_EQ(bounds("SELECT SUM(quantity - 20) FROM lineitem"), "[-200, 300]");
  EXPECT_EQ(bounds("SELECT SUM(quantity + 1) FROM lineitem"), "[0, 510]");
  EXPECT_EQ(bounds("SELECT SUM(wild) FROM lineitem"), "inferred");
  policy_->users.bounds = BoundsInference::race;
  EXPECT_EQ(bounds("SELECT SUM(wild) FROM lineitem"), "race");
  EXPECT_EQ(bounds("SELECT AVG(wild) FROM lineitem"), "inferred");
}

TEST_F(AnalyzeUsers, GridsAndLimits) {
  const UserValue exact = aggregate("SELECT SUM(price) FROM lineitem").value;
  EXPECT_EQ(exact.grid.base, Grid::Base::decimal);
  EXPECT_EQ(exact.grid.exponent, 2);
  EXPECT_TRUE(exact.most == power_of_ten(18) - 1);
  EXPECT_TRUE(exact.least == 1 - power_of_ten(18));
  const UserValue stated = aggregate("SELECT SUM(quantity) FROM lineitem").value;
  EXPECT_TRUE(stated.least == 0);
  EXPECT_TRUE(stated.most == Int128{50} << 20);
  const UserValue real = aggregate("SELECT SUM(weight) FROM lineitem").value;
  EXPECT_EQ(real.grid.base, Grid::Base::binary);
  EXPECT_EQ(real.grid.exponent, 38);
  EXPECT_TRUE(real.most < Int128{1} << 60);
  const UserValue wild = aggregate("SELECT SUM(wild_real) FROM lineitem").value;
  EXPECT_EQ(wild.grid.exponent, 20);
  EXPECT_TRUE(wild.most < Int128{1} << 60);
  EXPECT_TRUE(wild.most > Int128{1} << 59);
}

TEST_F(AnalyzeUsers, MeansAndVariances) {
  const UserAggregate mean = aggregate("SELECT AVG(quantity) FROM lineitem");
  EXPECT_EQ(mean.statistic, &mean_statistic());
  EXPECT_EQ(mean.value.kind, UserValue::Kind::mean);
  EXPECT_EQ(mean.value.grid.base, Grid::Base::binary);
  EXPECT_EQ(mean.value.grid.exponent, 34);
  EXPECT_TRUE(mean.bounds && mean.bounds->hi == Int128{50} << 34);
  EXPECT_EQ(bounds("SELECT AVG(price) FROM lineitem"), "inferred");
  const UserAggregate spread = aggregate("SELECT VAR_POP(quantity) FROM lineitem");
  EXPECT_EQ(spread.statistic, &variance_statistic());
  EXPECT_TRUE(spread.bounds && spread.bounds->hi <= Int128{1} << 29);
  EXPECT_TRUE(spread.value.most < Int128{1} << 30);
  EXPECT_EQ(aggregate("SELECT STDDEV(quantity) FROM lineitem").statistic, &deviation_statistic());
}

TEST_F(AnalyzeUsers, QuantilesHaveBounds) {
  const UserAggregate least = aggregate("SELECT MIN(quantity) FROM lineitem");
  EXPECT_EQ(least.statistic, &quantile_statistic());
  EXPECT_EQ(least.value.kind, UserValue::Kind::quantile);
  EXPECT_EQ(least.value.fraction, 0.0);
  EXPECT_EQ(aggregate("SELECT MAX(quantity) FROM lineitem").value.fraction, 1.0);
  EXPECT_EQ(aggregate("SELECT MEDIAN(quantity) FROM lineitem").value.fraction, 0.5);
  EXPECT_NE(refuse("SELECT MAX(wild) FROM lineitem").find("needs bounds"), std::string::npos);
  accept("SELECT MAX(wild, contribution_bounds_per_group => (0, 100)) FROM lineitem");
}

TEST_F(AnalyzeUsers, OptionsWinOverThePolicy) {
  const UsersAnalysis analysis = users(
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 5, group_selection_strategy = "
      "LAPLACE_THRESHOLD, leftovers = true) kind, COUNT(*) FROM event GROUP BY kind");
  EXPECT_EQ(analysis.groups_per_user, 5);
  EXPECT_EQ(analysis.selection, GroupSelection::threshold);
  EXPECT_TRUE(analysis.leftovers);
  EXPECT_NE(
      refuse("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(leftovers = true) segment, COUNT(*) FROM customer GROUP BY "
             "segment")
          .find("leftovers"),
      std::string::npos);
}

// Infinite dates are NULL to Tacit: a person with both may have several rows in one group, whatever a key says.
TEST_F(AnalyzeUsers, ADateKeyDoesNotKeepRowsApart) {
  EXPECT_FALSE(
      users("SELECT day, COUNT(*) FROM (SELECT DISTINCT uid, day FROM event) AS x GROUP BY day").one_row_per_group);
  EXPECT_TRUE(
      users("SELECT kind, COUNT(*) FROM (SELECT DISTINCT uid, kind FROM event) AS x GROUP BY kind").one_row_per_group);
}

TEST_F(AnalyzeUsers, AConditionMayListTheGroups) {
  EXPECT_TRUE(users("SELECT kind, COUNT(*) FROM event GROUP BY kind").private_keys);
  EXPECT_FALSE(users("SELECT kind, COUNT(*) FROM event WHERE kind IN ('a', 'b', 'a') GROUP BY kind").private_keys);
  EXPECT_FALSE(users("SELECT kind, COUNT(*) FROM event WHERE kind = 'a' GROUP BY kind").private_keys);
  EXPECT_TRUE(users("SELECT kind, COUNT(*) FROM event WHERE kind IN ('a') OR day IS NULL GROUP BY kind").private_keys);
  EXPECT_TRUE(users("SELECT kind, COUNT(*) FROM event WHERE kind <> 'a' GROUP BY kind").private_keys);
  EXPECT_FALSE(
      users("SELECT left(kind, 2), COUNT(*) FROM event WHERE left(kind, 2) IN ('ab', 'cd') GROUP BY 1").private_keys);
  EXPECT_FALSE(users("SELECT k, COUNT(*) FROM (SELECT left(kind, 2) AS k FROM event) AS e WHERE k = 'ab' GROUP BY k")
                   .private_keys);
  EXPECT_TRUE(
      users("SELECT left(kind, 2), COUNT(*) FROM event WHERE left(kind, 3) IN ('ab', 'cd') GROUP BY 1").private_keys);
  EXPECT_TRUE(users("SELECT kind, COUNT(*) FROM event WHERE left(kind, 3) IN ('ab', 'cd') GROUP BY 1").private_keys);
}

}  // namespace
}  // namespace tacit::testing
