SELECT AVG(x) FROM (SELECT DISTINCT patient, SUM(weight) * 2 AS x, COUNT(DISTINCT region) AS r FROM visit GROUP BY patient HAVING COUNT(*) > 2) s WHERE r > 1
