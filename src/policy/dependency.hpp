#pragma once

#include <string_view>

#include "base/result.hpp"
#include "policy/policy.hpp"

namespace tacit {

// "a, b -> c" and "a ->[k] c, d" with k from 1 to 1,000,000,000: names folded, no name twice on a side or on both.
// The place is left to the caller.
Result<Dependency> parse_dependency(std::string_view text);

std::string to_string(const Dependency& dependency);  // reads back as the same dependency

}  // namespace tacit
