#include "policy/neighbours.hpp"

#include <gtest/gtest.h>

#include "metric/evaluate.hpp"
#include "metric/normal_form.hpp"
#include "metric/random_metric_testing.hpp"

namespace tacit {
namespace {

using Model = Neighbours::Model;

NormExponent norm(const char* name) { return parse_norm_name(name).value(); }

MetricClause clause(const char* metric, std::set<std::string> columns = {"id"}, std::string rows = "") {
  return {norm("l1"), normal_form(parse_metric(metric).value()), std::move(columns), std::move(rows)};
}

Neighbours of(std::map<TableName, MetricClause> tables, const char* combine = "l1") {
  Neighbours neighbours{Model::metric, norm(combine), {}};
  for (auto& [name, metric] : tables) neighbours.tables[name] = {"", std::move(metric)};
  return neighbours;
}

const TableName ship{"main", "ship"};
const TableName port{"main", "port"};

TEST(Neighbours, ReadBackWhatTheyPrint) {
  const MetricClause odd{norm("lp(2.5)"),
                         normal_form(parse_metric("lp(3; \"a|b\", ln(\"x;%\"), 0.25 * c)").value()),
                         {"one, two", "id"},
                         "flag <> 'a|b;c%'"};
  for (const Neighbours& neighbours :
       {of({{ship, clause("l1(lat, lon)")}, {port, clause("x", {})}}, "linf"), of({{TableName{"my.s|", "t;,%"}, odd}}),
        Neighbours{Model::add_remove, {}, {{ship, {}}, {port, {}}}}, Neighbours{Model::replace, {}, {{ship, {}}}},
        Neighbours{Model::users, {}, {{ship, {"captain"}}, {port, {"a, b > main.\"x|y\""}}}}}) {
    const std::string account = account_of(neighbours);
    const auto read = read_account(account);
    ASSERT_TRUE(read) << account;
    EXPECT_EQ(account_of(*read), account);
    EXPECT_EQ(counted_share(*read, neighbours), 1.0);
    EXPECT_FALSE(clauses_differ(*read, neighbours));
  }
  EXPECT_EQ(name_of_account(account_of(of({{ship, clause("x")}, {port, clause("x")}}))), "metric/l1 of port, ship");
}

TEST(Neighbours, LeaveTheAccountsOfFormatOneAlone) {
  for (const char* old : {"rows/add-remove", "users", "metric/l1/ship:l1:l1(lat, lon),id", "", "metric/l1/a|b:l1:x",
                          "metric/l1|main.ship;l1;l1(lat;id;", "rows/replace|", "metric/l0|main.ship;l1;x;;",
                          "rows/add-remove|main.ship;x", "users|main.ship;%2"}) {
    EXPECT_FALSE(read_account(old)) << old;
    EXPECT_EQ(name_of_account(old), old);
  }
}

TEST(Neighbours, CountInFullWhatConcernsOtherTables) {
  const Neighbours now = of({{ship, clause("l1(lat, lon)")}, {port, clause("x")}}, "l2");
  EXPECT_EQ(counted_share(of({{ship, clause("l1(lat, lon)")}}, "l2"), now), 1.0);
  EXPECT_EQ(counted_share(of({{ship, clause("l1(lat, lon)")}}, "l1"), now), 1.0) << "one table: no norm combines it";
  EXPECT_EQ(counted_share(of({{TableName{"main", "boat"}, clause("l1(lat, lon)")}}), now), 1.0) << "renamed or gone";
  EXPECT_EQ(counted_share(now, of({{port, clause("x")}}, "l2")), 1.0);
  EXPECT_EQ(counted_share(Neighbours{Model::users, {}, {{ship, {"a"}}}}, Neighbours{Model::users, {}, {{ship, {"b"}}}}),
            1.0)
      << "another owner: counted in full, and told";
  EXPECT_FALSE(counted_share(Neighbours{Model::users, {}, {{ship, {"a"}}}}, now));
}

TEST(Neighbours, ConvertWhereTheDistancesCompare) {
  const Neighbours earlier = of({{ship, clause("l1(lat, lon)")}});
  const auto share = [&](MetricClause now) { return counted_share(earlier, of({{ship, std::move(now)}})); };
  EXPECT_NEAR(share(clause("l1(2 * lat, 2 * lon)")).value(), 0.5, 1e-9);
  EXPECT_NEAR(share(clause("l1(2 * lat, lon)")).value(), 1.0, 1e-9);
  EXPECT_NEAR(share(clause("0.5 * l1(lat, lon)")).value(), 2.0, 1e-9);
  EXPECT_NEAR(share(clause("linf(lat, lon)")).value(), 2.0, 1e-9);
  EXPECT_EQ(share(clause("lat", {"id", "lon"})), 1.0) << "lon is public now: it no longer moves";
  EXPECT_EQ(share(clause("speed", {"id", "lat", "lon"})), 0.0) << "all that was protected is public";
  EXPECT_NEAR(share(clause("l1(lat, lon, speed)")).value(), 1.0, 1e-9) << "speed could not be asked about";
  EXPECT_EQ(share(clause("l1(lat, lon)", {"id", "name"})), 1.0);
  EXPECT_EQ(share(clause("l1(lat, lon)", {"id"}, "flag")), 1.0) << "fewer rows are private";
  EXPECT_FALSE(share(clause("l1(lat, lon)", {}))) << "id was public";
  EXPECT_FALSE(share(clause("lat"))) << "lon may differ at no distance now";
  EXPECT_FALSE(share(clause("l1(lat, ln(lon))")));
  MetricClause rows = clause("l1(lat, lon)");
  rows.rows_combine = norm("linf");
  EXPECT_FALSE(share(rows)) << "as many rows as there are may move at once";
  EXPECT_FALSE(counted_share(of({{ship, clause("x", {}, "flag")}}), of({{ship, clause("x", {})}})));
  EXPECT_FALSE(counted_share(of({{ship, clause("x", {}, "flag")}}), of({{ship, clause("x", {}, "other")}})));

  const auto two = [](const char* combine) { return of({{ship, clause("x")}, {port, clause("y")}}, combine); };
  EXPECT_EQ(counted_share(two("linf"), two("l1")), 1.0);
  EXPECT_NEAR(counted_share(two("l1"), two("linf")).value(), 2.0, 1e-9);
  EXPECT_NEAR(counted_share(two("l1"), two("l2")).value(), std::sqrt(2.0), 1e-9);
}

// `hamming` counted changed cells once, and the rows of `maximum` and `euclidean` added up.
TEST(Neighbours, CountWhatWasChargedUnderTheOldMeaningOfAName) {
  const auto share = [](const char* earlier, const char* now, const char* rows) {
    MetricClause today = clause(now);
    today.rows_combine = norm(rows);
    return counted_share(of({{ship, clause(earlier)}}), of({{ship, std::move(today)}}, rows));
  };
  EXPECT_NEAR(
      share("l1(discrete(a), discrete(b), discrete(c))", "linf(discrete(a), discrete(b), discrete(c))", "l1").value(),
      3.0, 1e-9)
      << "one row is at most three cells";
  EXPECT_EQ(share("discrete(a)", "discrete(a)", "l1"), 1.0);
  EXPECT_FALSE(share("linf(x, y)", "linf(x, y)", "linf"));
  EXPECT_FALSE(share("l2(x, y)", "l2(x, y)", "l2"));
}

// The statement of neighbours.md, for one row a table: earlier <= share * now.
TEST(Neighbours, BoundTheEarlierDistance) {
  std::mt19937_64 random(81);
  int compared = 0;
  for (int round = 0; round < 2000; ++round) {
    const char* const norms[] = {"l1", "l2", "lp(3)", "linf"};
    const auto random_neighbours = [&] {
      std::map<TableName, MetricClause> tables;
      for (const TableName& name : {ship, port}) {
        int columns = 0;
        MetricPtr metric = testing::random_metric(random, 2, columns);
        tables[name] = {norm("l1"), normal_form(metric), {}, ""};
      }
      return of(std::move(tables), norms[random() % 4]);
    };
    const Neighbours earlier = random_neighbours();
    const Neighbours now = random_neighbours();
    const auto share = counted_share(earlier, now);
    if (!share) continue;
    ++compared;
    for (int pair = 0; pair < 20; ++pair) {
      std::map<TableName, std::map<std::string, double>> moved;
      for (const TableName& name : {ship, port}) moved[name] = testing::random_vector(random, 20);
      const auto distance_of = [&](const Neighbours& neighbours) {
        std::vector<MetricPtr> parts;
        std::map<std::string, double> parts_moved;
        for (const auto& [name, table] : neighbours.tables) {
          parts.push_back(std::make_shared<const MetricNode>(MetricNode{MetricColumn{name.name}}));
          parts_moved[name.name] = distance(*table.metric->metric, moved[name]);
        }
        return distance(MetricNode{MetricNorm{neighbours.tables_combine, parts}}, parts_moved);
      };
      EXPECT_LE(distance_of(earlier), *share * distance_of(now) * (1.0 + 1e-9)) << account_of(earlier) << "\n"
                                                                                << account_of(now);
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace tacit
