#include "soundness/rows/world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "soundness/opened_world.hpp"
#include "support/policy_head.hpp"

namespace tacit::soundness::rows {

Data changed(Data data, const Change& change) {
  auto& rows = data[change.table];
  if (change.row >= rows.size()) return data;
  if (change.becomes)
    rows[change.row] = *change.becomes;
  else
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(change.row));
  return data;
}

std::string policy_text(const World& world, std::size_t versions) {
  // The first line belongs to [engine], which the database writes.
  std::string text =
      "threads = 1\n" + testing::budget_section({.epsilon = 1000.0, .delta = 0.1, .defaults = "delta = 1e-4"});
  for (std::size_t version = 0; version < versions; ++version) {
    for (const Table& table : world.tables) {
      const std::string name = fmt::format("tables.\"{}.{}\"", schema_of(version), table.name);
      text += fmt::format("[{}]\n", name);
      text += table.is_public ? "public = true\n" : fmt::format("rows = \"{}\"\n", world.neighbour);
      if (!table.key.empty()) text += fmt::format("primary_key = [\"{}\"]\n", table.key);
      text += table.facts + fmt::format("[{}.columns]\n", name);
      for (const Column& column : table.columns)
        if (!column.facts.empty()) text += fmt::format("{} = {{ {} }}\n", column.name, column.facts);
    }
  }
  return text;
}

std::vector<std::string> create_statements(const World& world, std::size_t version) {
  std::vector<std::string> statements{"CREATE SCHEMA " + schema_of(version)};
  for (const Table& table : world.tables) {
    std::vector<std::string> columns;
    for (const Column& column : table.columns) {
      const bool is_key = table.enforces_key && column.name == table.key;
      columns.push_back(fmt::format("{} {}{}", column.name, column.type, is_key ? " PRIMARY KEY" : ""));
    }
    columns.insert(columns.end(), table.constraints.begin(), table.constraints.end());
    statements.push_back(
        fmt::format("CREATE TABLE {}.{} ({})", schema_of(version), table.name, fmt::join(columns, ", ")));
  }
  return statements;
}

std::vector<std::string> insert_statements(const World& world, const Data& data, std::size_t version) {
  std::vector<std::string> statements;
  for (std::size_t t = 0; t < data.size(); ++t) {
    std::vector<std::string> rows;
    for (const Row& row : data[t]) rows.push_back(fmt::format("({})", fmt::join(row, ", ")));
    if (rows.empty()) continue;
    statements.push_back(
        fmt::format("INSERT INTO {}.{} VALUES {}", schema_of(version), world.tables[t].name, fmt::join(rows, ",\n  ")));
  }
  return statements;
}

}  // namespace tacit::soundness::rows
