#include "engine/postgres/read_equality.hpp"

#include <fmt/format.h>

#include "base/value.hpp"
#include "engine/postgres/column_type.hpp"
#include "engine/postgres/read_rows.hpp"

namespace tacit::postgres_engine {
namespace {

enum Reason : std::int64_t { collation = 1, made_type = 2, foreign_key = 3, referred_to = 4 };

std::string describe(std::int64_t reason, const std::string& word) {
  switch (reason) {
    case collation: return fmt::format("its collation {} calls different texts equal", word);
    case made_type: return fmt::format("the database compares {} in its own way", word);
    case foreign_key: return fmt::format("a foreign key compares it as {}", word);
    default: return "a foreign key leads to a column that the database compares in its own way";
  }
}

// 1, 2 and 3 with what is to be said of them; then whatever leads there. A foreign key between a time
// with a zone and one without is checked in the zone of the session that writes.
std::string equality_sql(const std::string& tables) {
  return fmt::format(
      "WITH RECURSIVE domain(oid, base) AS ("
      "SELECT t.oid, t.typbasetype FROM pg_type t WHERE t.typtype = 'd' UNION ALL "
      "SELECT d.oid, t.typbasetype FROM domain d JOIN pg_type t ON t.oid = d.base AND t.typtype = 'd'), "
      "inner_type(oid, base) AS (SELECT d.oid, d.base FROM domain d JOIN pg_type t ON t.oid = d.base "
      "AND t.typtype <> 'd'), "
      "pair(relation, number, of_relation, of_number, compared, stored, mixed) AS ("
      "SELECT f.conrelid, k.own, f.confrelid, k.other, o.oprright, COALESCE(d.base, a.atttypid), "
      "(o.oprleft = {9}) <> (o.oprright = {9}) FROM pg_constraint f "
      "CROSS JOIN unnest(f.conkey, f.confkey, f.conpfeqop) AS k(own, other, operator) "
      "JOIN pg_operator o ON o.oid = k.operator JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.own "
      "LEFT JOIN inner_type d ON d.oid = a.atttypid WHERE f.contype = 'f'), "
      "link(relation, number, of_relation, of_number) AS ("
      "SELECT relation, number, of_relation, of_number FROM pair UNION ALL "
      "SELECT i.inhparent, p.attnum, i.inhrelid, a.attnum FROM pg_inherits i "
      "JOIN pg_attribute a ON a.attrelid = i.inhrelid AND a.attnum > 0 "
      "JOIN pg_attribute p ON p.attrelid = i.inhparent AND p.attname = a.attname), "
      "own(relation, number, reason, word) AS ("
      "SELECT a.attrelid, a.attnum, {1}, CAST(c.collname AS TEXT) FROM pg_attribute a "
      "JOIN pg_collation c ON c.oid = a.attcollation AND NOT c.collisdeterministic UNION ALL "
      "SELECT a.attrelid, a.attnum, {2}, format_type(t.oid, NULL) FROM pg_attribute a "
      "LEFT JOIN inner_type d ON d.oid = a.atttypid JOIN pg_type t ON t.oid = COALESCE(d.base, a.atttypid) "
      "WHERE t.oid >= {5} AND t.typtype = 'b' UNION ALL "
      "SELECT relation, number, {3}, format_type(compared, NULL) FROM pair WHERE "
      "compared = {6} AND stored <> {6} OR compared IN ({7}, {8}) AND stored NOT IN ({7}, {8}) OR mixed), "
      "reached(relation, number) AS (SELECT relation, number FROM own UNION SELECT l.relation, l.number "
      "FROM reached r JOIN link l ON l.of_relation = r.relation AND l.of_number = r.number) "
      "SELECT CAST(r.relation AS BIGINT), CAST(a.attname AS TEXT), CAST(COALESCE(o.reason, {4}) AS BIGINT), "
      "COALESCE(o.word, '') FROM reached r "
      "JOIN pg_attribute a ON a.attrelid = r.relation AND a.attnum = r.number "
      "LEFT JOIN own o ON o.relation = r.relation AND o.number = r.number "
      "WHERE r.relation = ANY ({0}) AND r.number > 0 AND NOT a.attisdropped ORDER BY 1, 2, 3, 4",
      tables, static_cast<int>(collation), static_cast<int>(made_type), static_cast<int>(foreign_key),
      static_cast<int>(referred_to), first_made_here, type_number::bpchar, type_number::float4, type_number::float8,
      type_number::timestamptz);
}

}  // namespace

Result<OwnEqualities> read_own_equalities(Connection& connection, const std::string& tables) {
  const std::vector<SqlType> types{SqlType::integer(), SqlType::text(), SqlType::integer(), SqlType::text()};
  ValuesCollector collector(types);
  const auto done = connection.select(equality_sql(tables), [&](const PGresult& answer) { collector.take(answer); });
  if (!done) return fail(connection.explain(done.error()));
  OwnEqualities found;
  const auto number = [](const Value& value) { return static_cast<std::int64_t>(std::get<Decimal>(value).units); };
  for (const auto& row : collector.finish()) {
    found.try_emplace({number(row[0]), std::get<std::string>(row[1])},
                      describe(number(row[2]), std::get<std::string>(row[3])));
  }
  return found;
}

}  // namespace tacit::postgres_engine
