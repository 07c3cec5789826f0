SELECT priority, COUNT(l.linenumber) FROM orders o LEFT JOIN lineitem l ON l.orderkey = o.orderkey AND l.quantity > 3 GROUP BY priority
