#pragma once

#include <vector>

#include "base/result.hpp"
#include "sql/parse/privacy_syntax.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// OPTIONS(epsilon = ..., delta = ...): 1. every name known and once, 2. epsilon > 0 and delta in [0, 1), finite; whole
// numbers from 1; words from their lists. Options of the users model are noted by name: other models refuse them.
Result<QueryOptions> bind_options(const std::vector<WrittenOption>& written);

}  // namespace tacit
