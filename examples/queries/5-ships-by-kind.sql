-- How fast and how heavy are the ships of each kind? Which ships there are is public; where they are and what they carry is not.
SELECT kind, COUNT(*) AS ships, SUM(cargo) AS cargo, AVG(speed) AS speed
FROM ship
GROUP BY kind
ORDER BY cargo DESC;
