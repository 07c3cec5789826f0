-- Tables 3 and 4 of Wilson et al. 2020: what its authors asked of TPC-H at epsilon 0.1. NAME.plain is the exact query.
-- Table 3: one group of Q1 (all its lines are shipped before the query's date), each user bounded as published.
-- name: q1.count
SELECT ANON_COUNT(* CLAMPED BETWEEN 0 AND 373) AS answer FROM lineitem WHERE l_returnflag = 'A' AND l_linestatus = 'F';
-- name: q1.count.plain
SELECT COUNT(*) AS answer FROM lineitem WHERE l_returnflag = 'A' AND l_linestatus = 'F';
-- name: q1.avg
SELECT ANON_AVG(l_extendedprice, 0, 100000) AS answer FROM lineitem WHERE l_returnflag = 'A' AND l_linestatus = 'F';
-- name: q1.avg.plain
SELECT AVG(l_extendedprice) AS answer FROM lineitem WHERE l_returnflag = 'A' AND l_linestatus = 'F';
-- name: q1.median
SELECT ANON_MEDIAN(l_extendedprice, 0, 100000) AS answer FROM lineitem WHERE l_returnflag = 'A' AND l_linestatus = 'F';
-- name: q1.median.plain
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY l_extendedprice) AS answer FROM lineitem WHERE l_returnflag = 'A' AND l_linestatus = 'F';
-- Table 4: groups chosen among those of the data. Q4's bound on one customer in one group is the published sensitivity.
-- name: q4
SELECT o_orderpriority, ANON_COUNT(* CLAMPED BETWEEN 0 AND 5) AS order_count FROM orders WHERE o_orderdate >= DATE '1993-07-01' AND o_orderdate < DATE '1993-10-01' AND EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate) GROUP BY o_orderpriority;
-- name: q4.plain
SELECT o_orderpriority, COUNT(*) AS order_count FROM orders WHERE o_orderdate >= DATE '1993-07-01' AND o_orderdate < DATE '1993-10-01' AND EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate) GROUP BY o_orderpriority;
-- name: q13
SELECT c_count, COUNT(*) AS custdist FROM (SELECT c_custkey, COUNT(o_orderkey) AS c_count FROM customer LEFT JOIN orders ON c_custkey = o_custkey AND o_comment NOT LIKE '%special%requests%' GROUP BY c_custkey) AS c_orders GROUP BY c_count;
-- Q16's keys are columns of the public table part: its groups are listed, and there is nothing to choose.
-- name: q16
SELECT p_brand, p_type, p_size, COUNT(DISTINCT ps_suppkey) AS supplier_cnt FROM partsupp, part WHERE p_partkey = ps_partkey AND p_brand <> 'Brand#45' AND p_type NOT LIKE 'MEDIUM POLISHED%' AND p_size IN (49, 14, 23, 45, 19, 3, 36, 9) AND NOT EXISTS (SELECT * FROM supplier WHERE s_suppkey = ps_suppkey AND s_comment LIKE '%Customer%Complaints%') GROUP BY p_brand, p_type, p_size;
-- Q21's bound of 1, too, is the published one: a supplier's lines count as one.
-- name: q21
SELECT s_name, ANON_COUNT(* CLAMPED BETWEEN 0 AND 1) AS numwait FROM supplier, lineitem AS l1, orders, nation WHERE s_suppkey = l1.l_suppkey AND o_orderkey = l1.l_orderkey AND o_orderstatus = 'F' AND l1.l_receiptdate > l1.l_commitdate AND EXISTS (SELECT * FROM lineitem AS l2 WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey) AND NOT EXISTS (SELECT * FROM lineitem AS l3 WHERE l3.l_orderkey = l1.l_orderkey AND l3.l_suppkey <> l1.l_suppkey AND l3.l_receiptdate > l3.l_commitdate) AND s_nationkey = n_nationkey AND n_name = 'SAUDI ARABIA' GROUP BY s_name;
-- name: q21.plain
SELECT s_name, COUNT(*) AS numwait FROM supplier, lineitem AS l1, orders, nation WHERE s_suppkey = l1.l_suppkey AND o_orderkey = l1.l_orderkey AND o_orderstatus = 'F' AND l1.l_receiptdate > l1.l_commitdate AND EXISTS (SELECT * FROM lineitem AS l2 WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey) AND NOT EXISTS (SELECT * FROM lineitem AS l3 WHERE l3.l_orderkey = l1.l_orderkey AND l3.l_suppkey <> l1.l_suppkey AND l3.l_receiptdate > l3.l_commitdate) AND s_nationkey = n_nationkey AND n_name = 'SAUDI ARABIA' GROUP BY s_name;
