-- The 21 benchmark queries of Laud et al. 2020 (App. B.3), on the standard TPC-H schema with DATE columns
-- (the paper's day numbers since 1980-01-01 turned into dates). One statement per name.
-- name: b1_1
SELECT SUM(l_quantity) FROM lineitem WHERE l_shipdate <= DATE '1996-06-15' AND l_returnflag = 'R' AND l_linestatus = 'F';
-- name: b1_2
SELECT SUM(l_extendedprice) FROM lineitem WHERE l_shipdate <= DATE '1996-06-15' AND l_returnflag = 'R' AND l_linestatus = 'F';
-- name: b1_3
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM lineitem WHERE l_shipdate <= DATE '1996-06-15' AND l_returnflag = 'R' AND l_linestatus = 'F';
-- name: b1_4
SELECT SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)) FROM lineitem WHERE l_shipdate <= DATE '1996-06-15' AND l_returnflag = 'R' AND l_linestatus = 'F';
-- name: b1_5
SELECT COUNT(*) FROM lineitem WHERE l_shipdate <= DATE '1996-06-15' AND l_returnflag = 'R' AND l_linestatus = 'F';
-- name: b2_1
SELECT MIN(ps_supplycost) FROM partsupp, supplier, nation, region, part WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey AND r_name = 'ASIA';
-- name: b2_2
SELECT MAX(ps_supplycost) FROM partsupp, supplier, nation, region, part WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey AND r_name = 'ASIA';
-- name: b3
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM customer, orders, lineitem WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey AND o_orderdate < DATE '1995-08-10' AND l_shipdate > DATE '1995-08-10' AND l_orderkey = 162 AND o_shippriority = 0;
-- name: b4
SELECT COUNT(*) FROM orders, lineitem WHERE o_orderdate >= DATE '1994-10-14' AND o_orderdate < DATE '1995-01-12' AND l_orderkey = o_orderkey AND l_commitdate < l_receiptdate AND o_orderpriority = '1-URGENT';
-- name: b5
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM customer, orders, lineitem, supplier, nation, region WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey AND c_nationkey = s_nationkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey AND r_name = 'ASIA' AND o_orderdate >= DATE '1997-07-10' AND o_orderdate < DATE '1998-07-05' AND n_name = 'JAPAN';
-- name: b6
SELECT SUM(l_extendedprice * l_discount) FROM lineitem WHERE l_shipdate >= DATE '1994-01-02' AND l_shipdate < DATE '1994-12-28' AND l_discount BETWEEN 0.08 AND 0.10 AND l_quantity < 24;
-- name: b7
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM supplier, lineitem, orders, customer, nation AS n1, nation AS n2 WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey AND c_custkey = o_custkey AND s_nationkey = n1.n_nationkey AND c_nationkey = n2.n_nationkey AND ((n1.n_name = 'JAPAN' AND n2.n_name = 'INDONESIA') OR (n1.n_name = 'INDONESIA' AND n2.n_name = 'JAPAN')) AND l_shipdate BETWEEN DATE '1994-12-31' AND DATE '1997-01-01';
-- name: b8
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM part, supplier, lineitem, orders, customer, nation AS n1, nation AS n2, region WHERE p_partkey = l_partkey AND s_suppkey = l_suppkey AND l_orderkey = o_orderkey AND o_custkey = c_custkey AND c_nationkey = n1.n_nationkey AND n1.n_regionkey = r_regionkey AND r_name = 'ASIA' AND s_nationkey = n2.n_nationkey AND o_orderdate >= DATE '1994-12-31' AND o_orderdate <= DATE '1997-01-01' AND p_type = 'MEDIUM BRUSHED COPPER' AND n2.n_name = 'JAPAN';
-- name: b9
SELECT SUM(l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity) FROM part, supplier, lineitem, partsupp, orders, nation WHERE s_suppkey = l_suppkey AND ps_suppkey = l_suppkey AND ps_partkey = l_partkey AND p_partkey = l_partkey AND o_orderkey = l_orderkey AND s_nationkey = n_nationkey AND p_name LIKE '%violet%' AND n_name = 'UNITED KINGDOM';
-- name: b10
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM customer, orders, lineitem, nation WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND o_orderdate >= DATE '1995-01-22' AND o_orderdate < DATE '1995-04-22' AND l_returnflag = 'R' AND c_nationkey = n_nationkey AND c_custkey = 64 AND n_name = 'CANADA';
-- name: b11
SELECT SUM(ps_supplycost * ps_availqty * 0.2) FROM partsupp, supplier, nation WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey AND n_name = 'JAPAN';
-- name: b12_1
SELECT COUNT(*) FROM orders, lineitem WHERE o_orderkey = l_orderkey AND (o_orderpriority <> '1-URGENT' OR o_orderpriority <> '2-HIGH') AND l_shipmode IN ('TRUCK', 'SHIP') AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate AND l_receiptdate >= DATE '1995-01-22' AND l_receiptdate < DATE '1996-01-17';
-- name: b12_2
SELECT COUNT(*) FROM orders, lineitem WHERE o_orderkey = l_orderkey AND (o_orderpriority = '1-URGENT' OR o_orderpriority = '2-HIGH') AND l_shipmode IN ('TRUCK', 'SHIP') AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate AND l_receiptdate >= DATE '1995-01-22' AND l_receiptdate < DATE '1996-01-17';
-- name: b16
SELECT COUNT(ps_suppkey) FROM partsupp, part, supplier WHERE p_partkey = ps_partkey AND ps_suppkey = s_suppkey AND p_brand <> 'Brand#34' AND NOT (p_type LIKE '%COPPER%') AND p_size IN (5, 10, 15, 20, 25, 30, 35, 40) AND NOT (s_comment LIKE '%Customer%Complaints%');
-- name: b17
SELECT SUM(l_extendedprice * 0.142857) FROM lineitem, part WHERE p_partkey = l_partkey AND p_brand = 'Brand#34' AND p_container = 'JUMBO PKG' AND l_quantity < 0.2 * 32;
-- name: b19
SELECT SUM(l_extendedprice * (1 - l_discount)) FROM lineitem, part WHERE p_partkey = l_partkey AND l_shipmode IN ('AIR', 'AIR REG') AND l_shipinstruct = 'DELIVER IN PERSON' AND p_size >= 1 AND ((p_brand = 'Brand#34' AND p_container IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG') AND l_quantity >= 35 AND l_quantity <= 45 AND p_size <= 5) OR (p_brand = 'Brand#22' AND p_container IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK') AND l_quantity >= 12 AND l_quantity <= 22 AND p_size <= 10) OR (p_brand = 'Brand#14' AND p_container IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG') AND l_quantity >= 90 AND l_quantity <= 100 AND p_size <= 15));
