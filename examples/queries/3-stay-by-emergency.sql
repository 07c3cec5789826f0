-- How long do patients stay, emergencies and others?
SELECT emergency, AVG(stay_days) AS days
FROM visit
GROUP BY emergency
ORDER BY emergency;
