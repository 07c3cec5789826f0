#include "policy/policy.hpp"

#include <algorithm>
#include <filesystem>

namespace tacit {

const TablePolicy* Policy::find_table(const TableName& name) const {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const auto& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

std::string Policy::resolve(const std::string& relative) const {
  return (std::filesystem::path(directory) / relative).string();
}

PolicyPlace Policy::place_of(const std::string& key) const {
  for (std::string above = key;;) {
    if (const auto found = key_lines.find(above); found != key_lines.end()) return {found->second, key};
    const auto cut = above.find_last_of(".[");
    if (cut == std::string::npos) return {1, key};
    above.erase(cut);
  }
}

}  // namespace tacit
