#pragma once

#include "base/result.hpp"
#include "sql/bind/binding.hpp"
#include "sql/bind/scope.hpp"

namespace tacit {

// The owner's predicate that says which rows of a metric table are private, over the columns of one scan; null when
// every row is. Refuses a predicate that does not bind or reads a private column: the policy is wrong then.
Result<ExprPtr> bind_sensitive_rows(const TablePolicy& table, const ScopeTable& columns, Binding& binding);

}  // namespace tacit
