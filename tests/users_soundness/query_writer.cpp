#include "users_soundness/query_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tacit::users_soundness {
namespace {

constexpr auto numbers = {Kind::integer, Kind::bigint, Kind::decimal, Kind::real};

}  // namespace

std::string Query::sql(const std::string& schema) const {
  std::vector<std::string> list = keys;
  list.insert(list.end(), aggregates.begin(), aggregates.end());
  std::string text = with + fmt::format("SELECT {}{} FROM {}", options, fmt::join(list, ", "), from);
  if (!conditions.empty()) text += fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
  if (!keys.empty()) text += fmt::format(" GROUP BY {}", fmt::join(keys, ", "));
  for (auto at = text.find("$."); at != std::string::npos; at = text.find("$.", at)) text.replace(at, 1, schema);
  return text;
}

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
  if (query.keys.size() == 2 && query.keys[0] == query.keys[1]) query.keys.pop_back();
  for (int i = dice_.pick({1, 1, 2, 3}); i > 0; --i) query.aggregates.push_back(aggregate(columns));
  query.options = options();
  return query;
}

QueryWriter::Source QueryWriter::source_of(std::size_t table, const std::string& alias) const {
  const Table& t = world_.tables[table];
  Source source{alias, table, true, "", true, {}};
  if (t.is_private()) {
    const auto owner = owner_column(world_, table);
    source.owner = alias + "." + owner.value_or(t.up);
    source.owner_is_person = owner.has_value();
  }
  for (const Column& column : t.columns) source.columns.emplace_back(alias + "." + column.name, column.kind);
  return source;
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
    case 8:
      if (dice_.percent(50)) return add_hostile(query);
      [[fallthrough]];
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
  const std::string condition = fmt::format("a.{} = b.{}", child.up, world_.tables[child.parent].key);
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
  std::string condition = fmt::format("{} = {}", a.owner, b.owner);
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
  query.from = scan(a) + dice_.pick<const char*>({" JOIN ", " LEFT JOIN "}) + scan(b) +
               fmt::format(" ON {} = {}", a.owner, b.owner);
  sources_ = {a, b};
}

// What must be refused, or is harmless for a reason Tacit finds itself.
void QueryWriter::add_hostile(Query& query) {
  const Source a = source_of(private_table(), "a");
  const Source b = source_of(private_table(), "b");
  const Source p = source_of(public_table(), "p");
  sources_ = {a, b};
  switch (dice_.below(6)) {
    case 0: query.from = scan(a) + ", " + scan(b); break;
    case 1:
      query.from =
          fmt::format("{} JOIN {} ON {} = {}", scan(a), scan(b), a.columns.front().first, b.columns.front().first);
      break;
    case 2:
      query.from = fmt::format("{} LEFT JOIN {} ON {} = {} OR {}", scan(a), scan(b), a.owner, b.owner,
                               simple_predicate(b.columns));
      break;
    case 3:
      query.from = fmt::format("{} LEFT JOIN {} ON p.k = {}", scan(p), scan(a), a.columns.front().first);
      sources_ = {p, a};
      break;
    case 4: {
      const std::string by = dice_.pick(a.columns).first;
      query.from = fmt::format("(SELECT {} AS x, COUNT(*) AS n FROM {} GROUP BY {}) AS q", by, scan(a), by);
      sources_ = {Source{"q", 0, false, "", false, {{"q.n", Kind::bigint}}}};
      break;
    }
    default: {
      query.from = scan(a);
      query.conditions.push_back(fmt::format("{} NOT IN (SELECT {} FROM {})", a.owner, b.owner, scan(b)));
      sources_ = {a};
    }
  }
}

void QueryWriter::add_public(Query& query) {
  const Source p = source_of(public_table(), "p");
  std::vector<std::string> partners;
  for (const auto& [sql, kind] : sources_.front().columns)
    if (kind == Kind::integer || kind == Kind::bigint) partners.push_back(sql);
  if (partners.empty()) return;
  query.from += dice_.pick<const char*>({" JOIN ", " LEFT JOIN "}) + scan(p) + " ON p.k = " + dice_.pick(partners);
  sources_.push_back(p);
}

