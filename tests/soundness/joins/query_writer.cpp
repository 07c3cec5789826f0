#include "soundness/joins/query_writer.hpp"

#include <fmt/format.h>

namespace tacit::soundness::joins {

Query QueryWriter::query() {
  Query query;
  items_ = dice_.pick({2, 2, 2, 3, 3, 4});
  const bool by_commas = dice_.below(3) == 0;  // a comma binds less than JOIN: ON does not see what is before it
  for (int i = 0; i < items_; ++i) {
    if (i > 0 && !by_commas && dice_.below(5) == 0) {
      query.from += fmt::format(" LEFT JOIN $.p AS i{} ON {}", i, link(i));
      continue;
    }
    if (i > 0) query.from += by_commas ? ", " : " JOIN ";
    query.from += item(i);
    if (i == 0) continue;
    if (by_commas) {
      query.conditions.push_back(link(i));
    } else {
      query.from += " ON " + link(i) + (dice_.below(4) == 0 ? " AND " + link(i) : "");
    }
  }
  for (int i = dice_.pick({0, 0, 1, 2}); i > 0; --i) query.conditions.push_back(filter());
  if (dice_.below(4) == 0) query.conditions.push_back(membership());
  if (dice_.below(2) == 0) query.keys.push_back(column(pick({"t", "x"})));
  query.aggregates = {aggregate(), aggregate()};
  return query;
}

std::string QueryWriter::column(const std::string& name) { return fmt::format("i{}.{}", dice_.below(items_), name); }

std::string QueryWriter::item(int number) {
  const std::string table = pick({"a", "b", "a", "b", "p"});
  switch (dice_.below(12)) {
    case 0: return fmt::format("(SELECT DISTINCT x AS id, x, y, t, x AS v, d FROM $.{}) AS i{}", table, number);
    case 1:
      return fmt::format("(SELECT DISTINCT j.id, k.x, j.y, j.t, k.v, j.d FROM $.{} j JOIN $.{} k ON {}) AS i{}", table,
                         pick({"a", "b", "p"}), pick({"j.id = k.id", "j.y = k.y", "k.id = j.x AND k.v > 0"}), number);
    case 2:
    case 3: break;
    default: return fmt::format("$.{} AS i{}", table, number);
  }
  return fmt::format("(SELECT id, x, y, t, v, d FROM $.{} WHERE {}) AS i{}", table,
                     pick({"v > -3", "x < 2", "t = 'u'"}), number);
}

std::string QueryWriter::link(int number) {
  const std::string left = fmt::format("i{}.", dice_.below(number));
  const std::string right = fmt::format("i{}.", number);
  if (dice_.below(8) == 0) return left + "t = " + right + "t";
  if (dice_.below(9) == 0) return left + "x + 1 = " + right + "x";
  if (dice_.below(12) == 0) return left + "d = " + right + "d";
  const std::string name = pick({"id", "id", "x", "y", "y"});
  return left + name + " = " + right + (dice_.below(2) == 0 ? name : pick({"id", "x", "y"}));
}

std::string QueryWriter::filter() {
  switch (dice_.below(6)) {
    case 0: return column("x") + " = 1";
    case 1: return column("t") + " = 'u'";
    case 2: return column("y") + " > 0";
    case 3: return column("t") + " LIKE '%U'";
    case 4: return "(" + column("x") + " = 1 OR " + column("y") + " < " + column("id") + ")";
    default: return column("y") + " IS NOT NULL";
  }
}

std::string QueryWriter::membership() {
  const std::string table = pick({"a", "b", "p"});
  switch (dice_.below(5)) {
    case 0: return column("id") + " IN (SELECT y FROM $." + table + ")";
    case 1: return column("y") + " IN (SELECT y FROM $." + table + " WHERE x < 2)";
    case 2: return column("x") + " NOT IN (SELECT id FROM $.p WHERE id > 1)";
    case 3: return fmt::format("EXISTS (SELECT 1 FROM $.{} e WHERE e.x = {})", table, column("x"));
    default: return fmt::format("EXISTS (SELECT 1 FROM $.{} e WHERE e.id = {} AND e.v > 0)", table, column("y"));
  }
}

std::string QueryWriter::aggregate() {
  switch (dice_.below(5)) {
    case 0: return "COUNT(" + column(pick({"x", "t", "d"})) + ")";
    case 1:
    case 2: return "COUNT(DISTINCT " + column(pick({"id", "x", "t", "y", "d", "v"})) + ")";
    case 3: return pick({"SUM(", "AVG("}) + column("v") + ")";
    default: return "COUNT(*)";
  }
}

}  // namespace tacit::soundness::joins
