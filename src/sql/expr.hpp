#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/type.hpp"
#include "base/value.hpp"
#include "sql/range.hpp"

namespace tacit {

struct FunctionRule;  // sql/functions/function_rule.hpp
struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

// A column some relation of the query produces. Identity is the object: two scans of one table have different columns.
struct Column {
  std::string name;  // as the catalog (or the analyst's alias) spells it
  SqlType type;
  bool is_private = true;  // false only for columns computed from public tables alone
  Range proved;            // holds for every stored value, whatever the data
  Range declared;          // the owner's bounds (all ends stated); a computation clamps to them first. monostate: none
  std::vector<Value> domain;  // the owner's declared domain, in the column's type; empty: none
  std::string table_column;   // "visit.age" when it is a stored column, for messages; else empty
  std::string read_as = {};   // how engine SQL reads a stored column, {} for its name (CatalogColumn); empty: as it is
};
using ColumnPtr = std::shared_ptr<const Column>;

struct ColumnRef {
  ColumnPtr column;
};
struct Literal {
  Value value;
};
// Every operator, function, cast, CASE, IN, LIKE, ... is a call of one rule of the registry.
struct Call {
  const FunctionRule* rule = nullptr;
  std::vector<ExprPtr> args;
};

// An expression over the columns of one relation; resolved, typed, labelled. Total: evaluating the SQL that its rule
// prints never raises an engine error, whatever the data.
struct Expr {
  std::variant<ColumnRef, Literal, Call> node;
  SqlType type;
  Range range;
  bool is_private = false;
  int position = 0;  // character of the SQL text, from 1; 0 when Tacit made it
  // Set by make_call. Guards repeat their operand, so the SQL can be far larger than the tree: binding caps both.
  std::size_t printed_nodes = 1;
  int depth = 1;
  std::size_t hash = 0;  // the same for most expressions that are the same, different for most others
};

ExprPtr make_column(ColumnPtr column, int position);
ExprPtr make_literal(Value value, SqlType type, int position);
ExprPtr make_call(const FunctionRule& rule, std::vector<ExprPtr> args, SqlType type, Range range, int position);

// Same tree over the same columns.
bool same_expression(const Expr& a, const Expr& b);

// Each column the expression reads, once, in order of first occurrence.
std::vector<ColumnPtr> columns_read(const Expr& expr);

// The conjuncts of a predicate: AND is opened, everything else kept.
std::vector<ExprPtr> conjuncts(const ExprPtr& predicate);

}  // namespace tacit
