#include "describe_intervals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tacit {

std::vector<std::string> describe_intervals(const NoisyRows& rows) {
  std::vector<std::pair<std::string, std::string>> names_by_reason;
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const NoisyColumn& column = rows.columns[i];
    const bool shown = std::ranges::any_of(rows.rows, [i](const auto& row) { return row[i].interval95.has_value(); });
    if (column.left_out.empty() || !shown) continue;
    auto found = std::ranges::find(names_by_reason, column.left_out, [](const auto& entry) { return entry.first; });
    if (found == names_by_reason.end()) found = names_by_reason.insert(found, {column.left_out, ""});
    found->second += (found->second.empty() ? "" : ", ") + column.output.name;
  }
  std::vector<std::string> sentences;
  for (const auto& [reason, names] : names_by_reason) {
    sentences.push_back(fmt::format("{}: the interval is about the noise alone, {}", names, reason));
  }
  return sentences;
}

}  // namespace tacit
