#include "soundness/users/query_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tacit::soundness::users {
Query QueryWriter::query() {
  Query query;
  sources_.clear();
  add_from(query);
  if (query.from.find(" a, ") == std::string::npos && dice_.percent(30)) add_public(query);
  Columns columns;
  for (const Source& source : sources_) columns.insert(columns.end(), source.columns.begin(), source.columns.end());
  for (int i = dice_.pick({0, 0, 1, 1}); i > 0; --i) query.conditions.push_back(predicate(columns, 1));
  if (dice_.percent(25)) {
    const std::string condition = semi_join(sources_.front());
    if (!condition.empty()) query.conditions.push_back(condition);
  }
  for (int i = dice_.pick({0, 1, 1, 2}); i > 0; --i) query.keys.push_back(key(columns));
  if (dice_.percent(15)) query.keys = rest_of_a_key(sources_.front());
  if (query.keys.size() == 2 && query.keys[0] == query.keys[1]) query.keys.pop_back();
  for (const std::string& key : query.keys) {
    if (dice_.percent(10))
      query.conditions.push_back(key + dice_.pick<const char*>({" IN (0, 1, 2)", " IN ('a', 'b')"}));
  }
  for (int i = dice_.pick({1, 1, 2, 3}); i > 0; --i) query.aggregates.push_back(aggregate(columns));
  query.options = options(!query.keys.empty());
  return query;
}

// a1 = b1 AND a2 = b2
std::string QueryWriter::equated(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> conjuncts;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) conjuncts.push_back(a[i] + " = " + b[i]);
  return fmt::format("{}", fmt::join(conjuncts, " AND "));
}

std::vector<std::string> QueryWriter::of_alias(const std::string& alias, std::vector<std::string> names) {
  for (auto& name : names) name = alias + "." + name;
  return names;
}

QueryWriter::Source QueryWriter::source_of(std::size_t table, const std::string& alias) const {
  const Table& t = world_.tables[table];
  Source source{alias, table, true, {}, true, {}};
  if (t.is_private()) {
    const auto owner = owner_column(world_, table);
    source.owner = of_alias(alias, owner ? std::vector{*owner} : t.up);
    source.owner_is_person = owner.has_value();
  }
  for (const Column& column : t.columns) source.columns.emplace_back(alias + "." + column.name, column.kind);
  return source;
}

// What tells rows of one person apart, if a constraint says so.
std::vector<std::string> QueryWriter::rest_of_a_key(const Source& source) {
  if (!source.plain || world_.tables[source.table].constraints.empty()) return {};
  auto keys = of_alias(source.name, dice_.pick(world_.tables[source.table].constraints).columns);
  std::erase_if(keys, [&](const auto& key) { return std::ranges::find(source.owner, key) != source.owner.end(); });
  return keys;
}

std::size_t QueryWriter::private_table() {
  std::size_t table = 0;
  do table = static_cast<std::size_t>(dice_.below(static_cast<int>(world_.tables.size())));
  while (!world_.tables[table].is_private());
  return table;
}

std::size_t QueryWriter::public_table() {
  std::size_t table = 0;
  do table = static_cast<std::size_t>(dice_.below(static_cast<int>(world_.tables.size())));
  while (world_.tables[table].is_private());
  return table;
}

std::vector<std::size_t> QueryWriter::with_owner_column() const {
  std::vector<std::size_t> tables;
  for (std::size_t t = 0; t < world_.tables.size(); ++t)
    if (owner_column(world_, t)) tables.push_back(t);
  return tables;
}

std::string QueryWriter::scan(const Source& source) const {
  return "$." + world_.tables[source.table].name + " " + source.name;
}

void QueryWriter::add_from(Query& query) {
  switch (dice_.below(10)) {
    case 0:
    case 1: return add_parent_or_child(query);
    case 2:
    case 3: return add_owner_join(query);
    case 4: return add_sibling(query);
    case 5:
    case 6: {
      Source source;
      const std::string subquery = per_person(source, "g");
      if (dice_.percent(30)) {
        query.with = "WITH g AS " + subquery + " ";
        query.from = "g";
      } else {
        query.from = subquery + " AS g";
      }
      sources_.push_back(source);
      return;
    }
    case 7: {
      Source source;
      query.from = projected(source, "q") + " AS q";
      sources_.push_back(source);
      return;
    }
    case 8: return add_hostile(query);
    default: sources_.push_back(source_of(private_table(), "a")); query.from = scan(sources_.front());
  }
}