// What each person's rows add up to.
std::string QueryWriter::per_person(Source& source, const std::string& alias) {
  const auto tables = with_owner_column();
  std::size_t table = dice_.pick(tables);
  if (alias == "g" && dice_.percent(30)) table = private_table();
  const Source s = source_of(table, "s");
  source = Source{alias, 0, false, alias + ".o", s.owner_is_person, {}};
  std::vector<std::string> list{s.owner + " AS o"};
  std::vector<std::string> keys{s.owner};
  const auto key_kind = std::ranges::find(s.columns, s.owner, &Columns::value_type::first)->second;
  source.columns.emplace_back(alias + ".o", key_kind);
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
  source = Source{alias, 0, false, "", true, {}};
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
  std::string inner_owner = s.owner;
  std::string from = scan(s);
  if (!outer.owner_is_person && outer.plain) {
    const Table& table = world_.tables[outer.table];
    const Source above = source_of(table.parent, "s");
    inner_owner = "s." + world_.tables[table.parent].key;
    from = scan(above);
  }
  const std::string where = dice_.percent(50) && outer.owner_is_person ? " AND " + simple_predicate(s.columns) : "";
  switch (dice_.below(4)) {
    case 0: return fmt::format("{} IN (SELECT {} FROM {})", outer.owner, inner_owner, from);
    case 1: return fmt::format("NOT EXISTS (SELECT 1 FROM {} WHERE {} = {}{})", from, inner_owner, outer.owner, where);
    default: return fmt::format("EXISTS (SELECT 1 FROM {} WHERE {} = {}{})", from, inner_owner, outer.owner, where);
  }
}

std::string QueryWriter::column_of(const Columns& columns, std::initializer_list<Kind> kinds) {
  std::vector<std::string> found;
  for (const auto& [sql, kind] : columns)
    if (std::ranges::find(kinds, kind) != kinds.end()) found.push_back(sql);
  return found.empty() ? "" : dice_.pick(found);
}

std::string QueryWriter::simple_predicate(const Columns& columns) {
  const auto& [sql, kind] = dice_.pick(columns);
  switch (kind) {
    case Kind::text: return sql + dice_.pick<const char*>({" = 'a'", " IN ('a', 'b')", " LIKE '%a%'", " > 'a'"});
    case Kind::date:
      return sql + dice_.pick<const char*>({" > DATE '2020-01-01'", " IS NULL", " + 3 > DATE '2020-01-03'"});
    case Kind::boolean: return sql;
    case Kind::real:
      return dice_.pick<const char*>({"ln(", "sqrt(", "exp(", "1 / ("}) + sql +
             dice_.pick<const char*>({") < 1", ") >= 0.5"});
    default:
      return sql + dice_.pick<const char*>({" > 1", " <= 2", " IS NOT NULL", " / 0 = 1", " * 1000000 > 5", " % 3 = 1"});
  }
}

std::string QueryWriter::predicate(const Columns& columns, int depth) {
  if (depth == 0 || dice_.percent(50)) return simple_predicate(columns);
  return "(" + predicate(columns, depth - 1) + dice_.pick<const char*>({" AND ", " OR ", " AND NOT "}) +
         simple_predicate(columns) + ")";
}

std::string QueryWriter::number(const Columns& columns, int depth) {
  const std::string value = column_of(columns, numbers);
  if (value.empty()) return "1";
  if (depth == 0 || dice_.percent(55)) return value;
  const std::string other = number(columns, depth - 1);
  switch (dice_.below(6)) {
    case 0: return fmt::format("({} + {})", value, other);
    case 1: return fmt::format("({} * {})", value, other);
    case 2: return fmt::format("({} / {})", value, other);
    case 3: return fmt::format("CASE WHEN {} THEN {} ELSE {} END", simple_predicate(columns), value, other);
    case 4: return fmt::format("COALESCE({}, {})", value, other);
    default: return fmt::format("abs({} - {})", value, other);
  }
}

