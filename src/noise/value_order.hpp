#pragma once

#include <compare>
#include <cstddef>
#include <span>

#include "base/value.hpp"

namespace tacit {

// How values group and sort, as PostgreSQL does: NULL groups with NULL, numbers are equal by magnitude whatever their
// spelling (1, 1.0, and 1.0 as a double), NaN equals NaN and is the largest number, text compares bytewise. A decimal
// and a double compare as doubles. Values of different kinds are never equal; they sort by kind, NULL first.
std::weak_ordering compare_values(const Value& a, const Value& b);

// Whole rows of key values.
bool same_group(std::span<const Value> a, std::span<const Value> b);
std::size_t hash_group(std::span<const Value> row);  // equal for rows of the same group

// The one spelling of the doubles that group together: 0 for -0, NaN without a sign. Which spelling an engine gives a
// group depends on the row it happened to read first, so that a name like -0 would tell of one person.
Value group_name(Value value);

}  // namespace tacit
