SELECT COUNT(DISTINCT kind, contribution_bounds_per_group => (0, 5)), COUNT(DISTINCT uid) FROM event GROUP BY day
