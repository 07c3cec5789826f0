-- What did the visits of each building cost? The wards and their buildings are public.
SELECT building, SUM(cost) AS cost
FROM visit JOIN ward ON visit.ward = ward.name
GROUP BY building
ORDER BY building;
