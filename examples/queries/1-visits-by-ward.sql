-- How many visits did each ward have?
SELECT ward, COUNT(*) AS visits
FROM visit
GROUP BY ward
ORDER BY visits DESC;
