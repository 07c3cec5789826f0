#include "engine/duckdb/database_identity.hpp"

#include <filesystem>
#include <system_error>

namespace tacit {
namespace {

namespace fs = std::filesystem;

fs::path canonical(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path);
  fs::path resolved = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : resolved;
}

// Both ends are resolved, so that links on the way to the folder do not count.
std::string place_of(const Policy& policy, const std::string& file) {
  const fs::path target = canonical(policy.resolve(file));
  const fs::path relative = target.lexically_relative(canonical(policy.resolve(".")));
  const bool leads_out = relative.empty() || *relative.begin() == "..";
  return leads_out && fs::path(file).is_absolute() ? target.string() : relative.generic_string();
}

}  // namespace

std::string database_identity(const Policy& policy, const std::string& file) {
  return file.empty() ? "duckdb:" : "duckdb:" + place_of(policy, file);
}

}  // namespace tacit
