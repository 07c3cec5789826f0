#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "policy/policy.hpp"
#include "sql/relation.hpp"

namespace tacit {

// One FROM item of a flattened query.
struct Role {
  RelationPtr scan;
  const TablePolicy* table = nullptr;
  const MetricTable* metric = nullptr;  // null: a public table
  bool optional = false;                // right side of a LEFT JOIN
  ExprPtr sensitive_rows;               // public predicate; null: every row is private
};

// What the metric says about a private column of one role: how its cells move.
struct PrivateColumn {
  std::size_t role = 0;
  const Column* column = nullptr;
  MetricColumn::Use use = MetricColumn::Use::plain;
  // Least distance of two different values that the engine's type can hold, in the metric's unit (dates: days,
  // timestamps: seconds). Empty: doubles.
  std::optional<double> type_step;
  // The owner's granularity, where it is wider than the type's: a fact about the data, not a guarantee.
  std::optional<Decimal> declared_step;
  // Doubles measured as they are: how steep a condition on them is, per unit of the column (soft_comparison.hpp).
  std::optional<double> precision;
  const ColumnPolicy* policy = nullptr;  // null: nothing declared
};

// Every private column of the query, by the column object that reads it.
using PrivateColumns = std::map<const Column*, PrivateColumn>;

// The least distance of two different values of a type, in the metric's unit; empty for doubles, text and booleans.
std::optional<double> step_of_type(const SqlType& type);

PrivateColumns private_columns(const std::vector<Role>& roles);

// Whether the expression's value may change when a private cell moves. Whether a cell is NULL is public
// (docs/theory/joins.md, "What is public"), unless the column is discrete.
bool reads_private_cell(const Expr& expr, const PrivateColumns& columns);

// The private columns read, each once.
std::vector<const PrivateColumn*> private_columns_read(const Expr& expr, const PrivateColumns& columns);

}  // namespace tacit
