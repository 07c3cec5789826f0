SELECT c.segment, SUM(l.price), AVG(l.quantity) FROM customer c JOIN orders o ON o.custkey = c.custkey JOIN lineitem l USING (orderkey) GROUP BY c.segment
