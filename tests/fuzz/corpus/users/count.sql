SELECT segment, COUNT(*) FROM customer GROUP BY segment
