#pragma once

#include "rewrite/engine_query.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// The distinct combinations of a public part's group keys, in order; at most one more than an answer may have.
PublicQuery domain_statement(const PublicKeys& domain, const Dialect& dialect);

// Both give a row exactly when the data breaks what is assumed, comparing values as the private statement does.
// Two rows with the same key; where it has no NULLs, also one with a NULL in its key.
PublicQuery key_check_statement(const AssumedKey& key, const Dialect& dialect);
// One value of the left side with more than `limit` different values of the right side, NULL being a value.
PublicQuery dependency_check_statement(const AssumedDependency& assumed, const Dialect& dialect);

// One row with one number.
PublicQuery count_statement(const RowCount& count, const Dialect& dialect);

}  // namespace tacit
