SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 0.5, delta = 1e-7, max_groups_contributed = 3, leftovers = true) reason, COUNT(*) FROM returned GROUP BY reason
