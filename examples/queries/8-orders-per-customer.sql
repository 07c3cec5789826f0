-- How many customers placed how many orders? The groups come from the data, so which are shown is chosen privately.
SELECT placed_orders, COUNT(*) AS customers
FROM (SELECT customer, COUNT(*) AS placed_orders FROM orders GROUP BY customer) AS c
GROUP BY placed_orders
ORDER BY placed_orders;
