#include "soundness/joins/random_world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace tacit::soundness::joins {
namespace {

using rows::Row;
using rows::Table;
using Columns = std::vector<std::size_t>;

std::vector<rows::Column> columns() {
  return {{"id", "INTEGER", "", {}},
          {"x", "INTEGER", "min = 0, max = 2", {"0", "0", "1", "1", "2", "NULL"}},
          {"y", "BIGINT", "", {"0", "1", "1", "2", "2", "3", "NULL"}},
          {"t", "VARCHAR", "values = [\"u\", \"U\"]", {"'u'", "'u'", "'U'", "'U'", "'w'", "NULL"}},
          {"v", "INTEGER", "min = -3, max = 7", {"-3", "7", "0", "100", "NULL"}},
          {"d",
           "DOUBLE PRECISION",
           "",
           {"0.0", "CAST('-0.0' AS DOUBLE PRECISION)", "1.5", "CAST('NaN' AS DOUBLE PRECISION)", "NULL"}}};
}

std::vector<std::string> names(const Table& table, const Columns& chosen) {
  std::vector<std::string> found;
  for (const std::size_t column : chosen) found.push_back(table.columns[column].name);
  return found;
}

Row part(const Row& row, const Columns& chosen) {
  Row found;
  for (const std::size_t column : chosen) found.push_back(row[column]);
  return found;
}

bool has_null(const Row& row) { return std::ranges::find(row, "NULL") != row.end(); }

class TableWriter {
 public:
  TableWriter(const std::string& name, bool is_public, Dice& dice)
      : dice_(dice), table_{name, is_public, "", false, columns()} {
    const int size = 3 + dice_.below(7);
    for (int i = 0; i < size; ++i) rows_.push_back(random_row());
    if (dice_.percent(40)) {
      obey({0}, dice_.percent(50));
      table_.key = "id";
      table_.enforces_key =
          !std::ranges::any_of(rows_, [](const Row& row) { return row[0] == "NULL"; }) && dice_.percent(50);
    }
    for (int i = dice_.below(3); i > 0; --i) {
      const Columns key = dice_.pick<Columns>({{0}, {2}, {1, 2}, {2, 3}});
      obey(key, false);
      table_.constraints.push_back(fmt::format("UNIQUE ({})", fmt::join(names(table_, key), ", ")));
    }
    std::vector<std::string> dependencies;
    for (int i = 2 + dice_.below(4); i > 0; --i) add_dependency(dependencies);
    if (!dependencies.empty()) table_.facts = fmt::format("dependencies = [{}]\n", fmt::join(dependencies, ", "));
    if (!is_public && (!dependencies.empty() || !table_.key.empty())) table_.facts += "keys = \"trusted\"\n";
  }

  const Table& table() const { return table_; }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  Columns some_columns() { return dice_.pick<Columns>({{0}, {0}, {1}, {1, 2}, {2}, {2}, {3}, {1, 3}, {2, 3}}); }

  Row random_row() {
    constexpr int ids = 6;
    Row row{dice_.below(10) == 0 ? "NULL" : std::to_string(dice_.below(ids))};
    for (std::size_t i = 1; i < table_.columns.size(); ++i) row.push_back(dice_.pick(table_.columns[i].values));
    return row;
  }

  // Takes out the rows that a unique key does not allow, and those with NULL where it allows none.
  void obey(const Columns& key, bool not_null) {
    std::set<Row> seen;
    std::erase_if(rows_, [&](const Row& row) {
      const Row values = part(row, key);
      return has_null(values) ? not_null : !seen.insert(values).second;
    });
  }

  void add_dependency(std::vector<std::string>& dependencies) {
    const Columns from = some_columns();
    const bool to_rows = dice_.below(2) == 0;
    const auto to = static_cast<std::size_t>(dice_.below(4));
    if (!to_rows && std::ranges::find(from, to) != from.end()) return;
    std::map<Row, std::set<std::string>> values;
    std::map<Row, std::size_t> counts;
    std::size_t limit = 1;
    for (const Row& row : rows_) {
      auto& found = values[part(row, from)];
      found.insert(row[to]);
      limit = std::max(limit, to_rows ? ++counts[part(row, from)] : found.size());
    }
    const std::string right = to_rows ? "rows" : table_.columns[to].name;
    dependencies.push_back(fmt::format("\"{} ->[{}] {}\"", fmt::join(names(table_, from), ", "), limit, right));
  }

  Dice& dice_;
  Table table_;
  std::vector<Row> rows_;
};

}  // namespace

RandomWorld random_world(Dice& dice) {
  RandomWorld result;
  result.world.neighbour = dice.pick({"add-remove", "replace"});
  for (const char* name : {"a", "b", "p"}) {
    const TableWriter writer(name, name[0] == 'p', dice);
    result.world.tables.push_back(writer.table());
    result.data.push_back(writer.rows());
  }
  return result;
}

}  // namespace tacit::soundness::joins
