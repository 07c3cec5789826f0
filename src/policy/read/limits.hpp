#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tacit {

// "500ms", "60s", "2m", "1h", "1.5s" in seconds; empty when malformed, 0, or above a week.
std::optional<double> parse_duration(std::string_view text);

// "512MB", "4GB" (powers of 1000), "1GiB" (powers of 1024) in bytes; empty when malformed, below 1 MB or above 1 PB.
std::optional<std::size_t> parse_memory(std::string_view text);

}  // namespace tacit
