SELECT n.name, ANON_NTILE(balance, 0.75, 0, 100), VAR_POP(balance) FROM customer LEFT JOIN nation n ON n.nationkey = customer.nationkey GROUP BY n.name
