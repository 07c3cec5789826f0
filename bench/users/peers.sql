-- The seven questions of other systems' comparison (peers.csv), a customer as the person, epsilon 1, delta 1e-6. Each
-- is asked without any option, then with the options of the lines `-- options:` that could be the best in hindsight.
-- name: a
SELECT c_mktsegment, COUNT(*) AS answer FROM customer WHERE c_mktsegment IN ('AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY') GROUP BY c_mktsegment;
-- name: b
SELECT o_orderpriority, COUNT(*) AS answer FROM orders GROUP BY o_orderpriority;
-- name: b.1
-- options: max_rows = 24
SELECT o_orderpriority, COUNT(*) AS answer FROM orders GROUP BY o_orderpriority;
-- name: b.2
-- options: max_rows = 28
SELECT o_orderpriority, COUNT(*) AS answer FROM orders GROUP BY o_orderpriority;
-- name: b.3
-- options: max_rows = 36
SELECT o_orderpriority, COUNT(*) AS answer FROM orders GROUP BY o_orderpriority;
-- name: b.5
-- options: max_rows = 33
SELECT o_orderpriority, COUNT(*) AS answer FROM orders GROUP BY o_orderpriority;
-- name: b.4
-- options: max_groups_contributed = 5, max_rows_contributed = 10
SELECT o_orderpriority, COUNT(*) AS answer FROM orders GROUP BY o_orderpriority;
-- name: c
SELECT EXTRACT(year FROM o_orderdate) AS y, SUM(o_totalprice) AS answer FROM orders WHERE EXTRACT(year FROM o_orderdate) IN (1992, 1993, 1994, 1995, 1996, 1997, 1998) GROUP BY EXTRACT(year FROM o_orderdate);
-- name: c.1
-- options: max_groups_contributed = 7
SELECT EXTRACT(year FROM o_orderdate) AS y, ANON_SUM(o_totalprice, 0, 1000000) AS answer FROM orders WHERE EXTRACT(year FROM o_orderdate) IN (1992, 1993, 1994, 1995, 1996, 1997, 1998) GROUP BY EXTRACT(year FROM o_orderdate);
-- name: c.2
-- options: max_groups_contributed = 7
SELECT EXTRACT(year FROM o_orderdate) AS y, ANON_SUM(o_totalprice, 0, 1500000) AS answer FROM orders WHERE EXTRACT(year FROM o_orderdate) IN (1992, 1993, 1994, 1995, 1996, 1997, 1998) GROUP BY EXTRACT(year FROM o_orderdate);
-- name: d
SELECT l_returnflag, l_linestatus, AVG(l_quantity) AS answer FROM lineitem GROUP BY l_returnflag, l_linestatus;
-- name: d.1
-- options: max_groups_contributed = 4
SELECT l_returnflag, l_linestatus, AVG(l_quantity) AS answer FROM lineitem GROUP BY l_returnflag, l_linestatus;
-- name: d.2
-- options: max_groups_contributed = 3
SELECT l_returnflag, l_linestatus, AVG(l_quantity) AS answer FROM lineitem GROUP BY l_returnflag, l_linestatus;
-- name: e
SELECT c_nationkey, COUNT(DISTINCT c_custkey) AS answer FROM customer GROUP BY c_nationkey;
-- name: e.1
-- options: group_selection_strategy = OPTIMAL
SELECT c_nationkey, COUNT(DISTINCT c_custkey) AS answer FROM customer GROUP BY c_nationkey;
-- name: f
SELECT n_name, SUM(l_extendedprice) AS answer FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey JOIN nation ON c_nationkey = n_nationkey WHERE o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01' AND l_returnflag = 'R' GROUP BY n_name;
-- name: f.1
SELECT n_name, ANON_SUM(l_extendedprice, 0, 200000) AS answer FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey JOIN nation ON c_nationkey = n_nationkey WHERE o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01' AND l_returnflag = 'R' GROUP BY n_name;
-- name: f.2
SELECT n_name, ANON_SUM(l_extendedprice, 0, 400000) AS answer FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey JOIN nation ON c_nationkey = n_nationkey WHERE o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01' AND l_returnflag = 'R' GROUP BY n_name;
-- name: g
SELECT MEDIAN(o_totalprice, contribution_bounds_per_group => (0, 600000)) AS answer FROM orders;
-- The median over customers of the median of their orders: what a person says is one number.
-- name: g.plain
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY m) AS answer FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY o_totalprice) AS m FROM orders GROUP BY o_custkey) AS t;
-- name: d.plain
SELECT l_returnflag, l_linestatus, AVG(m) AS answer FROM (SELECT o_custkey, l_returnflag, l_linestatus, AVG(l_quantity) AS m FROM lineitem JOIN orders ON l_orderkey = o_orderkey GROUP BY o_custkey, l_returnflag, l_linestatus) AS t GROUP BY l_returnflag, l_linestatus;
