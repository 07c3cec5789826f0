#include "soundness/users/world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "soundness/opened_world.hpp"
#include "support/policy_head.hpp"

namespace tacit::soundness::users {
namespace {

std::string sql_type(Kind kind) {
  switch (kind) {
    case Kind::integer: return "INTEGER";
    case Kind::bigint: return "BIGINT";
    case Kind::decimal: return "DECIMAL(10,2)";
    case Kind::real: return "DOUBLE PRECISION";
    case Kind::text: return "VARCHAR";
    case Kind::date: return "DATE";
    case Kind::timestamp: return "TIMESTAMP";
    case Kind::boolean: return "BOOLEAN";
  }
  return "";
}

constexpr const char* caseless = "caseless";  // the collation, and the table whose keys are referred to
constexpr const char* padded = "padded";
constexpr const char* referring = "referring";

std::string column_type(const Column& column, Spelling spelling) {
  if (!column.names_person || column.kind != Kind::text) return sql_type(column.kind);
  switch (spelling) {
    case Spelling::one: break;
    case Spelling::padded: return "CHAR(6)";
    case Spelling::caseless_type: return "citext";
    case Spelling::caseless_collation: return fmt::format("VARCHAR COLLATE {}", caseless);
    case Spelling::refers_to_caseless: return fmt::format("VARCHAR REFERENCES {}", caseless);
    case Spelling::caseless_reference: return fmt::format("VARCHAR COLLATE {0} REFERENCES {0}", caseless);
    case Spelling::refers_to_padded: return fmt::format("VARCHAR REFERENCES {}", padded);
    case Spelling::refers_to_referring: return fmt::format("VARCHAR REFERENCES {}", referring);
  }
  return sql_type(column.kind);
}

// Every name that a row may hold, in a table that the rows refer to. `ends`: the spellings of a name, by its end.
void add_names(std::vector<std::string>& statements, const char* table, const std::string& column_type,
               const std::vector<std::string>& ends) {
  constexpr int nobody = 20;
  statements.push_back(fmt::format("CREATE TABLE {} (name {} PRIMARY KEY)", table, column_type));
  std::vector<std::string> rows;
  for (int i = 0; i <= nobody; ++i)
    for (const auto& end : ends) rows.push_back(fmt::format("('{}{}')", person_text(Kind::text, i), end));
  statements.push_back(fmt::format("INSERT INTO {} VALUES {}", table, fmt::join(rows, ", ")));
}

// What the tables of every version need.
std::vector<std::string> prepare_spelling(const World& world) {
  std::vector<std::string> statements;
  const auto is = [&](auto... spellings) { return ((world.spelling == spellings) || ...); };
  if (is(Spelling::caseless_type)) statements.emplace_back("CREATE EXTENSION citext");
  if (is(Spelling::caseless_collation, Spelling::refers_to_caseless, Spelling::caseless_reference)) {
    statements.push_back(fmt::format(
        "CREATE COLLATION {} (provider = icu, locale = 'und-u-ks-level2', deterministic = false)", caseless));
  }
  if (is(Spelling::refers_to_caseless, Spelling::caseless_reference))
    add_names(statements, caseless, fmt::format("VARCHAR COLLATE {}", caseless), {""});
  if (is(Spelling::refers_to_padded, Spelling::refers_to_referring)) add_names(statements, padded, "CHAR(6)", {""});
  if (is(Spelling::refers_to_referring))
    add_names(statements, referring, fmt::format("VARCHAR REFERENCES {}", padded), {"", " ", "  "});
  return statements;
}

std::string quoted(const std::vector<std::string>& names) {
  return names.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(names, "\", \""));
}

std::string table_text(const World& world, const Table& table, const std::string& schema) {
  const std::string name = fmt::format("tables.\"{}.{}\"", schema, table.name);
  std::string text = fmt::format("[{}]\n", name);
  switch (table.model) {
    case Table::Model::shared: text += "public = true\n"; break;
    case Table::Model::owner: text += fmt::format("owner = \"{}\"\n", table.owner); break;
    case Table::Model::through:
      text += fmt::format("owner_through = {{ columns = {}, references = \"{}.{}\" }}\n", quoted(table.up), schema,
                          world.tables[table.parent].name);
      break;
  }
  if (!table.key.empty()) text += fmt::format("primary_key = {}\n", quoted(table.key));
  text += fmt::format("[{}.columns]\n", name);
  for (const Column& column : table.columns) {
    if (!column.facts.empty()) text += fmt::format("{} = {{ {} }}\n", column.name, column.facts);
  }
  return text;
}

}  // namespace

