#pragma once

#include <duckdb.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

// Owners of DuckDB's C handles. Included by the sources of engine/duckdb/ only.
namespace tacit::duckdb_engine {

// What DuckDB said. Its text quotes private values: it is read here to classify the error and goes no further.
struct EngineError {
  std::string text = {};
  bool is_out_of_use = false;  // it said nothing: an abandoned statement is still in it
};

template <class T>
using Outcome = tl::expected<T, EngineError>;

class QueryResult {
 public:
  explicit QueryResult(duckdb_result result) : result_(result) {}
  QueryResult(QueryResult&& other) noexcept : result_(std::exchange(other.result_, duckdb_result{})) {}
  QueryResult& operator=(QueryResult&& other) noexcept {
    std::swap(result_, other.result_);
    return *this;
  }
  QueryResult(const QueryResult&) = delete;
  QueryResult& operator=(const QueryResult&) = delete;
  ~QueryResult() { duckdb_destroy_result(&result_); }
  duckdb_result* get() { return &result_; }

 private:
  duckdb_result result_;
};

class Chunk {
 public:
  explicit Chunk(duckdb_data_chunk chunk) : chunk_(chunk) {}
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
  ~Chunk() {
    if (chunk_ != nullptr) duckdb_destroy_data_chunk(&chunk_);
  }
  duckdb_data_chunk get() const { return chunk_; }

 private:
  duckdb_data_chunk chunk_;
};

class LogicalType {
 public:
  explicit LogicalType(duckdb_logical_type type) : type_(type) {}
  LogicalType(const LogicalType&) = delete;
  LogicalType& operator=(const LogicalType&) = delete;
  ~LogicalType() { duckdb_destroy_logical_type(&type_); }
  duckdb_logical_type get() const { return type_; }

 private:
  duckdb_logical_type type_;
};

class PreparedStatement {
 public:
  PreparedStatement() = default;
  PreparedStatement(const PreparedStatement&) = delete;
  PreparedStatement& operator=(const PreparedStatement&) = delete;
  ~PreparedStatement() { duckdb_destroy_prepare(&statement_); }
  duckdb_prepared_statement get() const { return statement_; }
  duckdb_prepared_statement* out() { return &statement_; }

 private:
  duckdb_prepared_statement statement_ = nullptr;
};

}  // namespace tacit::duckdb_engine
