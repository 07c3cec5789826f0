#pragma once

#include <string>
#include <string_view>

#include "sql/expr.hpp"

namespace tacit {

// What a bound call of `substring` makes of one text: what the engines compute.
std::string substring_of(std::string_view text, const Call& substring);

}  // namespace tacit
