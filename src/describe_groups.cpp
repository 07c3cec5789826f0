#include "describe_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.hpp"

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

std::vector<std::string> describe_people(const UsersAnalysis& users) {
  std::vector<std::string> sentences;
  const bool one_value_each = std::ranges::any_of(
      users.aggregates, [](const UserAggregate& aggregate) { return !aggregate.statistic->adds_up(); });
  if (one_value_each && !users.one_row_per_user && !users.one_row_per_group) {
    sentences.emplace_back(
        "Averages, variances and quantiles are over people: each counts once, with the mean or quantile of their own "
        "rows.");
  }
  if (users.samples_totals) {
    sentences.push_back(fmt::format("Of each person at most {} group{} count{}, chosen at random.",
                                    users.groups_per_user, users.groups_per_user == 1 ? "" : "s",
                                    users.groups_per_user == 1 ? "s" : ""));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> describe_groups(const AnalyzedQuery& analyzed) {
  using Sentences = std::vector<std::string>;
  Sentences sentences = std::visit(
      Overloaded{[](const RowsAnalysis&) { return Sentences{}; }, [](const MetricAnalysis&) { return Sentences{}; },
                 [](const UsersAnalysis& users) { return describe_people(users); }},
      analyzed.model);
  for (const auto& domain : analyzed.domains) {
    if (const auto* listed = std::get_if<ListedKeys>(&domain)) {
      sentences.push_back(fmt::format(
          "The groups of {} are fixed by the policy and the query; rows with other values or NULL are not counted.",
          names_of(listed->keys, analyzed.query)));
    } else {
      sentences.push_back(fmt::format("The groups of {} come from a public table.",
                                      names_of(std::get<PublicKeys>(domain).keys, analyzed.query)));
    }
  }
  if (!analyzed.bounded_columns.empty()) {
    std::string names;
    for (const std::string& name : analyzed.bounded_columns) names += (names.empty() ? "`" : "`, `") + name;
    sentences.push_back(fmt::format("Rows where {}` lies outside its declared domain are not counted.", names));
  }
  return sentences;
}

}  // namespace tacit
