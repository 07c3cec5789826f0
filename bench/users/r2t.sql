-- The TPC-H queries of R2T without GROUP BY. Their predicates are not published with the figures: NAME is the bare join
-- of the query's tables, NAME.filtered has TPC-H's own conditions. Q5, Q7, Q8 and Q21 have two owners.
-- name: q3
SELECT COUNT(*) AS answer FROM customer, orders, lineitem WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey;
-- name: q3.filtered
SELECT COUNT(*) AS answer FROM customer, orders, lineitem WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND c_mktsegment = 'BUILDING' AND o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15';
-- name: q12
SELECT COUNT(*) AS answer FROM orders, lineitem WHERE o_orderkey = l_orderkey;
-- name: q12.filtered
SELECT COUNT(*) AS answer FROM orders, lineitem WHERE o_orderkey = l_orderkey AND l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate AND l_receiptdate >= DATE '1994-01-01' AND l_receiptdate < DATE '1995-01-01';
-- name: q20
SELECT COUNT(*) AS answer FROM supplier, partsupp WHERE s_suppkey = ps_suppkey;
-- name: q20.filtered
SELECT COUNT(*) AS answer FROM supplier, partsupp, part, nation WHERE s_suppkey = ps_suppkey AND ps_partkey = p_partkey AND p_name LIKE 'forest%' AND s_nationkey = n_nationkey AND n_name = 'CANADA';
-- name: q10
SELECT COUNT(*) AS answer FROM customer, orders, lineitem, nation WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND c_nationkey = n_nationkey;
-- name: q10.filtered
SELECT COUNT(*) AS answer FROM customer, orders, lineitem, nation WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND c_nationkey = n_nationkey AND o_orderdate >= DATE '1993-10-01' AND o_orderdate < DATE '1994-01-01' AND l_returnflag = 'R';
-- name: q11
SELECT SUM(ps_supplycost * ps_availqty) AS answer FROM supplier, partsupp, nation WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey;
-- name: q11.filtered
SELECT SUM(ps_supplycost * ps_availqty) AS answer FROM supplier, partsupp, nation WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey AND n_name = 'GERMANY';
-- name: q18
SELECT SUM(l_quantity) AS answer FROM customer, orders, lineitem WHERE c_custkey = o_custkey AND o_orderkey = l_orderkey;
-- name: q5
SELECT COUNT(*) AS answer FROM customer, orders, lineitem, supplier, nation, region WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey AND c_nationkey = s_nationkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey;
-- name: q8
SELECT COUNT(*) AS answer FROM part, supplier, lineitem, orders, customer WHERE p_partkey = l_partkey AND s_suppkey = l_suppkey AND l_orderkey = o_orderkey AND o_custkey = c_custkey;
-- name: q21
SELECT COUNT(*) AS answer FROM supplier, lineitem, orders WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey;
-- name: q7
SELECT SUM(l_extendedprice * (1 - l_discount)) AS answer FROM supplier, lineitem, orders, customer WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey AND c_custkey = o_custkey;
