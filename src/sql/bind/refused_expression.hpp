#pragma once

#include <string_view>

#include "base/result.hpp"
#include "sql/bind/bind_expression.hpp"

namespace tacit {

// Says why a kind of expression that the binder has no rule for is not supported.
tl::unexpected<Failure> refuse_expression(const PgQuery__Node& node, int position);

// An aggregate where there may be none.
tl::unexpected<Failure> refuse_aggregate_here(std::string_view name, Clause clause, int position);

// True for functions whose value changes from call to call or with the session.
bool is_volatile_function(std::string_view name);
tl::unexpected<Failure> refuse_volatile(std::string_view name, int position);

}  // namespace tacit
