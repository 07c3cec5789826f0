#include "soundness/query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tacit::soundness {

std::string Query::sql(const std::string& schema) const {
  std::vector<std::string> list = keys;
  list.insert(list.end(), aggregates.begin(), aggregates.end());
  std::string text = with + fmt::format("SELECT {}{} FROM {}", options, fmt::join(list, ", "), from);
  if (!conditions.empty()) text += fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
  if (!keys.empty()) text += fmt::format(" GROUP BY {}", fmt::join(keys, ", "));
  for (auto at = text.find("$."); at != std::string::npos; at = text.find("$.", at + schema.size()))
    text.replace(at, 1, schema);
  return text;
}

}  // namespace tacit::soundness