std::vector<Spelling> spellings(int postgres_version) {
  constexpr int no_keys_between_collations = 18;
  return {Spelling::one,
          Spelling::padded,
          Spelling::caseless_type,
          Spelling::caseless_collation,
          postgres_version < no_keys_between_collations ? Spelling::refers_to_caseless : Spelling::caseless_reference,
          Spelling::refers_to_padded,
          Spelling::refers_to_referring};
}

bool is_read_in_one_way(Spelling spelling) { return spelling == Spelling::one || spelling == Spelling::padded; }

std::size_t Table::column(const std::string& name) const {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return static_cast<std::size_t>(found - columns.begin());
}

bool Table::is_up(const std::string& name) const { return std::ranges::find(up, name) != up.end(); }

std::optional<std::size_t> owner_in_key(const World& world, std::size_t table) {
  const auto& key = world.tables[table].key;
  const auto owner = owner_column(world, table);
  const auto found = owner ? std::ranges::find(key, *owner) : key.end();
  return found == key.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - key.begin()));
}

std::optional<std::string> owner_column(const World& world, std::size_t table) {
  const Table& t = world.tables[table];
  if (t.model == Table::Model::owner) return t.owner;
  if (t.model == Table::Model::shared) return std::nullopt;
  const auto above = owner_in_key(world, t.parent);
  return above ? std::optional(t.up.at(*above)) : std::nullopt;
}

std::string person_text(Kind kind, int person) {
  switch (kind) {
    case Kind::text: return fmt::format("u{}", person);
    case Kind::decimal: return fmt::format("{}.50", person);
    case Kind::date: return fmt::format("2020-01-{:02}", person + 1);
    case Kind::timestamp: return fmt::format("2020-01-{:02} 12:00:00", person + 1);
    default: return std::to_string(person);
  }
}

std::string person_literal(Kind kind, int person) {
  const std::string text = person_text(kind, person);
  switch (kind) {
    case Kind::text: return "'" + text + "'";
    case Kind::date: return "DATE '" + text + "'";
    case Kind::timestamp: return "TIMESTAMP '" + text + "'";
    default: return text;
  }
}

Data without(const Data& data, int person) {
  Data rest = data;
  for (auto& rows : rest) std::erase_if(rows, [&](const Row& row) { return row.owner == person; });
  return rest;
}

std::string policy_text(const World& world, std::size_t versions) {
  // The first line belongs to [engine], which the database writes.
  std::string text = "threads = 1\n" +
                     testing::budget_section({.epsilon = 1000.0, .delta = 0.1, .defaults = "delta = 1e-6"}) +
                     fmt::format("[users]\nmax_groups = {}\n", world.max_groups);
  if (world.max_rows) text += fmt::format("max_rows = {}\n", *world.max_rows);
  for (std::size_t version = 0; version < versions; ++version)
    for (const auto& table : world.tables) text += table_text(world, table, schema_of(version));
  return text;
}

std::vector<std::string> create_statements(const World& world, std::size_t version) {
  std::vector<std::string> statements;
  if (version == 0) statements = prepare_spelling(world);
  statements.push_back("CREATE SCHEMA " + schema_of(version));
  for (const auto& table : world.tables) {
    std::vector<std::string> columns;
    for (const auto& column : table.columns) columns.push_back(column.name + " " + column_type(column, world.spelling));
    if (table.is_private()) columns.push_back(std::string(true_owner) + " VARCHAR");
    for (const auto& [names, primary] : table.constraints)
      columns.push_back(fmt::format("{} ({})", primary ? "PRIMARY KEY" : "UNIQUE", fmt::join(names, ", ")));
    statements.push_back(
        fmt::format("CREATE TABLE {}.{} ({})", schema_of(version), table.name, fmt::join(columns, ", ")));
    if (table.has_child)
      statements.push_back(
          fmt::format("CREATE TABLE {0}.{1}_child () INHERITS ({0}.{1})", schema_of(version), table.name));
  }
  return statements;
}

std::vector<std::string> insert_statements(const World& world, const Data& data, std::size_t version) {
  std::vector<std::string> statements;
  const auto insert = [&](std::size_t t, bool in_child) {
    std::vector<std::string> rows;
    for (const Row& row : data[t]) {
      if (row.in_child != in_child) continue;
      std::vector<std::string> cells = row.cells;
      if (world.tables[t].is_private())
        cells.push_back(row.owner ? "'" + person_text(world.person, *row.owner) + "'" : "NULL");
      rows.push_back(fmt::format("({})", fmt::join(cells, ", ")));
    }
    if (rows.empty()) return;
    statements.push_back(fmt::format("INSERT INTO {}.{}{} VALUES {}", schema_of(version), world.tables[t].name,
                                     in_child ? "_child" : "", fmt::join(rows, ",\n  ")));
  };
  for (std::size_t t = 0; t < data.size(); ++t) {
    insert(t, false);
    insert(t, true);
  }
  return statements;
}

}  // namespace tacit::soundness::users
