#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "engine/engine.hpp"
#include "engine/exact_rows.hpp"
#include "policy/policy.hpp"
#include "support/plain_duckdb.hpp"
#include "support/temporary_folder.hpp"

// For the tests of engine/ only.
namespace tacit {

class ExactRowsReader {
 public:
  explicit ExactRowsReader(const ExactRows& rows) : rows_(rows) {}
  std::size_t row_count() const { return rows_.cell_columns_ == 0 ? 0 : rows_.cells_.size() / rows_.cell_columns_; }
  const Value& key(std::size_t row, std::size_t column) const {
    return rows_.keys_.at(row * rows_.key_columns_ + column);
  }
  Int128 cell(std::size_t row, std::size_t column) const { return rows_.cells_.at(row * rows_.cell_columns_ + column); }

 private:
  const ExactRows& rows_;
};

// A folder with a policy, databases and files, gone when the test ends.
class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    policy.path = (folder / "policy.toml").string();
    policy.directory = folder.string();
    policy.engine.place.line = 2;
    policy.engine.url = "duckdb:";
    policy.engine.threads = 2;
  }

  // Runs statements in a writable DuckDB of the test's own; `file` empty: in memory.
  void prepare(const std::string& file, const std::vector<std::string>& statements) {
    testing::PlainDuckDb(file.empty() ? ":memory:" : at(file)).run_all(statements);
  }

  std::string at(const std::string& file) const { return own_.file(file); }

  void write(const std::string& file, const std::string& content) const { own_.write(file, content); }

  TablePolicy& add_table(const std::string& name, const std::string& source = "") {
    TablePolicy& table = policy.tables.emplace_back();
    table.name.name = name;
    table.place.line = 10;
    table.model = RowsTable{};
    if (!source.empty()) table.source = source;
    return table;
  }

  std::unique_ptr<Engine> open() const {
    auto engine = open_engine(policy);
    if (!engine) throw std::runtime_error(to_line(engine.error()));
    return std::move(*engine);
  }

  Failure open_failure() const {
    const auto engine = open_engine(policy);
    if (engine) {
      ADD_FAILURE() << "the engine opened";
      return {};
    }
    return engine.error();
  }

  testing::TemporaryFolder own_;
  const std::filesystem::path& folder = own_.path();
  Policy policy;
};

}  // namespace tacit
