#include "soundness/users/random_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "support/postgres_server.hpp"

namespace tacit::soundness::users {
namespace {

constexpr const char* negative_zero = "CAST('-0.0' AS DOUBLE PRECISION)";  // 0 for a constraint

std::string awkward_value(Kind kind, Dice& dice) {
  switch (kind) {
    case Kind::integer:
      return dice.pick<const char*>({"0", "1", "2", "3", "5", "-7", "2147483647", "-2147483648", "NULL", "4", "2"});
    case Kind::bigint:
      return dice.pick<const char*>({"0", "1", "3", "9223372036854775807", "-9223372036854775808", "NULL", "40", "-2"});
    case Kind::decimal:
      return dice.pick<const char*>({"0", "0.01", "9.99", "99999999.99", "-99999999.99", "-3.25", "NULL", "2.50"});
    case Kind::real:
      return dice.pick<const char*>({"0", negative_zero, "1.5", "-0.25", "CAST('NaN' AS DOUBLE PRECISION)",
                                     "CAST('inf' AS DOUBLE PRECISION)", "CAST('-inf' AS DOUBLE PRECISION)", "1e308",
                                     "-1e308", "5e-324", "NULL", "0.3", "4.4"});
    case Kind::text: return dice.pick<const char*>({"'a'", "'b'", "'c'", "''", "'Ä'", "'a '", "NULL", "'a'"});
    case Kind::date:
      return dice.pick<const char*>({"DATE '2020-01-01'", "DATE '2020-02-29'", "DATE '1969-07-20'", "NULL",
                                     "CAST('infinity' AS DATE)", "CAST('-infinity' AS DATE)", "DATE '2020-01-02'"});
    case Kind::timestamp:
      return dice.pick<const char*>({"TIMESTAMP '2020-01-01 00:00:00'", "TIMESTAMP '2020-01-01 12:30:00.5'",
                                     "TIMESTAMP '2020-02-29 23:59:59.999999'", "TIMESTAMP '1969-07-20 20:17:40'",
                                     "CAST('infinity' AS TIMESTAMP)", "CAST('-infinity' AS TIMESTAMP)", "NULL"});
    case Kind::boolean: return dice.pick<const char*>({"TRUE", "FALSE", "NULL"});
  }
  return "NULL";
}

std::string some_facts(Kind kind, Dice& dice) {
  if (dice.percent(50)) return "";
  switch (kind) {
    case Kind::integer:
    case Kind::bigint: return dice.pick<const char*>({"min = 0, max = 5", "min = -3, max = 40", "values = [0, 1, 2]"});
    case Kind::decimal: return dice.pick<const char*>({"min = 0, max = 10", "min = -5, max = 5"});
    case Kind::real: return dice.pick<const char*>({"min = 0, max = 2", "min = -1.5, max = 5"});
    case Kind::text: return "values = [\"a\", \"b\", \"c\"]";
    case Kind::date: return "min = 2020-01-01, max = 2020-03-31";
    case Kind::timestamp: return "min = 2020-01-01, max = 2020-01-31";
    case Kind::boolean: return "";
  }
  return "";
}

class Writer {
 public:
  Writer(Dice& dice, testing::EngineKind engine) : dice_(dice), is_postgres_(engine == testing::EngineKind::postgres) {}

  Start write() {
    start_.world.person =
        dice_.pick({Kind::integer, Kind::text, Kind::bigint, Kind::decimal, Kind::date, Kind::timestamp});
    choose_spelling();
    start_.world.people = 3 + dice_.below(5);
    start_.world.max_groups = dice_.pick<std::string>({"\"auto\"", "\"auto\"", "1", "2", "3"});
    if (dice_.percent(20)) start_.world.max_rows = dice_.pick({1, 2, 5});
    add_people();
    const int links = dice_.below(4);
    for (int i = 1; i <= links; ++i) {
      const int last = i - 1;
      add_link(fmt::format("t{}", i), static_cast<std::size_t>(dice_.percent(70) ? last : dice_.below(i)));
    }
    if (dice_.percent(60)) add_owned("own");
    add_shared("pub", true);
    if (dice_.percent(50)) add_shared("bag", false);
    for (Table& table : start_.world.tables) table.has_child = is_postgres_ && dice_.percent(10);
    for (std::size_t t = 0; t < start_.world.tables.size(); ++t) fill(t);
    return std::move(start_);
  }

 private:
  using Key = std::vector<std::string>;

  Table& new_table(std::string name) {
    Table& table = start_.world.tables.emplace_back();
    table.name = std::move(name);
    return table;
  }

