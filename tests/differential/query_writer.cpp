#include "differential/query_writer.hpp"

namespace tacit::differential {

std::string QueryWriter::query() {
  const std::string source = from();
  const std::string first = below(3) == 0 ? "" : key();
  const std::string second = first.empty() || below(2) == 0 ? "" : key();
  std::string select = first + (second.empty() ? "" : ", " + second);
  const int aggregates = 1 + below(4);
  for (int i = 0; i < aggregates; ++i) select += (select.empty() ? "" : ", ") + aggregate();
  std::string sql = "SELECT " + select + " FROM " + source;
  if (below(2) == 0) sql += " WHERE " + predicate(2);
  if (!first.empty()) sql += " GROUP BY " + first + (second.empty() ? "" : ", " + second);
  return sql;
}

std::string QueryWriter::from() {
  joined_ = below(3) == 0 ? 2 : below(2);
  std::string from = "\"Visit Log\" v";
  if (joined_ >= 1) {
    from += pick(
        {" JOIN \"Ward\" w ON v.ward = w.\"Name\"", " LEFT JOIN \"Ward\" w ON w.\"Name\" = v.ward AND w.beds > 3"});
  }
  if (joined_ == 2) from += " JOIN building b ON b.id = w.building";
  if (below(4) != 0) return from;
  joined_ = 0;
  const std::string condition = predicate(1);
  return "(SELECT ward, age + 1 AS age, cost, delta, score * 2 AS score, \"Größe\", small, admitted, seen, emergency, "
         "wild, \"wild \"\"real\"\"\", wide, " +
         pick({"note", "upper(note) AS note", "CAST(cost AS text) AS note"}) +
         ", day, moment FROM \"Visit Log\" v WHERE " + condition + ") AS v";
}

std::string QueryWriter::key() {
  if (joined_ >= 1 && below(2) == 0) {
    if (joined_ == 2 && below(2) == 0) return pick({"b.city", "b.opened", "b.height", "b.id", "lower(b.city)"});
    return pick({"w.building", "w.\"Name\"", "w.beds", "w.\"rate %\"", "w.beds / 3", "upper(w.\"Name\")"});
  }
  return pick({"v.ward",
               "v.emergency",
               "v.age / 30",
               "CASE WHEN v.age < 18 THEN 'child' ELSE 'Ädult' END",
               "v.cost > 100",
               "EXTRACT(month FROM v.admitted)",
               "EXTRACT(isodow FROM v.seen)",
               "date_trunc('quarter', v.seen)",
               "date_trunc('week', v.seen)",
               "v.delta",
               "sign(v.wild)",
               "v.small / 7",
               "CAST(v.age / 40 AS smallint)",
               "EXTRACT(hour FROM v.moment)",
               "EXTRACT(week FROM v.day)",
               "EXTRACT(doy FROM v.admitted) / 100",
               "EXTRACT(year FROM v.seen)",
               "COALESCE(v.delta, 9)",
               "LEAST(GREATEST(v.wild, -2), 2)",
               "v.note LIKE '%a%'",
               "round(v.\"Größe\", -2)",
               "mod(v.age, 5)",
               "CAST(v.emergency AS integer)",
               "NULLIF(v.delta, 0)",
               "floor(v.cost / 2500)",
               "CASE v.ward WHEN 'icu' THEN 1.5 WHEN 'ER' THEN 2 END",
               "CAST(v.seen AS date)"});
}

std::string QueryWriter::aggregate() {
  switch (below(9)) {
    case 0: return "COUNT(*)";
    case 1: return "COUNT(" + (below(2) == 0 ? anything(2) : below(2) == 0 ? text(2) : moment(2)) + ")";
    case 2: return "COUNT(DISTINCT " + (below(2) == 0 ? anything(1) : below(2) == 0 ? text(2) : moment(2)) + ")";
    case 3:
    case 4: return "AVG(" + number(2) + ")";
    case 5: return "ANON_SUM(" + anything(2) + ", -5, 17)";
    case 6: return "SUM(" + number(2) + ") FILTER (WHERE " + predicate(1) + ")";
    default: return "SUM(" + number(3) + ")";
  }
}

std::string QueryWriter::number(int depth) {
  if (depth == 0 || below(4) == 0) {
    return pick({"v.age",
                 "v.cost",
                 "v.delta",
                 "v.score",
                 "v.\"Größe\"",
                 "v.small",
                 "3",
                 "-2.5",
                 "0.001",
                 "1e2",
                 "LEAST(GREATEST(v.wild, -9), 9)",
                 "EXTRACT(day FROM v.admitted)",
                 "EXTRACT(second FROM v.moment)",
                 "EXTRACT(quarter FROM v.day)",
                 "EXTRACT(dow FROM v.moment)",
                 "EXTRACT(minute FROM v.seen)",
                 "LEAST(length(v.note), 9)",
                 "sign(v.\"wild \"\"real\"\"\")",
                 "sign(v.wide)",
                 "CAST(v.emergency AS integer)",
                 "GREATEST(LEAST(v.\"wild \"\"real\"\"\", 4.5), -1)",
                 "GREATEST(LEAST(v.wide, 100), 0.5)",
                 "v.admitted - DATE '1960-01-01'",
                 "CASE WHEN v.ward = 'icu' THEN 1 END"});
  }
  const std::string a = number(depth - 1);
  const std::string b = number(depth - 1);
  switch (below(22)) {
    case 0: return "(" + a + " + " + b + ")";
    case 1: return "(" + a + " - " + b + ")";
    case 2:
    case 3: return "(" + a + " * " + b + ")";
    case 4: return "(" + a + " / NULLIF(v.delta, 2))";
    case 5: return "(" + a + " / 7)";
    case 6: return "abs(" + a + ")";
    case 7: return "CASE WHEN " + predicate(1) + " THEN " + a + " ELSE " + b + " END";
    case 8: return "COALESCE(" + a + ", " + b + ")";
    case 9: return "round(" + a + ")";
    case 10: return "round(" + a + ", " + pick({"0", "1", "3", "-1", "-2"}) + ")";
    case 11: return pick({"floor(", "ceil("}) + a + ")";
    case 12: return "(" + a + " % " + pick({"7", "-3", "2.5", "v.delta"}) + ")";
    case 13: return "LEAST(" + a + ", " + b + ")";
    case 14: return "GREATEST(" + a + ", " + b + ")";
    case 15:
      return "CAST(" + a + " AS " +
             pick({"integer", "bigint", "smallint", "decimal(12,2)", "decimal(20,8)", "double precision"}) + ")";
    case 16: return "sqrt(abs(" + a + "))";
    case 17: return "exp(LEAST(" + a + ", 3))";
    case 18: return "ln(GREATEST(" + a + ", 1))";
    case 19: return "power(" + a + ", " + pick({"2", "3", "0", "1"}) + ")";
    case 20: return "NULLIF(" + a + ", " + b + ")";
    default: return "(- " + a + ")";
  }
}

std::string QueryWriter::anything(int depth) {
  if (depth == 0 || below(4) == 0) {
    return pick({"v.wild", "v.wide", "v.\"wild \"\"real\"\"\"", "v.score", "v.cost", "v.age", "v.small", "2", "0.5",
                 "-7", "CAST('1e10' AS double precision)"});
  }
  const std::string a = anything(depth - 1);
  const std::string b = anything(depth - 1);
  switch (below(18)) {
    case 0: return "(" + a + " + " + b + ")";
    case 1: return "(" + a + " - " + b + ")";
    case 2: return "(" + a + " * " + b + ")";
    case 3: return "(" + a + " / " + b + ")";
    case 4: return "(" + a + " % " + b + ")";
    case 5: return "power(" + a + ", " + b + ")";
    case 6: return "ln(" + a + ")";
    case 7: return "sqrt(" + a + ")";
    case 8: return "exp(" + a + ")";
    case 9:
      return "CAST(" + a + " AS " +
             pick({"integer", "bigint", "smallint", "decimal(12,2)", "decimal(30,3)", "decimal(3,3)",
                   "double precision"}) +
             ")";
    case 10: return "round(" + a + ")";
    case 11: return "(- " + a + ")";
    case 12: return "LEAST(" + a + ", " + b + ")";
    case 13: return "GREATEST(" + a + ", " + b + ")";
    case 14: return "COALESCE(" + a + ", " + b + ")";
    case 15: return "(v.day - v.admitted)";
    case 16: return "length(" + text(1) + ")";
    default: return number(depth);
  }
}

std::string QueryWriter::text(int depth) {
  if (depth == 0 || below(3) == 0) return pick({"v.note", "v.ward", "'Zebra'", "'ünï'", "''"});
  switch (below(9)) {
    case 0: return "lower(" + text(depth - 1) + ")";
    case 1: return "upper(" + text(depth - 1) + ")";
    case 2:
      return "CAST(" + pick({"v.wild", "v.wide", "v.cost", "v.\"Größe\"", "v.emergency", "v.small"}) + " AS text)";
    case 3: return "CAST(" + moment(1) + " AS text)";
    case 4: return "LEAST(" + text(depth - 1) + ", " + text(depth - 1) + ")";
    case 5: return "GREATEST(" + text(depth - 1) + ", " + text(depth - 1) + ")";
    case 6: return "COALESCE(" + text(depth - 1) + ", " + text(depth - 1) + ")";
    case 7: return pick({"substring(", "substr("}) + text(depth - 1) + pick({", 1, 2)", ", 3)", ", 2, 1)", ", 1, 0)"});
    default: return "CASE WHEN " + predicate(0) + " THEN " + text(depth - 1) + " ELSE " + text(depth - 1) + " END";
  }
}

std::string QueryWriter::moment(int depth) {
  if (depth == 0 || below(3) == 0) return pick({"v.day", "v.moment", "v.admitted", "v.seen", "DATE '1969-02-28'"});
  switch (below(6)) {
    case 0: return "(v.day + " + pick({"v.delta", "v.small", "v.wild", "-3", "40000"}) + ")";
    case 1:
      return "(" + moment(depth - 1) + pick({" + ", " - "}) + "interval '" +
             pick({"1 month", "13 months 3 days", "9999 years", "36 hours", "1 microsecond", "-7 weeks"}) + "')";
    case 2:
      return "date_trunc('" + pick({"year", "quarter", "month", "week", "day", "hour", "minute", "second"}) + "', " +
             moment(depth - 1) + ")";
    case 3: return "CAST(" + moment(depth - 1) + " AS " + pick({"date", "timestamp"}) + ")";
    case 4: return "LEAST(" + moment(depth - 1) + ", " + moment(depth - 1) + ")";
    default: return "COALESCE(" + moment(depth - 1) + ", " + moment(depth - 1) + ")";
  }
}

std::string QueryWriter::comparison(int depth) {
  const std::string op =
      pick({" = ", " <> ", " < ", " <= ", " > ", " >= ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM "});
  switch (below(4)) {
    case 0: return text(depth) + op + text(depth);
    case 1: return moment(depth) + op + moment(depth);
    default: return anything(depth) + op + anything(depth);
  }
}

std::string QueryWriter::predicate(int depth) {
  if (depth == 0 || below(3) == 0) {
    return pick({"v.age > 40",
                 "v.ward IN ('icu', 'ER', NULL)",
                 "v.ward LIKE '%r%'",
                 "v.emergency",
                 "v.note ILIKE '%A%'",
                 "v.note ILIKE 'ÜNÏ%'",
                 "v.note LIKE '%!%' ESCAPE '!'",
                 "v.note LIKE 'a\\_b'",
                 "v.note LIKE '_'",
                 "v.note LIKE 'a\\\\\\\\b'",
                 "v.note NOT LIKE '%e_ra'",
                 "v.wild / v.delta > 1",
                 "v.note ILIKE '%strasse'",
                 "v.note ILIKE 'i%'",
                 "v.score IS NULL",
                 "v.wild % v.age = 1",
                 "v.cost BETWEEN 5 AND 80.5",
                 "v.note > 'a'",
                 "v.note BETWEEN 'A' AND 'z'",
                 "v.emergency IS NOT TRUE",
                 "v.wide IN (0, 3.5, -2.5)",
                 "v.day < v.moment",
                 "v.day = DATE '1970-01-01'",
                 "EXTRACT(dow FROM v.day) = 0",
                 "v.wild IN (1, 17)",
                 "v.score IN (0.3, 0.5)",
                 "v.emergency IS UNKNOWN"});
  }
  if (below(2) == 0) return "(" + comparison(depth) + ")";
  return "(" + predicate(depth - 1) + pick({" AND ", " OR ", " AND NOT "}) + predicate(depth - 1) + ")";
}

}  // namespace tacit::differential
