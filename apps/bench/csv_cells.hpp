#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tacit {

// The lines of a file of published figures: comments (#) and the heading left out, cells between commas, no quotes.
std::vector<std::vector<std::string>> read_csv_cells(const std::string& text);

// The whole text as a number; nothing for other text.
std::optional<double> read_number(const std::string& text);

}  // namespace tacit
