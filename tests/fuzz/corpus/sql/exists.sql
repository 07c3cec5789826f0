SELECT COUNT(*) FROM visit v WHERE EXISTS (SELECT * FROM region r WHERE r.name = v.region) AND age NOT IN (SELECT MAX(age) FROM visit GROUP BY patient HAVING SUM(cost) > 3)
