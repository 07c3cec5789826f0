#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sql/dialect.hpp"
#include "sql/print_expression.hpp"
#include "sql/relation.hpp"

namespace tacit {

// FROM and WHERE of an engine statement, and the engine name of every column they produce.
struct PrintedRelation {
  std::string from;   // without the word FROM
  std::string where;  // without the word WHERE; empty when there is none
  std::map<const Column*, std::string> names;
};

// How a stored column is read (CatalogColumn::read_as): the pattern with every {} replaced by the column's name, which
// may hold braces itself.
std::string read_as(std::string_view pattern, const std::string& name);

PrintedRelation print_relation(const Relation& relation, const Dialect& dialect);

// Prints `expr` with the column names of `relation`.
std::string print_expression(const Expr& expr, const PrintedRelation& relation, const Dialect& dialect);

// The same as a computation reads it: no NaN of PostgreSQL's decimals.
std::string print_operand(const Expr& expr, const PrintedRelation& relation, const Dialect& dialect);

}  // namespace tacit
