#pragma once

#include <deque>
#include <string>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "policy/policy.hpp"
#include "sql/parse/parse_tree.hpp"

struct PgQuery__CommonTableExpr;

namespace tacit {

// A query of a WITH clause. It sees the ones before it, `earlier`, and those of the statements around it.
struct CommonTable {
  const PgQuery__CommonTableExpr* definition = nullptr;
  const CommonTable* earlier = nullptr;
  mutable bool used = false;  // set by whoever reads it
};

constexpr int most_tables = 32;       // in one query, each reference to a WITH query opened
constexpr int deepest_subquery = 32;  // subqueries and WITH queries inside each other

// What every step of binding one query looks at.
struct Binding {
  const ParseTree::Impl& tree;
  const Catalog& catalog;
  const Policy& policy;
  std::deque<CommonTable> common_tables = {};
  int tables = 0;
  int open_subqueries = 0;
  std::size_t printed_nodes = 0;  // of the expressions bound so far

  int position(int byte) const { return tree.positions.of_byte(byte); }
  int position(const PgQuery__Node& node) const;
  int position(const PgQuery__Node* node) const;  // 0 for null
  int start() const;                              // of the statement's first word

  Status count_table(int at);  // refuses the table after `most_tables`
};

// Counts a subquery as open while it is bound.
class OpenSubquery {
 public:
  explicit OpenSubquery(Binding& binding) : binding_(binding) { ++binding_.open_subqueries; }
  ~OpenSubquery() { --binding_.open_subqueries; }
  OpenSubquery(const OpenSubquery&) = delete;
  OpenSubquery& operator=(const OpenSubquery&) = delete;

  Status check_depth(int at) const;  // refuses the level after `deepest_subquery`

 private:
  Binding& binding_;
};

}  // namespace tacit
