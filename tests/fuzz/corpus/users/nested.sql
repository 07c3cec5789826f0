SELECT q.d, COUNT(*) FROM (SELECT DISTINCT o.orderkey, CAST(placed AS TIMESTAMP) AS d FROM orders o, calendar c WHERE c.day = o.placed) AS q JOIN lineitem l ON l.orderkey = q.orderkey GROUP BY q.d
