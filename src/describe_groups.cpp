#include "describe_groups.hpp"

#include <fmt/format.h>

namespace tacit {
namespace {

std::string names_of(const std::vector<std::size_t>& keys, const TypedQuery& query) {
  std::string names;
  for (const std::size_t key : keys) {
    for (const auto& output : query.outputs) {
      if (output.kind != OutputColumn::Kind::key || output.index != key) continue;
      names += (names.empty() ? "`" : ", `") + output.name + "`";
      break;
    }
  }
  return names.empty() ? "a key that is not shown" : names;
}

}  // namespace

std::vector<std::string> describe_groups(const AnalyzedQuery& analyzed) {
  std::vector<std::string> sentences;
  for (const auto& domain : analyzed.domains) {
    if (const auto* listed = std::get_if<ListedKeys>(&domain)) {
      sentences.push_back(fmt::format(
          "The groups of {} are fixed by the policy and the query; rows with another value or NULL are in none.",
          names_of(listed->keys, analyzed.query)));
    } else {
      sentences.push_back(fmt::format("The groups of {} come from a public table.",
                                      names_of(std::get<PublicKeys>(domain).keys, analyzed.query)));
    }
  }
  return sentences;
}

}  // namespace tacit
