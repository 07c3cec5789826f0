SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.uid = o.custkey) AND custkey IN (SELECT uid FROM daily WHERE steps > 3)
