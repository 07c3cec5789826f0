#include "soundness/rows/query_writer.hpp"

namespace tacit::soundness::rows {

std::string QueryWriter::from() {
  joined_ = dice_.below(3) == 0 ? 2 : dice_.below(2);
  std::string from = "$.visit v";
  if (joined_ >= 1)
    from += pick({" JOIN $.ward w ON v.ward = w.name", " LEFT JOIN $.ward w ON w.name = v.ward AND w.beds > 3"});
  if (joined_ == 2) from += " JOIN $.building b ON b.id = w.building";
  if (dice_.below(4) != 0) return from;
  joined_ = 0;
  return "(SELECT ward, age + 1 AS age, cost, delta, score, admitted, emergency, wild, wild_real FROM $.visit v "
         "WHERE " +
         predicate(1) + ") AS v";
}

Query QueryWriter::query() {
  Query query;
  query.from = from();
  for (int keys = dice_.pick({0, 1, 2}); keys > 0; --keys) query.keys.push_back(key());
  for (int aggregates = 1 + dice_.below(3); aggregates > 0; --aggregates) query.aggregates.push_back(aggregate());
  if (dice_.below(2) == 0) query.conditions.push_back(predicate(2));
  return query;
}

std::string QueryWriter::key() {
  if (joined_ >= 1 && dice_.below(2) == 0)
    return joined_ == 2 && dice_.below(2) == 0 ? "b.city" : pick({"w.building", "w.name", "w.beds"});
  return pick({"v.ward", "v.emergency", "v.age / 30", "CASE WHEN v.age < 18 THEN 'child' ELSE 'adult' END",
               "v.cost > 100", "EXTRACT(month FROM v.admitted)", "date_trunc('quarter', v.admitted)", "v.delta",
               "v.wild", "v.wild_real", "lower(v.ward)", "v.score", "v.admitted + v.delta"});
}

std::string QueryWriter::aggregate() {
  switch (dice_.below(12)) {
    case 0: return "COUNT(*)";
    case 1: return "COUNT(" + pick({"v.age", "v.wild", "v.score", "v.wild_real", "v.ward"}) + ")";
    case 2: return "COUNT(DISTINCT " + pick({"v.ward", "v.wild", "v.age / 10", "v.score", "v.admitted"}) + ")";
    case 3: return "AVG(" + number(2) + ")";
    case 4: return "ANON_SUM(" + pick({"v.wild", "v.wild_real", "v.wild * 3"}) + ", -5, 17)";
    case 5: return "MAX(" + number(1) + ")";
    case 6: return "QUANTILE(" + number(1) + ", " + pick({"0", "0.25", "0.5", "0.99"}) + ")";
    case 7: return "ANON_MEDIAN(" + pick({"v.wild", "v.wild_real", "v.cost"}) + ", -5, 17)";
    case 8: return "VAR_POP(" + number(1) + ")";
    case 9:
      return pick({"SUM", "AVG", "STDDEV", "SUM"}) + "(" + pick({"v.wild", "v.wild_real", "v.age + v.wild"}) + ")";
    default: return "SUM(" + number(2) + ")";
  }
}

std::string QueryWriter::number(int depth) {
  if (depth == 0 || dice_.below(3) == 0) {
    return pick({"v.age", "v.cost", "v.delta", "v.score", "3", "-2.5", "LEAST(GREATEST(v.wild, -9), 9)",
                 "EXTRACT(day FROM v.admitted)"});
  }
  const std::string a = number(depth - 1);
  const std::string b = number(depth - 1);
  switch (dice_.below(8)) {
    case 0: return "(" + a + " + " + b + ")";
    case 1: return "(" + a + " - " + b + ")";
    case 2: return "(" + a + " * " + b + ")";
    case 3: return "(" + a + " / NULLIF(v.delta, 2))";
    case 4: return "abs(" + a + ")";
    case 5: return "CASE WHEN " + predicate(1) + " THEN " + a + " ELSE " + b + " END";
    case 6: return "COALESCE(" + a + ", " + b + ")";
    default: return "round(" + a + ")";
  }
}

std::string QueryWriter::predicate(int depth) {
  if (depth == 0 || dice_.below(2) == 0) {
    return pick({"v.age > 40", "v.ward IN ('icu', 'er')", "v.ward LIKE '%r%'", "v.emergency", "v.wild / v.delta > 1",
                 "ln(v.wild_real) < 2", "sqrt(v.wild_real) >= 1", "v.admitted + v.delta > DATE '2020-06-01'",
                 "v.cost BETWEEN 5 AND 80.5", "v.score IS NULL", "power(v.wild_real, 3) > v.age",
                 "CAST(v.wild_real AS integer) = 4", "v.wild % v.age = 1", "v.wild * v.wild > 4",
                 "exp(v.wild_real) > 3"});
  }
  return "(" + predicate(depth - 1) + pick({" AND ", " OR ", " AND NOT "}) + predicate(depth - 1) + ")";
}

}  // namespace tacit::soundness::rows
