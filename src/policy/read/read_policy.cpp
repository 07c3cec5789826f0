#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "policy/policy.hpp"
#include "policy/read/ready_metric.hpp"
#include "policy/read/sections.hpp"

namespace tacit {
namespace {

constexpr std::size_t max_bytes = 4'000'000;

tl::unexpected<Failure> unreadable(const std::string& path, std::string what, std::string hint) {
  return fail({FailureCode::usage, std::move(what), path, std::move(hint)});
}

tl::unexpected<Failure> too_large(const std::string& path) {
  return unreadable(path, "the policy is larger than 4 MB", "a policy holds no data: shorten it");
}

}  // namespace

Result<Policy> read_policy(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return unreadable(path, "the policy file does not exist",
                      "give the path of a policy file; `tacit policy init` writes a first one");
  }
  if (std::filesystem::is_directory(status)) {
    return unreadable(path, "the policy is a directory", "name the file inside it");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path, "the policy file cannot be opened", "check its permissions");

  std::string text;
  std::array<char, 65536> chunk{};
  while (file) {
    file.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > max_bytes) return too_large(path);
  }
  if (file.bad()) return unreadable(path, "the policy file cannot be read", "check the disk");
  return parse_policy(text, path);
}

Result<Policy> parse_policy(const std::string& text, const std::string& path) {
  if (text.size() > max_bytes) return too_large(path);
  TACIT_TRY(const TomlTable document, parse_toml(text, path));

  Policy policy;
  policy.path = path;
  policy.directory = std::filesystem::path(path).parent_path().string();
  policy.key_lines = lines_of_keys(document);

  Complaints complaints(path);
  Section root(document, {1, 1}, "", complaints);
  read_engine(root, policy);
  read_budget(root, policy);
  read_models(root, policy);
  read_tables(root, policy);
  refuse_attackers(root);
  root.finish();
  fix_tables_combine(policy, complaints);
  if (complaints.empty()) check_references(policy, complaints);
  if (!complaints.empty()) return fail(complaints.first());
  return policy;
}

}  // namespace tacit
