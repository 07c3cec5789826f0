-- How much cargo do the tugs and ferries move, times its speed? The noise depends on the data, and so stays hidden.
SELECT SUM(cargo * speed) AS moved
FROM ship
WHERE kind IN ('tug', 'ferry');