std::string QueryWriter::key(const Columns& all) {
  Columns columns = all;
  // Keys that lead to one person are refused.
  if (!dice_.percent(5)) {
    std::erase_if(columns, [](const auto& column) {
      const std::string name = column.first.substr(column.first.find('.') + 1);
      return name == "id" || name == "uid" || name == "who" || name == "up" || name == "o";
    });
  }
  if (columns.empty()) columns = all;
  if (dice_.percent(15)) {
    const std::string value = column_of(columns, {Kind::integer, Kind::bigint, Kind::decimal});
    if (!value.empty()) return dice_.percent(50) ? value + " / 2" : value + " > 1";
  }
  if (dice_.percent(5)) {
    const std::string real = column_of(columns, {Kind::real});
    if (!real.empty()) return real;
  }
  const std::string by =
      column_of(columns, {Kind::text, Kind::integer, Kind::date, Kind::boolean, Kind::bigint, Kind::decimal});
  return by.empty() ? columns.front().first : by;
}

std::string QueryWriter::aggregate(const Columns& columns) {
  switch (dice_.below(9)) {
    case 0:
      return dice_.pick<const char*>(
          {"COUNT(*)", "ANON_COUNT(*)", "COUNT(*, contribution_bounds_per_group => (0, 3))"});
    case 1: return fmt::format("COUNT({})", dice_.pick(columns).first);
    case 2: {
      const std::string& owner = sources_.front().owner;
      return fmt::format("COUNT(DISTINCT {})", owner.empty() ? columns.front().first : owner);
    }
    case 3:
      return fmt::format("COUNT(DISTINCT {}, contribution_bounds_per_group => (0, {}))", dice_.pick(columns).first,
                         dice_.pick({1, 2, 5}));
    default: return total(columns);
  }
}

// SUM and those that read numbers as it does.
std::string QueryWriter::total(const Columns& columns) {
  const std::string value = number(columns, 1);
  const std::string bounds = dice_.pick<const char*>({"0, 5", "-3, 4", "1, 2", "-1000000, 1000000", "2, 2"});
  const std::string per_group = "contribution_bounds_per_group => (" + bounds + ")";
  switch (dice_.below(8)) {
    case 0:
    case 1:
      return fmt::format("{}({})", dice_.pick<const char*>({"SUM", "AVG", "SUM", "AVG", "SUM", "MIN", "MAX"}), value);
    case 2:
      return fmt::format("{}({})",
                         dice_.pick<const char*>({"VAR_POP", "STDDEV_POP", "VAR_POP", "STDDEV_POP", "MEDIAN"}), value);
    case 3: return fmt::format("ANON_SUM({}, {})", value, bounds);
    case 4:
      return fmt::format("{}({}, {})", dice_.pick<const char*>({"ANON_AVG", "ANON_VAR", "ANON_STDDEV"}), value, bounds);
    case 5:
      return fmt::format("{}({}, {})", dice_.pick<const char*>({"ANON_MIN", "ANON_MAX", "ANON_MEDIAN"}), value, bounds);
    case 6: return fmt::format("ANON_NTILE({}, 0.75, {})", value, bounds);
    default: return fmt::format("{}({}, {})", dice_.pick<const char*>({"SUM", "AVG"}), value, per_group);
  }
}

std::string QueryWriter::options() {
  std::vector<std::string> options;
  if (dice_.percent(25)) options.push_back(fmt::format("max_groups_contributed = {}", dice_.pick({1, 2, 4})));
  if (dice_.percent(10)) options.push_back(fmt::format("max_rows_contributed = {}", dice_.pick({1, 3})));
  if (dice_.percent(10)) options.emplace_back("delta = 0.001");
  if (dice_.percent(5)) options.emplace_back("epsilon = 0.1");
  return options.empty() ? "" : fmt::format("WITH DIFFERENTIAL_PRIVACY OPTIONS({}) ", fmt::join(options, ", "));
}

}  // namespace tacit::users_soundness
