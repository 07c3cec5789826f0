#pragma once

#include <optional>
#include <string_view>

#include "base/type.hpp"

namespace tacit {

// The types a CSV column may declare: boolean, smallint, integer, bigint, decimal(p,s), double, text, date, timestamp.
// Empty when it is none of them, or when not 1 <= p <= 38 and 0 <= s <= p.
std::optional<SqlType> parse_column_type(std::string_view text);

}  // namespace tacit