  void choose_spelling() {
    if (!is_postgres_) return;
    if (dice_.percent(30)) start_.world.person = Kind::text;
    if (start_.world.person != Kind::text) return;
    start_.world.spelling =
        dice_.percent(15) ? Spelling::padded : dice_.pick(spellings(testing::PostgresServer::shared().major_version()));
  }

  // Some spelling of a cell that names a person: all of them are one for the server.
  std::string respelled(std::string cell) {
    if (start_.world.spelling == Spelling::one || start_.world.person != Kind::text || cell == "NULL") return cell;
    const bool by_blanks = start_.world.spelling == Spelling::padded ||
                           start_.world.spelling == Spelling::refers_to_padded ||
                           start_.world.spelling == Spelling::refers_to_referring;
    if (by_blanks) return cell.insert(cell.size() - 1, dice_.pick<const char*>({"", " ", "  "}));
    if (dice_.percent(50)) cell[1] = 'U';
    return cell;
  }

  // Names in the order of the policy: not always that of the table, or of the alphabet.
  void set_key(Table& table, Key key) {
    if (dice_.percent(50)) std::ranges::reverse(key);
    table.key = std::move(key);
  }

  // The key as the policy says it; or a part of it, which says more; or other columns besides, which say less.
  void enforce(Table& table) {
    if (dice_.percent(8)) return;
    Constraint constraint{table.key, dice_.percent(70)};
    if (table.key.size() > 1 && dice_.percent(15)) constraint.columns.pop_back();
    if (dice_.percent(8)) constraint.columns.back() = table.columns.back().name;
    if (dice_.percent(8)) constraint.columns.push_back(table.columns.back().name);
    if (std::ranges::count(constraint.columns, constraint.columns.back()) > 1) constraint.columns.pop_back();
    table.constraints.push_back(std::move(constraint));
  }

  void add_values(Table& table) {
    const int count = 2 + dice_.below(4);
    for (int i = 0; i < count; ++i) {
      const Kind kind = dice_.pick({Kind::integer, Kind::bigint, Kind::decimal, Kind::real, Kind::text, Kind::text,
                                    Kind::date, Kind::timestamp, Kind::boolean, Kind::integer});
      table.columns.push_back({fmt::format("x{}", i), kind, some_facts(kind, dice_)});
    }
  }

  // One row a person by the key, or rows with a key of their own, or both together.
  void add_people() {
    Table& table = new_table("person");
    const int shape = dice_.below(10);
    if (shape > 4) table.columns.push_back({"id", Kind::integer, ""});
    table.columns.push_back({"uid", start_.world.person, "", true});
    if (shape > 7) table.columns.push_back({"part", Kind::integer, ""});
    table.model = Table::Model::owner;
    table.owner = "uid";
    set_key(table, shape <= 4   ? Key{"uid"}
                   : shape <= 6 ? Key{"id"}
                   : shape == 7 ? Key{"id", "uid"}
                                : Key{"id", "part"});
    add_values(table);
    enforce(table);
  }

  void add_link(std::string name, std::size_t parent) {
    Table& table = new_table(std::move(name));
    const Table& above = start_.world.tables[parent];
    table.model = Table::Model::through;
    table.parent = parent;
    table.columns.push_back({"id", Kind::integer, ""});
    for (const auto& key : above.key) {
      table.up.push_back(table.up.empty() ? "up" : fmt::format("up{}", table.up.size() + 1));
      const Column& column = above.columns[above.column(key)];
      table.columns.push_back({table.up.back(), column.kind, "", column.names_person});
    }
    // As items of an order have them: numbers that are different within the row above.
    const int shape = dice_.below(4);
    set_key(table, shape < 2 ? Key{"id"} : Key{"id", "part"});
    if (shape >= 2) table.columns.push_back({"part", Kind::integer, ""});
    if (shape == 3) {
      table.key = table.up;
      table.key.insert(dice_.percent(50) ? table.key.begin() : table.key.end(), "part");
    }
    add_values(table);
    enforce(table);
  }

  void add_owned(std::string name) {
    Table& table = new_table(std::move(name));
    table.columns = {{"id", Kind::integer, ""}, {"who", start_.world.person, "", true}};
    table.model = Table::Model::owner;
    table.owner = "who";
    add_values(table);
    switch (dice_.below(5)) {
      case 0: table.constraints.push_back({{"who"}, dice_.percent(50)}); break;
      case 1:
      case 2: table.constraints.push_back({{"who", dice_.pick(table.columns).name}, dice_.percent(30)}); break;
      case 3: table.constraints.push_back({{dice_.pick(table.columns).name}, false}); break;
      default: break;
    }
    for (auto& [columns, primary] : table.constraints)
      if (columns.back() == "who") columns = {"who"};
  }

