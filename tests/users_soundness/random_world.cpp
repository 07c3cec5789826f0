#include "users_soundness/random_world.hpp"

#include <fmt/format.h>

#include <map>

namespace tacit::users_soundness {
namespace {

std::string awkward_value(Kind kind, Dice& dice) {
  switch (kind) {
    case Kind::integer:
      return dice.pick<const char*>({"0", "1", "2", "3", "5", "-7", "2147483647", "-2147483648", "NULL", "4", "2"});
    case Kind::bigint:
      return dice.pick<const char*>({"0", "1", "3", "9223372036854775807", "-9223372036854775808", "NULL", "40", "-2"});
    case Kind::decimal:
      return dice.pick<const char*>({"0", "0.01", "9.99", "99999999.99", "-99999999.99", "-3.25", "NULL", "2.50"});
    case Kind::real:
      return dice.pick<const char*>({"0", "1.5", "-0.25", "CAST('NaN' AS DOUBLE PRECISION)",
                                     "CAST('inf' AS DOUBLE PRECISION)", "CAST('-inf' AS DOUBLE PRECISION)", "1e308",
                                     "-1e308", "5e-324", "NULL", "0.3", "4.4"});
    case Kind::text: return dice.pick<const char*>({"'a'", "'b'", "'c'", "''", "'Ä'", "'a '", "NULL", "'a'"});
    case Kind::date:
      return dice.pick<const char*>({"DATE '2020-01-01'", "DATE '2020-02-29'", "DATE '1969-07-20'", "NULL",
                                     "CAST('infinity' AS DATE)", "CAST('-infinity' AS DATE)", "DATE '2020-01-02'"});
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
    case Kind::boolean: return "";
  }
  return "";
}

class Writer {
 public:
  explicit Writer(Dice& dice) : dice_(dice) {}

  Start write() {
    start_.world.person = dice_.pick({Kind::integer, Kind::text, Kind::bigint, Kind::decimal, Kind::date});
    start_.world.people = 3 + dice_.below(5);
    start_.world.max_groups = dice_.pick({1, 1, 2, 3});
    add_people();
    std::size_t last = 0;
    const int links = dice_.below(4);
    for (int i = 1; i <= links; ++i) last = add_link(fmt::format("t{}", i), i > 1 && dice_.percent(20) ? 0 : last);
    if (dice_.percent(60)) add_owned("own");
    add_shared("pub", true);
    if (dice_.percent(50)) add_shared("bag", false);
    for (std::size_t t = 0; t < start_.world.tables.size(); ++t) fill(t);
    return std::move(start_);
  }

 private:
  Table& new_table(std::string name, std::string key_column, Kind key_kind) {
    Table& table = start_.world.tables.emplace_back();
    table.name = std::move(name);
    table.columns.push_back({std::move(key_column), key_kind, ""});
    return table;
  }

  void enforce(Table& table) {
    table.enforced = dice_.percent(92);
    table.unique = table.enforced && dice_.percent(25);
  }

  void add_values(Table& table) {
    const int count = 2 + dice_.below(4);
    for (int i = 0; i < count; ++i) {
      const Kind kind = dice_.pick({Kind::integer, Kind::bigint, Kind::decimal, Kind::real, Kind::text, Kind::text,
                                    Kind::date, Kind::boolean, Kind::integer});
      table.columns.push_back({fmt::format("x{}", i), kind, some_facts(kind, dice_)});
    }
  }

  // One row a person by the key, or rows with a key of their own.
  void add_people() {
    const bool by_owner = dice_.percent(60);
    Table& table = new_table("person", by_owner ? "uid" : "id", by_owner ? start_.world.person : Kind::integer);
    if (!by_owner) table.columns.push_back({"uid", start_.world.person, ""});
    table.model = Table::Model::owner;
    table.owner = "uid";
    table.key = table.columns.front().name;
    enforce(table);
    add_values(table);
  }

  std::size_t add_link(std::string name, std::size_t parent) {
    Table& table = new_table(std::move(name), "id", Kind::integer);
    const Table& above = start_.world.tables[parent];
    table.model = Table::Model::through;
    table.parent = parent;
    table.up = "up";
    table.columns.push_back({"up", above.columns[above.column(above.key)].kind, ""});
    table.key = "id";
    enforce(table);
    add_values(table);
    return start_.world.tables.size() - 1;
  }

  void add_owned(std::string name) {
    Table& table = new_table(std::move(name), "id", Kind::integer);
    table.model = Table::Model::owner;
    table.owner = "who";
    table.columns.push_back({"who", start_.world.person, ""});
    add_values(table);
  }

  void add_shared(std::string name, bool keyed) {
    Table& table = new_table(std::move(name), "k", Kind::integer);
    if (keyed) table.key = "k";
    table.enforced = keyed && dice_.percent(80);
    table.columns.push_back({"label", Kind::text, ""});
    table.columns.push_back({"weight", Kind::integer, "min = 0, max = 9"});
  }

  void fill(std::size_t index) {
    const Table& table = start_.world.tables[index];
    auto& rows = start_.data.emplace_back();
    const int count = table.is_private() ? dice_.below(20) : 1 + dice_.below(5);
    for (int i = 0; i < count; ++i) {
      Row row;
      for (const Column& column : table.columns) row.cells.push_back(cell(table, column, i, row));
      const std::size_t key = table.key.empty() ? 0 : table.column(table.key);
      const bool has_key = !table.key.empty() && row.cells[key] != "NULL";
      const bool repeats = has_key && !keys_[index].emplace(row.cells[key], row.owner).second;
      if (!repeats) rows.push_back(std::move(row));
    }
  }

  std::string cell(const Table& table, const Column& column, int i, Row& row) {
    if (table.model == Table::Model::owner && column.name == table.owner) {
      const bool never_null = column.name == table.key && !table.unique;
      if (!never_null && dice_.percent(10)) return "NULL";
      row.owner = dice_.below(start_.world.people);
      return person_literal(start_.world.person, *row.owner);
    }
    if (table.model == Table::Model::through && column.name == table.up) return reference(table, row);
    if (column.name == table.columns.front().name)
      return table.unique && dice_.percent(10) ? "NULL" : std::to_string(i);
    return awkward_value(column.kind, dice_);
  }

  // A key of the table above, one that nobody has, or NULL. A key that is the owner names the owner in any case.
  std::string reference(const Table& table, Row& row) {
    const auto& above = keys_[table.parent];
    const Table& parent = start_.world.tables[table.parent];
    if (dice_.percent(8)) return "NULL";
    if (parent.model == Table::Model::owner && parent.owner == parent.key) {
      row.owner = dice_.below(start_.world.people);
      return person_literal(start_.world.person, *row.owner);
    }
    if (above.empty() || dice_.percent(10)) return "99";
    auto found = above.begin();
    std::advance(found, dice_.below(static_cast<int>(above.size())));
    row.owner = found->second;
    return found->first;
  }

  Dice& dice_;
  Start start_;
  std::map<std::size_t, std::map<std::string, std::optional<int>>> keys_;  // per table: each key, and its row's owner
};

}  // namespace

Start random_start(Dice& dice) { return Writer(dice).write(); }

}  // namespace tacit::users_soundness