void QueryWriter::add_parent_or_child(Query& query) {
  std::size_t table = private_table();
  for (int i = 0; i < 4 && world_.tables[table].model != Table::Model::through; ++i) table = private_table();
  const Table& child = world_.tables[table];
  Source a = source_of(table, "a");
  query.from = scan(a);
  sources_.push_back(a);
  if (child.model != Table::Model::through) return;
  const Source b = source_of(child.parent, "b");
  auto up = of_alias("a", child.up);
  if (up.size() > 1 && dice_.percent(15)) up.pop_back();  // a part of a key leads to several rows
  const std::string condition = equated(up, of_alias("b", world_.tables[child.parent].key));
  switch (dice_.below(4)) {
    case 0: query.from += " LEFT JOIN " + scan(b) + " ON " + condition; break;
    case 1: query.from = scan(b) + " LEFT JOIN " + scan(a) + " ON " + condition; break;
    case 2:
      query.from += ", " + scan(b);
      query.conditions.push_back(condition);
      break;
    default: query.from += " JOIN " + scan(b) + " ON " + condition; break;
  }
  sources_.push_back(b);
}

void QueryWriter::add_owner_join(Query& query) {
  const auto tables = with_owner_column();
  const Source a = source_of(dice_.pick(tables), "a");
  Source b = source_of(dice_.pick(tables), "b");
  std::string right = scan(b);
  if (dice_.percent(30)) right = per_person(b, "b") + " AS b";
  std::string condition = equated(a.owner, b.owner);
  if (dice_.percent(30)) condition += " AND " + simple_predicate(dice_.percent(50) ? a.columns : b.columns);
  if (dice_.percent(25)) {
    query.from = scan(a) + ", " + right;
    query.conditions.push_back(condition);
  } else {
    query.from = scan(a) + dice_.pick<const char*>({" JOIN ", " LEFT JOIN "}) + right + " ON " + condition;
  }
  sources_ = {a, b};
}

// Rows that refer to the same row have the same owner.
void QueryWriter::add_sibling(Query& query) {
  const std::size_t table = private_table();
  const Source a = source_of(table, "a");
  const Source b = source_of(table, "b");
  auto owner = a.owner;
  if (owner.size() > 1 && dice_.percent(30)) owner.pop_back();
  query.from =
      scan(a) + dice_.pick<const char*>({" JOIN ", " LEFT JOIN "}) + scan(b) + " ON " + equated(owner, b.owner);
  sources_ = {a, b};
}

void QueryWriter::add_public(Query& query) {
  const Source p = source_of(public_table(), "p");
  std::vector<std::string> partners;
  for (const auto& [sql, kind] : sources_.front().columns)
    if (kind == Kind::integer || kind == Kind::bigint) partners.push_back(sql);
  if (partners.empty()) return;
  std::string condition = "p.k = " + dice_.pick(partners);
  const bool has_parts = world_.tables[p.table].columns.back().name == "part";
  if (has_parts && dice_.percent(60)) condition += " AND p.part = " + dice_.pick(partners);
  query.from += dice_.pick<const char*>({" JOIN ", " LEFT JOIN "}) + scan(p) + " ON " + condition;
  sources_.push_back(p);
}

