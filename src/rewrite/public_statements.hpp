#pragma once

#include "rewrite/engine_query.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// The distinct combinations of a public part's group keys, in order; at most one more than an answer may have.
PublicQuery domain_statement(const PublicKeys& domain, Dialect dialect);

// Gives a row exactly when the public table has two rows with the same key.
PublicQuery key_check_statement(const AssumedKey& key, Dialect dialect);

// One row with one number.
PublicQuery count_statement(const RowCount& count, Dialect dialect);

}  // namespace tacit
