#include "sensitivity/users/ownership.hpp"

#include "sensitivity/users/expose_owner.hpp"
#include "sensitivity/users/users_world_testing.hpp"

namespace tacit::testing {
namespace {

using ::testing::Test;

class OwnershipOf : public UsersWorld {};

bool says(const std::string& sentence, const std::string& part) { return sentence.find(part) != std::string::npos; }

TEST_F(OwnershipOf, TheOwnerColumnIsTheOwner) {
  EXPECT_EQ(printed("SELECT COUNT(*) FROM event"), R"(t1."uid" FROM "main"."event" AS t1)");
}

TEST_F(OwnershipOf, AForeignKeyThatIsTheOwnersKeyNeedsNoJoin) {
  EXPECT_EQ(printed("SELECT COUNT(*) FROM orders"), R"(t1."custkey" FROM "main"."orders" AS t1)");
}

TEST_F(OwnershipOf, AForeignKeyThatHoldsTheOwnerAmongOthersNeedsNoJoin) {
  EXPECT_EQ(printed("SELECT COUNT(*) FROM note"), R"(t1."visit_uid" FROM "main"."note" AS t1)");
}

TEST_F(OwnershipOf, AChainIsJoinedAsFarAsItIsNeeded) {
  EXPECT_EQ(
      printed("SELECT COUNT(*) FROM lineitem"),
      R"(t2."custkey" FROM "main"."lineitem" AS t1 JOIN "main"."orders" AS t2 ON (t1."orderkey" = t2."orderkey"))");
}

TEST_F(OwnershipOf, AChainOfAChainStopsWhereAColumnHoldsTheOwner) {
  // returned -> lineitem -> orders, whose custkey is the owner.
  const std::string sql = printed("SELECT COUNT(*) FROM returned");
  EXPECT_TRUE(says(sql, "t3.\"custkey\" FROM")) << sql;
  EXPECT_TRUE(says(sql, "JOIN \"main\".\"lineitem\" AS t2")) << sql;
  EXPECT_TRUE(says(sql, "t1.\"linenumber\" = t2.\"linenumber\"")) << sql;
  EXPECT_TRUE(says(sql, "JOIN \"main\".\"orders\" AS t3")) << sql;
}

TEST_F(OwnershipOf, ATableThatTheAnalystJoinedIsNotJoinedAgain) {
  EXPECT_EQ(scans("SELECT COUNT(*) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey"), 2U);
  EXPECT_EQ(scans("SELECT COUNT(*) FROM lineitem l, orders o WHERE o.orderkey = l.orderkey AND l.quantity > 3"), 2U);
  EXPECT_EQ(scans("SELECT COUNT(*) FROM lineitem JOIN orders USING (orderkey)"), 2U);
  EXPECT_EQ(scans("SELECT COUNT(*) FROM customer c, orders o, lineitem l "
                  "WHERE c.custkey = o.custkey AND l.orderkey = o.orderkey"),
            3U);
  EXPECT_EQ(scans("SELECT COUNT(*) FROM (SELECT orderkey AS k FROM lineitem) l JOIN orders o ON o.orderkey = l.k"), 2U);
}

TEST_F(OwnershipOf, WhatReferToTheSameRowHasOneOwner) {
  // Neither item table is joined to orders; one join is added for both.
  EXPECT_EQ(scans("SELECT COUNT(*) FROM lineitem a JOIN lineitem b ON a.orderkey = b.orderkey"), 3U);
  EXPECT_EQ(scans("SELECT COUNT(*) FROM lineitem l JOIN returned r USING (orderkey, linenumber)"), 3U);
}

TEST_F(OwnershipOf, TheShortestWayToTheOwnerIsJoined) {
  EXPECT_EQ(scans("SELECT COUNT(*) FROM returned r JOIN lineitem l USING (orderkey, linenumber)"), 3U);
}

TEST_F(OwnershipOf, ReferencedKeysMustBeEnforced) {
  const std::string sentence = refuse("SELECT COUNT(*) FROM loose");
  EXPECT_TRUE(says(sentence, "`loose`")) << sentence;
  EXPECT_TRUE(says(sentence, "two owners")) << sentence;
  refuse("SELECT COUNT(*) FROM loose l JOIN heap h ON l.heap_id = h.id");
  EXPECT_TRUE(says(refuse("SELECT COUNT(*) FROM looser"), "rows of `loose` belong")) << "the second step";
  EXPECT_TRUE(says(refuse("SELECT COUNT(*) FROM boxed"), "two owners"));
}

TEST_F(OwnershipOf, OwnersAreReadAsTheyAreStored) {
  for (auto& column : catalog_.tables[4].columns) {
    if (column.name == "uid") column.read_as = "CAST({} AS NUMERIC(10,0))";
  }
  EXPECT_TRUE(says(refuse("SELECT COUNT(*) FROM event"), "two people could become one"));
  for (auto& column : catalog_.tables[4].columns) {
    if (column.name == "uid") column = {"uid", SqlType::text(), "uuid", false, "CAST({} AS TEXT)"};
  }
  accept("SELECT COUNT(*) FROM event");
}

TEST_F(OwnershipOf, PrivateTablesAreJoinedOnTheirOwner) {
  accept("SELECT COUNT(*) FROM event e JOIN customer c ON e.uid = c.custkey");
  accept("SELECT COUNT(*) FROM event e, orders o WHERE e.uid = o.custkey");
  accept("SELECT COUNT(*) FROM event e, orders o, customer c WHERE e.uid = c.custkey AND c.custkey = o.custkey");
  accept("SELECT COUNT(*) FROM event a JOIN event b ON a.uid = b.uid AND a.day < b.day");
  accept("SELECT COUNT(*) FROM event e, nation n, customer c WHERE e.uid = n.nationkey AND c.custkey = n.nationkey");
  accept(
      "SELECT COUNT(*) FROM (SELECT uid AS person FROM event WHERE kind = 'x') e JOIN customer c ON "
      "c.custkey = e.person");

  for (const char* sql : {
           "SELECT COUNT(*) FROM event, customer",
           "SELECT COUNT(*) FROM event e JOIN customer c ON e.uid = c.nationkey",
           "SELECT COUNT(*) FROM event e JOIN customer c ON e.uid = c.custkey OR e.kind = 'x'",
           "SELECT COUNT(*) FROM event e JOIN customer c ON NOT e.uid <> c.custkey",
           "SELECT COUNT(*) FROM event e JOIN customer c ON e.uid >= c.custkey",
           "SELECT COUNT(*) FROM event e JOIN customer c ON e.uid + 0 = c.custkey",
           "SELECT COUNT(*) FROM event e JOIN customer c ON COALESCE(e.uid, 1) = c.custkey",
           "SELECT COUNT(*) FROM event e JOIN customer c ON e.uid IS NOT DISTINCT FROM c.custkey",
           "SELECT COUNT(*) FROM event a JOIN event b ON a.day = b.day",
           "SELECT COUNT(*) FROM lineitem a JOIN lineitem b ON a.linenumber = b.linenumber",
           "SELECT COUNT(*) FROM lineitem l JOIN returned r ON l.orderkey = r.linenumber",
           "SELECT COUNT(*) FROM (SELECT uid + 1 AS person FROM event) e JOIN customer c ON c.custkey = e.person",
       }) {
    EXPECT_TRUE(says(refuse(sql), "different people")) << sql;
  }
}

TEST_F(OwnershipOf, PublicTablesAreJoinedFreely) {
  accept("SELECT COUNT(*) FROM customer c JOIN nation n ON c.nationkey = n.nationkey");
  accept("SELECT COUNT(*) FROM customer CROSS JOIN nation");
  accept("SELECT COUNT(*) FROM customer c LEFT JOIN nation n ON c.nationkey > n.nationkey");
  accept("SELECT COUNT(*) FROM event e JOIN calendar c ON e.day = c.day");
}

TEST_F(OwnershipOf, ALeftJoinKeepsRowsOfPeople) {
  accept("SELECT COUNT(*) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.total > 3");
  accept("SELECT COUNT(*) FROM orders o LEFT JOIN lineitem l ON l.orderkey = o.orderkey");
  accept(
      "SELECT COUNT(*) FROM (lineitem l LEFT JOIN returned r ON r.orderkey = l.orderkey AND r.linenumber = "
      "l.linenumber) JOIN orders o ON o.orderkey = l.orderkey");
  EXPECT_TRUE(says(refuse("SELECT COUNT(*) FROM nation n LEFT JOIN customer c ON c.nationkey = n.nationkey"),
                   "LEFT JOIN keeps every row of the public `nation`"));
  EXPECT_TRUE(says(refuse("SELECT COUNT(*) FROM customer c LEFT JOIN orders o ON o.total > 3"), "LEFT JOIN"));
  // What WHERE says above comes too late: the padded rows were decided by other people's rows.
  refuse("SELECT COUNT(*) FROM customer c LEFT JOIN orders o ON o.total > 3 WHERE c.custkey = o.custkey");
  // The owner of the right side is NULL where there is no partner.
  refuse(
      "SELECT COUNT(*) FROM (customer c LEFT JOIN orders o ON c.custkey = o.custkey) JOIN lineitem l ON l.orderkey "
      "= o.orderkey");
}

TEST_F(OwnershipOf, ASubqueryNeedNotSelectTheOwner) {
  EXPECT_EQ(printed("SELECT COUNT(*) FROM (SELECT kind FROM event) e"),
            R"(t2.c2 FROM (SELECT t1."kind" AS c1, t1."uid" AS c2 FROM "main"."event" AS t1) AS t2)");
  const std::string chain = printed("SELECT COUNT(*) FROM (SELECT quantity FROM lineitem WHERE quantity > 2) l");
  EXPECT_TRUE(says(chain, "t1.\"orderkey\" AS c2")) << chain;
  EXPECT_TRUE(says(chain, "JOIN \"main\".\"orders\"")) << chain;
  accept("SELECT COUNT(*) FROM (SELECT x.kind FROM (SELECT kind FROM event) x, nation) y LEFT JOIN nation ON TRUE");
}

TEST_F(OwnershipOf, FiltersStayAboveTheJoinsThatAreAdded) {
  const std::string sql = printed("SELECT COUNT(*) FROM lineitem WHERE quantity > 3");
  EXPECT_TRUE(says(sql, "t1 JOIN")) << sql;
  EXPECT_TRUE(says(sql, " WHERE ")) << sql;
}

TEST_F(OwnershipOf, ASubqueryGroupsByTheOwner) {
  accept("SELECT COUNT(*) FROM (SELECT uid, COUNT(*) AS n FROM event GROUP BY uid) e");
  accept(
      "SELECT COUNT(*) FROM (SELECT c.custkey, COUNT(o.orderkey) AS n FROM customer c LEFT JOIN orders o ON "
      "c.custkey = o.custkey GROUP BY c.custkey) t");
  accept("SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM event GROUP BY uid, kind HAVING COUNT(*) > 3) e");
  accept("SELECT COUNT(*) FROM (SELECT DISTINCT uid, kind FROM event) e");
  accept(
      "SELECT COUNT(*) FROM customer c JOIN (SELECT uid, COUNT(*) AS n FROM event GROUP BY uid) e ON e.uid = "
      "c.custkey");
  for (const char* sql : {
           "SELECT COUNT(*) FROM (SELECT kind, COUNT(*) AS n FROM event GROUP BY kind) e",
           "SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM event) e",
           "SELECT COUNT(*) FROM (SELECT DISTINCT kind FROM event) e",
           "SELECT COUNT(*) FROM (SELECT e.uid, COUNT(*) AS n FROM event e, orders o GROUP BY e.uid) t",
           "SELECT COUNT(*) FROM (SELECT uid + 1 AS u, COUNT(*) AS n FROM event GROUP BY uid + 1) e",
           "SELECT COUNT(*) FROM (SELECT o.custkey, COUNT(*) AS n FROM customer c LEFT JOIN orders o ON c.custkey = "
           "o.custkey GROUP BY o.custkey) t",
       }) {
    EXPECT_TRUE(says(refuse(sql), "different people")) << sql;
  }
}

TEST_F(OwnershipOf, AKeyThatLeadsToOneOwnerIsAsGood) {
  // Aggregated before the join that leads to the owner.
  const std::string sql = printed(
      "SELECT COUNT(*) FROM (SELECT orderkey, SUM(quantity) AS q FROM lineitem GROUP BY "
      "orderkey) t WHERE q > 3");
  EXPECT_LT(sql.find("GROUP BY"), sql.find("\"orders\"")) << sql;
  // No join: the analyst's own leads there.
  EXPECT_EQ(scans("SELECT COUNT(*) FROM (SELECT orderkey, SUM(quantity) AS q FROM lineitem GROUP BY orderkey) t JOIN "
                  "orders o ON o.orderkey = t.orderkey"),
            2U);
  // The table's own key: its owner column becomes a key.
  const std::string own =
      printed("SELECT COUNT(*) FROM (SELECT orderkey, COUNT(*) AS n FROM orders GROUP BY orderkey) t");
  EXPECT_TRUE(says(own, "\"custkey\"")) << own;
  EXPECT_EQ(scans("SELECT COUNT(*) FROM (SELECT orderkey, COUNT(*) AS n FROM orders GROUP BY orderkey) t"), 1U);
  // UNIQUE lets NULLs repeat: people without an email would share a group.
  refuse("SELECT COUNT(*) FROM (SELECT email, COUNT(*) AS n FROM customer GROUP BY email) t");
}

TEST_F(OwnershipOf, PublicSubqueriesGroupAsTheyLike) {
  accept(
      "SELECT COUNT(*) FROM customer c JOIN (SELECT name, COUNT(*) AS n FROM nation GROUP BY name) t ON t.n = "
      "c.nationkey");
}

TEST_F(OwnershipOf, NotInLooksAtTheSamePersonWhereNobodyHasNull) {
  accept("SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT uid FROM visit)");
  accept("SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT uid FROM event WHERE uid IS NOT NULL)");
  accept("SELECT COUNT(*) FROM event WHERE uid IS NOT NULL AND uid NOT IN (SELECT uid FROM visit)");
  accept("SELECT COUNT(*) FROM event WHERE uid NOT IN (SELECT uid FROM visit) AND kind = 'a' AND uid IS NOT NULL");
  accept("SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT v FROM (SELECT uid AS v FROM visit) AS t)");
  accept("SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT uid FROM visit GROUP BY uid HAVING COUNT(*) > 1)");
  accept("SELECT COUNT(*) FROM customer WHERE custkey <> ALL (SELECT c.custkey FROM customer c, nation)");

  for (const char* sql : {
           "SELECT COUNT(*) FROM event WHERE uid NOT IN (SELECT uid FROM visit)",
           "SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT uid FROM event WHERE uid IS NOT NULL OR kind = "
           "'a')",
           "SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT uid FROM event WHERE kind IS NOT NULL)",
           // A LEFT JOIN makes NULLs.
           "SELECT COUNT(*) FROM event e LEFT JOIN customer c ON e.uid = c.custkey WHERE c.custkey NOT IN (SELECT uid "
           "FROM visit)",
           "SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT v.uid FROM event e LEFT JOIN visit v ON v.uid = "
           "e.uid)",
           // What is computed may be NULL.
           "SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT NULLIF(uid, 7) FROM visit)",
           "SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT v FROM (SELECT uid + 0 AS v FROM visit) AS t)",
           // Another column.
           "SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT number FROM visit)",
       }) {
    refuse(sql);
  }
}

TEST_F(OwnershipOf, ExistsLooksAtTheSamePerson) {
  accept("SELECT COUNT(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.custkey = c.custkey)");
  accept(
      "SELECT COUNT(*) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.custkey = c.custkey AND "
      "o.total > c.balance)");
  accept("SELECT COUNT(*) FROM customer WHERE custkey IN (SELECT uid FROM event)");
  accept("SELECT COUNT(*) FROM orders o WHERE EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey = o.orderkey)");
  accept(
      "SELECT COUNT(*) FROM lineitem a WHERE EXISTS (SELECT 1 FROM lineitem b WHERE b.orderkey = a.orderkey AND "
      "b.linenumber <> a.linenumber)");
  accept(
      "SELECT COUNT(*) FROM orders WHERE orderkey IN (SELECT orderkey FROM lineitem GROUP BY orderkey HAVING "
      "SUM(quantity) > 300)");
  accept("SELECT COUNT(*) FROM customer WHERE nationkey IN (SELECT nationkey FROM nation WHERE name = 'x')");
  accept("SELECT COUNT(*) FROM customer WHERE nationkey NOT IN (SELECT nationkey FROM nation WHERE name = 'x')");

  for (const char* sql : {
           "SELECT COUNT(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.total > c.balance)",
           "SELECT COUNT(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.custkey = 7)",
           "SELECT COUNT(*) FROM customer WHERE nationkey IN (SELECT uid FROM event)",
           "SELECT COUNT(*) FROM customer WHERE custkey NOT IN (SELECT uid FROM event)",
           "SELECT COUNT(*) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.uid <> c.custkey)",
           // Everybody's events are looked at.
           "SELECT COUNT(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders o, event e WHERE o.custkey = c.custkey "
           "AND e.day = o.placed)",
           // What holds for the partner does not hold for the row.
           "SELECT COUNT(*) FROM event a, event b WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.custkey = a.uid AND "
           "a.uid = b.uid)",
       }) {
    refuse(sql);
  }
  const std::string sentence = refuse(
      "SELECT COUNT(*) FROM customer c JOIN (SELECT n.nationkey FROM nation n WHERE EXISTS (SELECT 1 FROM customer d "
      "WHERE d.nationkey = n.nationkey)) t ON c.nationkey = t.nationkey");
  EXPECT_TRUE(says(sentence, "public row")) << sentence;
}

}  // namespace
}  // namespace tacit::testing