// What each person's rows add up to.
std::string QueryWriter::per_person(Source& source, const std::string& alias) {
  const auto tables = with_owner_column();
  std::size_t table = dice_.pick(tables);
  if (alias == "g" && dice_.percent(30)) table = private_table();
  const Source s = source_of(table, "s");
  source = Source{alias, 0, false, {}, s.owner_is_person, {}};
  std::vector<std::string> list;
  std::vector<std::string> keys = s.owner;
  const auto& constraints = world_.tables[table].constraints;
  if (alias == "g" && !constraints.empty() && dice_.percent(15)) keys = of_alias("s", dice_.pick(constraints).columns);
  if (keys.size() > 1 && dice_.percent(15)) keys.pop_back();
  for (const std::string& key : keys) {
    const std::string name = list.empty() ? "o" : fmt::format("o{}", list.size() + 1);
    list.push_back(key + " AS " + name);
    source.owner.push_back(alias + "." + name);
    source.columns.emplace_back(source.owner.back(),
                                std::ranges::find(s.columns, key, &Columns::value_type::first)->second);
  }
  if (dice_.percent(50)) {
    const auto& [sql, kind] = dice_.pick(s.columns);
    list.push_back(sql + " AS x");
    keys.push_back(sql);
    source.columns.emplace_back(alias + ".x", kind);
  }
  const bool distinct = dice_.percent(20);
  if (!distinct) {
    list.emplace_back("COUNT(*) AS n");
    source.columns.emplace_back(alias + ".n", Kind::bigint);
    const std::string value = column_of(s.columns, {Kind::integer, Kind::bigint, Kind::decimal, Kind::real});
    if (!value.empty()) {
      list.push_back(dice_.pick<const char*>({"SUM", "MIN", "MAX", "AVG", "COUNT"}) + ("(" + value + ") AS y"));
      source.columns.emplace_back(alias + ".y", Kind::real);
    }
  }
  std::string sql = fmt::format("(SELECT {}{} FROM {}", distinct ? "DISTINCT " : "", fmt::join(list, ", "), scan(s));
  if (dice_.percent(30)) sql += " WHERE " + predicate(s.columns, 1);
  if (!distinct) {
    sql += fmt::format(" GROUP BY {}", fmt::join(keys, ", "));
    if (dice_.percent(25)) sql += " HAVING COUNT(*) > 1";
  }
  return sql + ")";
}

std::string QueryWriter::projected(Source& source, const std::string& alias) {
  const Source s = source_of(private_table(), "s");
  source = Source{alias, 0, false, {}, true, {}};
  std::vector<std::string> list;
  for (std::size_t i = 0; i < s.columns.size(); ++i) {
    if (dice_.percent(40)) continue;
    list.push_back(fmt::format("{} AS z{}", s.columns[i].first, i));
    source.columns.emplace_back(fmt::format("{}.z{}", alias, i), s.columns[i].second);
  }
  list.push_back(number(s.columns, 1) + " AS z");
  source.columns.emplace_back(alias + ".z", Kind::real);
  std::string sql = fmt::format("(SELECT {} FROM {}", fmt::join(list, ", "), scan(s));
  if (dice_.percent(40)) sql += " WHERE " + predicate(s.columns, 1);
  if (dice_.percent(5)) sql += " LIMIT 3";
  return sql + ")";
}

std::string QueryWriter::semi_join(const Source& outer) {
  if (dice_.percent(20)) {
    const std::string value = column_of(outer.columns, {Kind::integer, Kind::bigint});
    return value.empty() ? "" : value + dice_.pick<const char*>({" IN ", " NOT IN "}) + "(SELECT k FROM $.pub)";
  }
  if (outer.owner.empty()) return "";
  const Source s = source_of(dice_.pick(with_owner_column()), "s");
  auto inner_owner = s.owner;
  std::string from = scan(s);
  if (!outer.owner_is_person && outer.plain) {
    const Table& table = world_.tables[outer.table];
    inner_owner = of_alias("s", world_.tables[table.parent].key);
    from = scan(source_of(table.parent, "s"));
  }
  const std::string where = dice_.percent(50) && outer.owner_is_person ? " AND " + simple_predicate(s.columns) : "";
  const std::string same = equated(inner_owner, outer.owner);
  switch (dice_.below(5)) {
    case 0: return fmt::format("{} IN (SELECT {} FROM {})", outer.owner.front(), inner_owner.front(), from);
    case 2:
      return fmt::format("{0} IS NOT NULL AND {0} NOT IN (SELECT {1} FROM {2} WHERE {1} IS NOT NULL{3})",
                         outer.owner.front(), inner_owner.front(), from, where);
    case 1: return fmt::format("NOT EXISTS (SELECT 1 FROM {} WHERE {}{})", from, same, where);
    default: return fmt::format("EXISTS (SELECT 1 FROM {} WHERE {}{})", from, same, where);
  }
}

}  // namespace tacit::soundness::users
