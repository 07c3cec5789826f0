-- How far are the Maltese ships from the middle of the bay, by their own time at full speed?
SELECT SUM(SQRT(POWER(x - 500, 2) + POWER(y - 500, 2) + 1) / speed) AS hours
FROM ship
WHERE flag = 'Malta' AND speed >= 5;
