#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tacit::soundness::rows {

// A database of the test's own making: tables, what the owner says about them, and rows.

struct Column {
  std::string name;
  std::string type;                 // as both engines spell it
  std::string facts;                // as the policy writes them: "min = 0, max = 5"; empty: none
  std::vector<std::string> values;  // SQL literals that rows take
};

struct Table {
  std::string name;
  bool is_public = false;
  std::string key;           // the policy's primary_key; empty: none
  bool enforces_key = true;  // the engine does
  std::vector<Column> columns;
  std::vector<std::string> constraints = {};  // further ones of CREATE TABLE: "UNIQUE (x, y)"
  std::string facts = {};                     // further lines of the policy
};

struct World {
  std::vector<Table> tables;
  std::string neighbour = "add-remove";  // or "replace"
};

using Row = std::vector<std::string>;        // SQL literals
using Data = std::vector<std::vector<Row>>;  // per table

// One row of a private table goes, or becomes another.
struct Change {
  std::size_t table = 0;
  std::size_t row = 0;
  std::optional<Row> becomes = std::nullopt;
};
Data changed(Data data, const Change& change);  // the same data where there is no such row

std::string policy_text(const World& world, std::size_t versions);
std::vector<std::string> create_statements(const World& world, std::size_t version);
std::vector<std::string> insert_statements(const World& world, const Data& data, std::size_t version);

}  // namespace tacit::soundness::rows