  void add_shared(std::string name, bool keyed) {
    Table& table = new_table(std::move(name));
    table.columns = {
        {"k", Kind::integer, ""}, {"label", Kind::text, ""}, {"weight", Kind::integer, "min = 0, max = 9"}};
    if (!keyed) return;
    table.key = {"k"};
    if (dice_.percent(30)) {
      table.columns.push_back({"part", Kind::integer, ""});
      set_key(table, {"k", "part"});
    }
    if (dice_.percent(80)) table.constraints.push_back({table.key, dice_.percent(70)});
  }

  void fill(std::size_t index) {
    const Table& table = start_.world.tables[index];
    auto& rows = start_.data.emplace_back();
    const int count = table.is_private() ? dice_.below(20) : 1 + dice_.below(5);
    std::vector<std::set<Key>> seen(table.constraints.size());
    for (int i = 0; i < count; ++i) {
      Row row;
      const Key up = table.model == Table::Model::through ? reference(table, row) : Key{};
      for (const Column& column : table.columns) {
        const auto found = std::ranges::find(table.up, column.name);
        row.cells.push_back(found == table.up.end() ? cell(table, column, i, row)
                                                    : up[static_cast<std::size_t>(found - table.up.begin())]);
      }
      row.in_child = table.has_child && dice_.percent(40);
      std::vector<std::set<Key>> anything(table.constraints.size());  // a child has no unique keys, but NOT NULL
      if (!is_allowed(table, row, row.in_child ? anything : seen)) continue;
      if (const Key key = cells_of(table, row, table.key); !has_null(key)) keys_[index].emplace(key, row.owner);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].names_person) row.cells[c] = respelled(row.cells[c]);
      }
      rows.push_back(std::move(row));
    }
  }

  static bool has_null(const Key& cells) { return std::ranges::find(cells, "NULL") != cells.end(); }

  static Key cells_of(const Table& table, const Row& row, const std::vector<std::string>& columns) {
    Key cells;
    for (const auto& name : columns) cells.push_back(row.cells[table.column(name)]);
    return cells;
  }

  // By the engine.
  static bool is_allowed(const Table& table, Row row, std::vector<std::set<Key>>& seen) {
    std::ranges::replace(row.cells, negative_zero, "0");
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Key cells = cells_of(table, row, table.constraints[i].columns);
      if (has_null(cells) ? table.constraints[i].primary : seen[i].contains(cells)) return false;
    }
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i].insert(cells_of(table, row, table.constraints[i].columns));
    return true;
  }

  std::string cell(const Table& table, const Column& column, int i, Row& row) {
    if (table.model == Table::Model::owner && column.name == table.owner) {
      if (dice_.percent(10)) return "NULL";
      row.owner = dice_.below(start_.world.people);
      return person_literal(start_.world.person, *row.owner);
    }
    const bool numbered = column.name == "id" || column.name == "k";
    if (!numbered && column.name != "part") return awkward_value(column.kind, dice_);
    if (dice_.percent(6)) return "NULL";
    if (column.name == "part") return std::to_string(dice_.below(3));
    // Where no constraint keeps them apart, they repeat.
    const bool apart = std::ranges::any_of(
        table.constraints, [&](const auto& constraint) { return constraint.columns == Key{column.name}; });
    return std::to_string(apart ? i : i / 2);
  }

  // A key of the table above, one that nobody has, or one with a NULL; and whose row this is. A key that holds the
  // owner names the owner in any case.
  Key reference(const Table& table, Row& row) {
    const auto& above = keys_[table.parent];
    const Table& parent = start_.world.tables[table.parent];
    const auto place = owner_in_key(start_.world, table.parent);
    Key cells;
    if (!above.empty() && dice_.percent(80)) {
      auto found = above.begin();
      std::advance(found, dice_.below(static_cast<int>(above.size())));
      std::tie(cells, row.owner) = *found;
    } else {
      constexpr int nobody = 20;
      for (const auto& key : parent.key)
        cells.push_back(person_literal(parent.columns[parent.column(key)].kind, nobody));
      if (place) row.owner = dice_.below(start_.world.people);
      if (place) cells[*place] = person_literal(start_.world.person, *row.owner);
    }
    if (dice_.percent(8)) {
      const auto null = static_cast<std::size_t>(dice_.below(static_cast<int>(cells.size())));
      cells[null] = "NULL";
      if (!place || *place == null) row.owner.reset();
    }
    return cells;
  }

  Dice& dice_;
  bool is_postgres_;
  Start start_;
  std::map<std::size_t, std::map<Key, std::optional<int>>> keys_;  // per table: each key, and its row's owner
};

}  // namespace

Start random_start(Dice& dice, testing::EngineKind engine) { return Writer(dice, engine).write(); }

}  // namespace tacit::soundness::users
