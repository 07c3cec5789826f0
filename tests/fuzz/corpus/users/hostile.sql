SELECT COUNT(*) FROM orders a, orders b WHERE a.orderkey = b.custkey AND a.total NOT IN (SELECT price FROM lineitem)
