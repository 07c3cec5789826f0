#pragma once

#include <string>

#include "sensitivity/users/users_analysis.hpp"
#include "sql/dialect.hpp"
#include "sql/print_relation.hpp"

namespace tacit {

// What one user says in one group, as an aggregate over that user's rows there, in whole steps of the value's grid as a
// 64-bit integer; NULL where the user says nothing. Clamped to `bounds` after everything else was computed.
//   exact numbers  summed exactly; doubles in steps, each row within [least, most] first: no order of rows matters
//   single_row     the user has one row in the group: no aggregate is printed
// Proof: user_value_sql.md.
std::string user_value_sql(const UserValue& value, const UserBounds& bounds, const std::string& argument,
                           bool single_row, const Dialect& dialect);

// What that aggregate reads from each row: the argument of exact numbers, or of doubles (mean, quantile).
std::string user_argument_sql(const UserValue& value, const PrintedRelation& relation, const Dialect& dialect);

// The bin of a value in steps (users_cells.hpp): of its magnitude, or the leaf of [lo, hi].
std::string magnitude_bin_sql(const std::string& value, const Dialect& dialect);
// The bin of a sum of magnitudes, a double; and the share of it that a value is, in whole 1 / spread_shares, rounded
// towards 0.
std::string spread_bin_sql(const std::string& sum, const Dialect& dialect);
std::string spread_share_sql(const std::string& value, const std::string& sum, const Dialect& dialect);
std::string quantile_leaf_sql(const std::string& value, const UserBounds& bounds, const Dialect& dialect);

}  // namespace tacit
