#pragma once

#include <vector>

#include "base/result.hpp"
#include "sql/parse/privacy_syntax.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// OPTIONS(epsilon = ..., delta = ...): 1. every name known and once, 2. epsilon > 0 and delta in [0, 1), finite.
// Options of the users model are refused by name.
Result<QueryOptions> bind_options(const std::vector<WrittenOption>& written);

}  // namespace tacit
