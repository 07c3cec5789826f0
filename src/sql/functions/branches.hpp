#pragma once

#include <span>
#include <string_view>

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

// The values a conditional may answer with: read as computations read them, brought to one type.
Result<std::vector<ExprPtr>> bind_branches(std::vector<ExprPtr> values, std::string_view what, int position);

// The range that holds whichever branch is taken. All of one type; NULL literals add nothing.
Range hull_of_branches(std::span<const ExprPtr> values);

}  // namespace tacit
