#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tacit {

// The column names in the first line of a CSV file: comma-separated, "quoted" where needed with "" for a quote; a byte
// order mark and the end of the line are not part of them. `path` is for messages.
Result<std::vector<std::string>> parse_csv_header(std::string_view line, const std::string& path);

}  // namespace tacit
