SELECT WITH ANONYMIZATION OPTIONS(kappa = 2, leftovers = TRUE) region, ANON_COUNT(*, 0, 5), ANON_NTILE(age, 0.5, 0, 9) FROM visit v, clinic.doctor d USING(region) GROUP BY region
