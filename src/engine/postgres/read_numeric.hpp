#pragma once

#include <optional>
#include <string_view>

#include "base/int128.hpp"

namespace tacit::postgres_engine {

// The server's binary numeric as a whole number of 10^-scale; empty for NaN, the infinities, and what is no such number
// or has more than 38 digits.
std::optional<Int128> read_numeric(std::string_view bytes, int scale);

}  // namespace tacit::postgres_engine
