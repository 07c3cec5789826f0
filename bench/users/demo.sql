-- Questions about the shop of `tacit demo`, a customer as the person, epsilon 1, delta 1e-6: without any option, then
-- with options that could be the best in hindsight.
-- name: segments
SELECT segment, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment;
-- name: segments.1
-- options: max_rows = 12
SELECT segment, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment;
-- name: segments.2
-- options: max_rows = 24
SELECT segment, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment;
-- name: segments.3
-- options: max_rows = 48
SELECT segment, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment;
-- name: segments.4
-- options: max_rows = 96
SELECT segment, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment;
-- name: statuses
SELECT status, COUNT(*) AS answer FROM orders GROUP BY status;
-- name: statuses.1
-- options: max_rows = 24
SELECT status, COUNT(*) AS answer FROM orders GROUP BY status;
-- name: statuses.2
-- options: max_rows = 48
SELECT status, COUNT(*) AS answer FROM orders GROUP BY status;
-- name: statuses.3
-- options: max_rows = 96
SELECT status, COUNT(*) AS answer FROM orders GROUP BY status;
-- name: quarters
SELECT segment, EXTRACT(QUARTER FROM placed) AS quarter, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment, EXTRACT(QUARTER FROM placed);
-- name: quarters.1
-- options: max_rows = 12
SELECT segment, EXTRACT(QUARTER FROM placed) AS quarter, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment, EXTRACT(QUARTER FROM placed);
-- name: quarters.2
-- options: max_rows = 24
SELECT segment, EXTRACT(QUARTER FROM placed) AS quarter, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment, EXTRACT(QUARTER FROM placed);
-- name: quarters.3
-- options: max_rows = 48
SELECT segment, EXTRACT(QUARTER FROM placed) AS quarter, COUNT(*) AS answer FROM customer JOIN orders ON orders.customer = customer.id GROUP BY segment, EXTRACT(QUARTER FROM placed);
-- name: customers
SELECT placed_orders, COUNT(*) AS answer FROM (SELECT customer, COUNT(*) AS placed_orders FROM orders GROUP BY customer) AS c GROUP BY placed_orders;
-- name: customers.1
-- options: group_selection_strategy = OPTIMAL
SELECT placed_orders, COUNT(*) AS answer FROM (SELECT customer, COUNT(*) AS placed_orders FROM orders GROUP BY customer) AS c GROUP BY placed_orders;
-- name: revenue
SELECT SUM(total) AS answer FROM orders;
-- name: revenue.1
SELECT ANON_SUM(total, 0, 10000) AS answer FROM orders;
-- name: revenue.2
SELECT ANON_SUM(total, 0, 40000) AS answer FROM orders;
-- name: revenue.3
SELECT ANON_SUM(total, 0, 100000) AS answer FROM orders;
-- name: balances
SELECT nation, AVG(balance) AS answer FROM customer GROUP BY nation;
