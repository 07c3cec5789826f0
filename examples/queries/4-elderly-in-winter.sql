-- How many elderly people came with pneumonia in the first quarter?
SELECT COUNT(*) AS visits
FROM visit
WHERE diagnosis = 'pneumonia' AND age >= 65 AND admitted < DATE '2024-04-01';
