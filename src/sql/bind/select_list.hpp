#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "sql/bind/bind_expression.hpp"
#include "sql/typed_query.hpp"

struct PgQuery__Node;
struct PgQuery__SelectStmt;

namespace tacit {

// One column of the outermost SELECT list before it is known which group key it shows.
struct SelectItem {
  std::string name;
  int position = 0;
  std::variant<std::size_t, ExprPtr> value;  // index of an aggregate, or an expression that must be a group key
};

// Binds the SELECT list. Each different aggregate is added once to `aggregates`.
Result<std::vector<SelectItem>> bind_select_list(const PgQuery__SelectStmt& select, Binding& binding,
                                                 const Scope& scope, std::vector<Aggregate>& aggregates);

// GROUP BY: expressions, positions in the SELECT list, and output names. A bare name is a column of FROM if there is
// one, else an output name (PostgreSQL's rule). Repeated keys count once.
Result<std::vector<GroupKey>> bind_group_by(const PgQuery__SelectStmt& select, Binding& binding, const Scope& scope,
                                            const std::vector<SelectItem>& items);

// Each item of the SELECT list as a key or an aggregate. Refuses one that is neither.
Result<std::vector<OutputColumn>> make_outputs(const std::vector<SelectItem>& items, const std::vector<GroupKey>& keys,
                                               const std::vector<Aggregate>& aggregates);

// ORDER BY: output names, positions, or the same expression as in the SELECT list. A bare name is an output name if
// there is one, else a column of FROM (PostgreSQL's rule).
Result<std::vector<SortItem>> bind_order_by(const PgQuery__SelectStmt& select, Binding& binding, const Scope& scope,
                                            const std::vector<SelectItem>& items,
                                            const std::vector<Aggregate>& aggregates);

// The only output of that name; empty when there is none. Refuses a name of two different outputs.
Result<std::optional<std::size_t>> find_output(const std::string& name, const std::vector<SelectItem>& items,
                                               int position);
// A position in the SELECT list, from 1.
Result<std::size_t> output_at(long long number, const std::vector<SelectItem>& items, const char* clause, int position);

}  // namespace tacit
