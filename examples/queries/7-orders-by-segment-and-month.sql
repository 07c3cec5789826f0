-- How many orders did each segment place each quarter? A customer with all of his or her orders is one secret.
SELECT segment, EXTRACT(QUARTER FROM placed) AS quarter, COUNT(*) AS orders, COUNT(DISTINCT customer.id) AS customers
FROM customer JOIN orders ON orders.customer = customer.id
GROUP BY segment, EXTRACT(QUARTER FROM placed)
ORDER BY segment, quarter;
