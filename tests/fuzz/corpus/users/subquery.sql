WITH g AS (SELECT custkey, COUNT(*) AS n, MAX(total) AS most FROM orders GROUP BY custkey HAVING COUNT(*) > 1) SELECT n, ANON_AVG(most, 0, 100) FROM g GROUP BY n
