#pragma once

#include <vector>

#include "catalog/catalog.hpp"
#include "rewrite/engine_query.hpp"
#include "sql/dialect.hpp"
#include "verify/fact.hpp"

namespace tacit {

// What a row of a statement's result counts.
struct Measure {
  enum class What {
    table_rows,  // second number: the table's rows
    nulls,       // second number: rows with a NULL among the fact's columns
    violations,  // first number: keys, values or groups that violate the fact; second: rows, where that makes sense
  };
  What what = What::table_rows;
  std::size_t of = 0;  // table_rows: in Policy::tables; else in the list of facts
};

// One statement over the tables whose facts hang together. Its rows are (number of a measure, number, number); a
// measure that is missing counted nothing.
struct VerifyStatement {
  OwnerQuery query;
  std::vector<TableName> tables;  // with schema
  std::vector<Measure> measures;
};

// Every table with a fact to look up is read by one statement, and there by one scan (table_scan.hpp); tables that an
// owner_through compares share their statement. Total: no row makes a statement fail.
std::vector<VerifyStatement> verify_statements(const Policy& policy, const Catalog& catalog,
                                               const std::vector<Fact>& facts, const Dialect& dialect);

}  // namespace tacit
